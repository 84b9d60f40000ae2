#include <ATen/native/CPUFallback.h>
#include <torch/library.h>

namespace at {

static void mps_fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  TORCH_WARN_ONCE("The operator '", op.schema().operator_name(), "' runs on the CPU; this may be slow.");
  native::cpu_fallback(op, stack);
}

static void mps_error_fallback(const c10::OperatorHandle& op, torch::jit::Stack* /*stack*/) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      false, "The operator '", op.schema().operator_name(), "' is not implemented for the MPS device.");
}

TORCH_LIBRARY_IMPL(_, MPS, m) {
  static const auto enabled = c10::utils::check_env("PYTORCH_ENABLE_MPS_FALLBACK");
  if (!enabled.has_value() || !*enabled) {
    m.fallback(torch::CppFunction::makeFromBoxedFunction<&mps_error_fallback>());
  } else {
    m.fallback(torch::CppFunction::makeFromBoxedFunction<&mps_fallback>());
  }
}

// Operators that always run on the CPU.
TORCH_LIBRARY_IMPL(aten, MPS, m) {
  m.impl("embedding_renorm_", torch::CppFunction::makeFromBoxedFunction<&mps_fallback>());
}

} // namespace at
