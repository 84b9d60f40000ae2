"""Every place that names a thing, in all languages."""

from tests.support.features import check_references


def test_a_host_function_in_rows_and_in_code():
    check_references("""
//- aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    MPS: ripple_mps
#        ^^^^^^^^^^ reference

//- aten/src/ATen/native/mps/operations/Ripple.mm
Tensor rip$0ple_mps(const Tensor& self) {
//     ^^^^^^^^^^ declared
  return self;  // ripple_mps
}
Tensor wave_mps(const Tensor& self) {
  TORCH_CHECK(self.ripple_mps(), "ripple_mps");
  return at::native::ripple_mps(self);
//                   ^^^^^^^^^^ reference
}
""")


def test_a_files_own_function_is_named_in_that_file_alone():
    check_references(
        """
//- aten/src/ATen/native/mps/operations/Ripple.mm
static void helper(const Tensor& self) {}
//          ^^^^^^ declared
Tensor ripple_mps(const Tensor& self) {
  $0helper(self);
//<^^^^^^^^
}

//- aten/src/ATen/native/mps/operations/Wave.mm
static void helper(const Tensor& self) {}
Tensor wave_mps(const Tensor& self) {
  helper(self);
}
""".replace("//<^^^^^^^^", "//^^^^^^ reference")
    )


def test_a_stub():
    check_references("""
//- aten/src/ATen/native/BinaryOps.h
DECLARE_DISPATCH(structured_binary_fn, fmax_stub)
//                                     ^^^^^^^^^ declared

//- aten/src/ATen/native/BinaryOps.cpp
DEFINE_DISPATCH(fmax_stub);
//              ^^^^^^^^^ declared
TORCH_IMPL_FUNC(fmax_out)(const Tensor& self, const Tensor& out) {
  fmax$0_stub(device_type(), *this); // fmax_stub
//^^^^^^^^^ reference
}

//- aten/src/ATen/native/mps/operations/Fmax.mm
static void fmax_mps_kernel(TensorIteratorBase& iter) {}
REGISTER_DISPATCH(fmax_stub, &fmax_mps_kernel)
//                ^^^^^^^^^ reference
""")


KERNELS = """
//- kernels/Fmax.metal
struct fmax_functor {
  template <typename T> inline T operator()(T a, T b) { return a; }
};

template <typename T, typename F>
kernel void binary(device T* out [[buffer(0)]]) {}

#define REGISTER(NAME, T) \\
  template [[host_name(#NAME "_" #T)]] kernel void binary<T, NAME##_functor>(device T* out)

REGISTER(fmax, float);
//       ^^^^ declared
REGISTER(fmax, half);
//       ^^^^ declared

//- operations/Fmax.mm
void fmax(const Tensor& out) {
  auto pso = lib.getPipelineStateForFunc("fm$0ax_" + scalarToMetalTypeString(out));
//                                        ^^^^^ reference
}
"""


def test_a_lookup_and_what_registers_the_kernels():
    check_references(KERNELS)


def test_a_registration_and_who_asks_for_its_kernel():
    source = KERNELS.replace("fm$0ax_", "fmax_").replace("(fmax, half)", "(f$0max, half)")
    other = "REGISTER(fmax, float);\n"
    check_references(source.replace(f"{other}//       ^^^^ declared\n", other))


def test_a_registration_macro():
    check_references("""
//- kernels/Fmax.metal
template <typename T>
kernel void fmax(device T* out [[buffer(0)]]) {}

#define REGISTER(T) \\
//      ^^^^^^^^ declared
  template [[host_name("fmax_" #T)]] kernel void fmax<T>(device T* out)

REG$0ISTER(float);
//<^^^^^^^^ reference
""")


def test_an_operator():
    check_references("""
//- aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  structured_delegate: ripple.$0out
#                      ^^^^^^^^^^ reference

- func: ripple_(Tensor(a!) self) -> Tensor(a!)
  structured_delegate: ripple.out
#                      ^^^^^^^^^^ reference

- func: ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
#       ^^^^^^^^^^ declared
  structured: True

//- aten/src/ATen/native/mps/operations/Ripple.mm
TORCH_LIBRARY_IMPL(aten, MPS, m) {
  m.impl("ripple.out", TORCH_FN(ripple));
//        ^^^^^^^^^^ reference
}
""")


def test_an_include():
    check_references("""
//- kernels/Fmax.metal
#include "Sha$0red.h"
//        ^^^^^^^^ reference

//- kernels/Fmin.metal
#include "Shared.h"
//        ^^^^^^^^ reference

//- kernels/Shared.h
#include <metal_stdlib>
using namespace metal;
""")
