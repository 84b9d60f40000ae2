"""Outlines of documents in each language."""

from tests.features.ripple import with_first
from tests.support.features import outline


def test_rows_by_operator_with_what_runs_on_mps():
    assert (
        outline(with_first("native_functions.yaml"))
        == """\
operator ripple
  overload ripple [ripple_out]
  overload ripple.out [ripple_out]
  overload ripple.Scalar [CompositeImplicitAutograd]
  overload ripple_.Scalar [not on MPS]
overload wave [wave_mps]
"""
    )


def test_kernels_by_what_registers_them():
    assert (
        outline(with_first("Ripple.metal"))
        == """\
struct ripple_functor
function unary [kernel template]
macro REGISTER
family REGISTER(ripple, float) [2 kernels]
  kernel ripple_float
  kernel ripple_again_float
family REGISTER(ripple, half) [2 kernels]
  kernel ripple_half
  kernel ripple_again_half
"""
    )


def test_host_functions_and_registrations():
    assert (
        outline(with_first("Ripple.mm"))
        == """\
function ripple_mps_kernel
registration ripple_stub [registers ripple_mps_kernel]
function wave_mps
"""
    )


def test_stubs():
    assert outline(with_first("Ripple.h")) == "stub ripple_stub [declares a stub]\n"
    assert (
        outline(with_first("Ripple.cpp"))
        == """\
stub ripple_stub [defines a stub]
function ripple_out [structured kernel]
"""
    )


def test_a_metal_source_in_a_string():
    assert (
        outline("""
//- operations/Fmax.mm
static auto lib = MetalShaderLibrary(R"METAL(
kernel void fmax_float(device float* out [[buffer(0)]]) {}
)METAL");
""")
        == """\
library Metal source
  kernel fmax_float
"""
    )


def test_a_half_typed_entry_does_not_hide_the_others():
    assert (
        outline("""
//- aten/src/ATen/native/native_functions.yaml
- func: wave(Tensor self
  dispatch:
    MPS

- func: ripple(Tensor self) -> Tensor
""")
        == """\
overload wave [not on MPS]
overload ripple [CompositeImplicitAutograd]
"""
    )


def test_a_run_of_one_macro_is_a_family_of_its_own():
    assert (
        outline("""
//- kernels/Ebb.metal
#define R(T) kernel void ebb_##T(device T* out) {}
R(float);
R(half); // a comment
#if __METAL_VERSION__ >= 310
R(bfloat);
#endif
kernel void other(device float* out) {}
R(int);
struct Between {};
R(long);
""")
        == """\
macro R
family R [3 kernels]
  kernel ebb_float [R]
  kernel ebb_half [R]
  kernel ebb_bfloat [R]
kernel other
kernel ebb_int [R]
struct Between
kernel ebb_long [R]
"""
    )


def test_specializations_are_told_apart():
    assert (
        outline("""
//- kernels/Ebb.metal
template <typename T> struct Vec {};
template <> struct Vec<float> {};
template <> struct Vec<half> {};
""")
        == """\
struct Vec
struct Vec<float>
struct Vec<half>
"""
    )


def test_meta_functions_have_their_operator_s_name_and_macros_define_nothing():
    assert (
        outline("""
//- aten/src/ATen/native/Ebb.cpp
#define CREATE(func_out) \\
TORCH_IMPL_FUNC(func_out)(const Tensor& self) { \\
  f_stub(device_type(), *this); \\
}
TORCH_META_FUNC(ebb)(const Tensor& self) {
  f_stub(device_type(), *this);
}
DEFINE_DISPATCH(f_stub);
CREATE(ebb_out)
""")
        == """\
function ebb [meta function]
stub f_stub [defines a stub]
function ebb_out [made by CREATE]
"""
    )
