"""Towards the GPU, towards the operator, and to types."""

from tests.features.ripple import with_cursor
from tests.support.features import (
    check_declaration,
    check_definition,
    check_implementation,
    check_type_definition,
)

HOST = """
//- aten/src/ATen/native/native_functions.yaml
- func: ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA, MPS: ripple_out

//- aten/src/ATen/native/Ripple.cpp
DEFINE_DISPATCH(ripple_stub);
TORCH_IMPL_FUNC(ripple_out)(const Tensor& self, const Tensor& out) {
  ripple_stub(device_type(), *this);
}

//- aten/src/ATen/native/mps/operations/Ripple.mm
static void ripple_mps_kernel(TensorIteratorBase& iter) {
  auto pso = lib.getPipelineStateForFunc("ripple_float");
}
REGISTER_DISPATCH(ripple_stub, &ripple_mps_kernel)

//- aten/src/ATen/native/mps/kernels/Ripple.metal
kernel void ripple_float(device float* out [[buffer(0)]]) {}
"""


def marked(cursor: str, line: str, carets: str) -> str:
    """Return the workspace with the cursor at `cursor`, `carets` below `line`."""
    plain = cursor.replace("$0", "")
    assert HOST.count(plain) == 1
    assert HOST.count(line) == 1
    below = HOST.replace(line, f"{line}\n{carets}")
    return below.replace(plain, cursor)


def test_a_row_is_implemented_by_its_function():
    check_implementation(
        marked(
            "func: rip$0ple.out",
            "TORCH_IMPL_FUNC(ripple_out)(const Tensor& self, const Tensor& out) {",
            "//              ^^^^^^^^^^ implementation",
        )
    )


def test_a_function_is_implemented_by_what_is_registered_for_its_stub():
    check_implementation(
        marked(
            "IMPL_FUNC(rip$0ple_out)",
            "static void ripple_mps_kernel(TensorIteratorBase& iter) {",
            "//          ^^^^^^^^^^^^^^^^^ implementation",
        )
    )


def test_a_stub_is_implemented_by_what_is_registered_for_it():
    check_implementation(
        marked(
            "  ripple$0_stub(device",
            "static void ripple_mps_kernel(TensorIteratorBase& iter) {",
            "//          ^^^^^^^^^^^^^^^^^ implementation",
        )
    )


def test_a_registered_function_is_implemented_by_the_kernels_that_it_asks_for():
    check_implementation(
        marked(
            "void ripple$0_mps_kernel(T",
            "kernel void ripple_float(device float* out [[buffer(0)]]) {}",
            "//          ^^^^^^^^^^^^ implementation",
        )
    )


def test_a_kernel_is_declared_by_the_lookups_that_ask_for_it():
    check_declaration(
        marked(
            "kernel void ripple$0_float",
            '  auto pso = lib.getPipelineStateForFunc("ripple_float");',
            "//                                        ^^^^^^^^^^^^ declaration",
        )
    )


def test_a_kernel_that_is_written_out_leads_back_to_its_lookups():
    check_definition(
        marked(
            "kernel void ripple$0_float",
            '  auto pso = lib.getPipelineStateForFunc("ripple_float");',
            "//                                        ^^^^^^^^^^^^ definition",
        )
    )


def test_a_function_is_declared_by_the_rows_that_name_it():
    check_declaration(
        marked(
            "IMPL_FUNC(rip$0ple_out)",
            "- func: ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
            "#       ^^^^^^^^^^ declaration",
        )
    )


def test_the_type_of_a_registration_is_its_functor():
    source = with_cursor("REGISTER(rip", "ple, float)")
    struct = "struct ripple_functor {"

    check_type_definition(source.replace(struct, f"{struct}\n//     ^^^^^^^^^^^^^^ type"))


def test_the_type_of_a_stub_is_its_function_type():
    check_type_definition("""
//- aten/src/ATen/native/BinaryOps.h
using structured_binary_fn = void (*)(TensorIteratorBase&);
//    ^^^^^^^^^^^^^^^^^^^^ type
DECLARE_DISPATCH(structured_binary_fn, fmax$0_stub)
""")


def test_the_type_of_a_lookup_is_its_library():
    check_type_definition("""
//- operations/Fmax.mm
static auto& lib = MetalShaderLibrary::getBundledLibrary();
//           ^^^ type
void fmax(const Tensor& out) {
  auto pso = lib.getPipelineStateForFunc("fm$0ax_float");
}
""")


def test_what_torchgen_makes_leads_to_the_row_that_asks_for_it():
    check_definition("""
//- aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
#       ^^^^^^ definition
  dispatch:
    CompositeExplicitAutograd: ripple
  autogen: ripple.$0out
""")


def test_a_text_in_a_macro_that_begins_names_leads_to_the_template():
    check_definition("""
//- kernels/Fmax.metal
template <typename T>
kernel void fmax(device T* out [[buffer(0)]]) {}
//          ^^^^ definition

#define REGISTER(T) \\
  template [[host_name("fm$0ax_" #T)]] kernel void fmax<T>(device T* out)

REGISTER(float);
""")
