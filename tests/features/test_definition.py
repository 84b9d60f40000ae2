"""From anywhere to where it comes from, or to what implements it."""

from tests.support.features import check_definition

YAML = "aten/src/ATen/native/native_functions.yaml"


def test_from_a_dispatch_name_to_the_host_function():
    check_definition("""
//- aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: ripple
    MPS: ripple_$0mps

//- aten/src/ATen/native/mps/operations/Ripple.mm
Tensor ripple_mps(const Tensor& self) {
//     ^^^^^^^^^^ definition
  return self;
}
""")


def test_from_a_structured_row_to_its_implementation():
    check_definition("""
//- aten/src/ATen/native/native_functions.yaml
- func: ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    MPS: $0ripple_out_mps

//- aten/src/ATen/native/mps/operations/Ripple.mm
TORCH_IMPL_FUNC(ripple_out_mps)(const Tensor& self, const Tensor& out) {
//              ^^^^^^^^^^^^^^ definition
}
""")


def test_from_a_rows_name_to_what_runs_on_mps():
    check_definition("""
//- aten/src/ATen/native/native_functions.yaml
- func: rip$0ple(Tensor self) -> Tensor
  structured_delegate: ripple.out

- func: ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
#       ^^^^^^^^^^ definition
  structured: True
  dispatch:
    MPS: ripple_out_mps

//- aten/src/ATen/native/mps/operations/Ripple.mm
TORCH_IMPL_FUNC(ripple_out_mps)(const Tensor& self, const Tensor& out) {
//              ^^^^^^^^^^^^^^ definition
}
""")


def test_from_a_delegate_to_its_row():
    check_definition("""
//- aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  structured_delegate: ripple.$0out

- func: ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
#       ^^^^^^^^^^ definition
  structured: True
""")


def test_from_a_host_function_to_its_rows():
    check_definition("""
//- aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
#       ^^^^^^ definition
  dispatch:
    MPS: ripple_mps

- func: wave(Tensor self) -> Tensor
#       ^^^^ definition
  dispatch:
    MPS: ripple_mps

//- aten/src/ATen/native/mps/operations/Ripple.mm
Tensor ripple$0_mps(const Tensor& self) {
  return self;
}
""")


def test_from_a_stubs_registration_to_its_declaration_and_definition():
    check_definition("""
//- aten/src/ATen/native/mps/operations/Fmax.mm
static void fmax_mps_kernel(TensorIteratorBase& iter) {}
REGISTER_DISPATCH(fmax$0_stub, &fmax_mps_kernel)

//- aten/src/ATen/native/BinaryOps.h
DECLARE_DISPATCH(structured_binary_fn, fmax_stub)
//                                     ^^^^^^^^^ definition

//- aten/src/ATen/native/BinaryOps.cpp
DEFINE_DISPATCH(fmax_stub);
//              ^^^^^^^^^ definition
""")


def test_from_a_stubs_declaration_to_its_registration():
    check_definition("""
//- aten/src/ATen/native/mps/operations/Fmax.mm
static void fmax_mps_kernel(TensorIteratorBase& iter) {}
REGISTER_DISPATCH(fmax_stub, &fmax_mps_kernel)
//                ^^^^^^^^^ definition

//- aten/src/ATen/native/BinaryOps.h
DECLARE_DISPATCH(structured_binary_fn, $0fmax_stub)
""")


def test_from_a_registered_function_to_its_definition_and_back():
    check_definition("""
//- aten/src/ATen/native/mps/operations/Fmax.mm
static void fmax_mps_kernel(TensorIteratorBase& iter) {}
//          ^^^^^^^^^^^^^^^ definition
REGISTER_DISPATCH(fmax_stub, &fmax_mps$0_kernel)
""")
    check_definition("""
//- aten/src/ATen/native/mps/operations/Fmax.mm
static void fmax_mps$0_kernel(TensorIteratorBase& iter) {}
REGISTER_DISPATCH(fmax_stub, &fmax_mps_kernel)
//                ^^^^^^^^^ definition
""")


def test_from_a_lookup_to_the_kernels_that_it_may_mean():
    check_definition("""
//- kernels/Fmax.metal
kernel void fmax_float(device float* out [[buffer(0)]]) {}
//          ^^^^^^^^^^ definition
kernel void fmax_half(device half* out [[buffer(0)]]) {}
//          ^^^^^^^^^ definition
kernel void fmin_half(device half* out [[buffer(0)]]) {}

//- operations/Fmax.mm
void fmax(const Tensor& out) {
  auto pso = lib.getPipelineStateForFunc("fm$0ax_" + scalarToMetalTypeString(out));
}
""")


def test_from_a_host_name_to_the_template():
    check_definition("""
//- kernels/Fmax.metal
template <typename T>
kernel void fmax(device T* out [[buffer(0)]]) {}
//          ^^^^ definition

template [[host_name("fma$0x_float")]] kernel void fmax<float>(device float* out [[buffer(0)]]);
""")


MACRO = """
//- kernels/Fmax.metal
struct fmax_functor {
//     ^^^^^^^^^^^^ definition
  template <typename T> inline T operator()(T a, T b) { return a; }
};

template <typename T, typename F>
kernel void binary(device T* out [[buffer(0)]]) {}
//          ^^^^^^ definition

#define REGISTER(NAME, T) \\
  template [[host_name(#NAME "_" #T)]] kernel void binary<T, NAME##_functor>(device T* out)

REGISTER(fmax, float);
"""


def test_from_a_registration_to_functor_and_template():
    check_definition(MACRO.replace("(fmax, float)", "(fm$0ax, float)"))


def test_from_a_registration_macros_name_to_its_definition_as_well():
    head = "#define REGISTER(NAME, T) \\\n"
    marked = MACRO.replace(head, f"{head}//      ^^^^^^^^ definition\n")

    check_definition(marked.replace("REGISTER(fmax", "REG$0ISTER(fmax"))


def test_from_a_kernel_template_to_what_is_registered_from_it():
    check_definition("""
//- kernels/Fmax.metal
template <typename T>
kernel void fm$0ax(device T* out [[buffer(0)]]) {}

template [[host_name("fmax_float")]] kernel void fmax<float>(device float* out [[buffer(0)]]);
//                    ^^^^^^^^^^ definition
template [[host_name("fmax_half")]] kernel void fmax<half>(device half* out [[buffer(0)]]);
//                    ^^^^^^^^^ definition
""")


def test_from_an_include_to_the_file():
    check_definition("""
//- kernels/Fmax.metal
#include "Sha$0red.h"

//- kernels/Shared.h
#include <metal_stdlib>
//<^ definition
using namespace metal;
""")


def test_within_a_metal_source_in_a_string():
    check_definition("""
//- operations/Fmax.mm
static auto lib = MetalShaderLibrary(R"METAL(
template <typename T>
kernel void fmax(device T* out [[buffer(0)]]) {}
//          ^^^^ definition

template [[host_name("fmax$0_float")]] kernel void fmax<float>(device float* out [[buffer(0)]]);
)METAL");
""")


def test_from_a_lookup_into_a_metal_source_in_a_string():
    check_definition("""
//- operations/Fmax.mm
static auto lib = MetalShaderLibrary(R"METAL(
kernel void fmax_float(device float* out [[buffer(0)]]) {}
//          ^^^^^^^^^^ definition
)METAL");

void fmax(const Tensor& out) {
  auto pso = lib.getPipelineStateForFunc("fmax_float$0");
}
""")


def test_nothing_has_no_definition():
    check_definition("""
//- kernels/Fmax.metal
$0
kernel void fmax(device float* out [[buffer(0)]]) {}
""")
