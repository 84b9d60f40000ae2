#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/mps/MPSGeneratorImpl.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/native/mps/OperationUtils.h>

namespace at::native {

using namespace mps;

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/Distributions_metallib.h>
#endif

// Binds the output, the bounds and the generator's state, and launches a thread for each element.
template <typename Bound>
static void random_mps_impl(TensorIteratorBase& iter,
                            const std::string& op_name,
                            std::array<Bound, 2> bounds,
                            std::optional<Generator> gen) {
  if (iter.numel() == 0) {
    return;
  }
  auto generator = get_generator_or_default<MPSGeneratorImpl>(gen, at::mps::detail::getDefaultMPSGenerator());
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      const auto name = fmt::format("{}_{}", op_name, scalarToMetalTypeString(iter.output()));
      auto pipeline = lib.getPipelineStateForFunc(name);
      auto encoder = stream->commandEncoder();
      [encoder setComputePipelineState:pipeline];
      bind_iter_tensors(encoder, iter);
      const std::array<int64_t, 2> seed_offset = {static_cast<int64_t>(generator->current_seed()),
                                                  generator->advance_offset(iter.numel())};
      mtl_setArgs<1>(encoder, bounds, seed_offset);
      mtl_dispatch1DJob(encoder, pipeline, iter.numel());
    }
  });
}

static void uniform_mps_kernel(TensorIteratorBase& iter,
                               const double from,
                               const double to,
                               std::optional<Generator> gen) {
  random_mps_impl<float>(iter, "uniform", {static_cast<float>(from), static_cast<float>(to)}, gen);
}

static void random_from_to_mps_kernel(TensorIteratorBase& iter,
                                      const uint64_t range,
                                      const int64_t base,
                                      std::optional<Generator> gen) {
  random_mps_impl<int64_t>(iter, "random_from_to", {base, static_cast<int64_t>(base + range)}, gen);
}

static void random_mps_kernel(TensorIteratorBase& iter, std::optional<Generator> gen) {
  const int64_t limit = isFloatingType(iter.dtype()) ? 1 << 24 : std::numeric_limits<int32_t>::max();
  random_mps_impl<int64_t>(iter, "random_from_to", {0, limit}, gen);
}

REGISTER_DISPATCH(uniform_stub, &uniform_mps_kernel)
REGISTER_DISPATCH(random_from_to_stub, &random_from_to_mps_kernel)
REGISTER_DISPATCH(random_stub, &random_mps_kernel)

} // namespace at::native
