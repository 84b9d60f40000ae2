"""Rename in all languages at once, or say why not."""

import pytest

from mkls.features.rename import Renaming, rename
from tests.support.features import check_refused, check_rename, renamed, texts
from tests.support.fixture import of_files, parse

FAMILY = """
//- kernels/Fmax.metal
struct fmax_functor {
//     ^^^^ renamed
  template <typename T> inline T operator()(T a, T b) { return metal::fmax(a, b); }
};

template <typename T, typename F>
kernel void binary(device T* out [[buffer(0)]]) {}

#define REGISTER(NAME, T) \\
  template [[host_name(#NAME "_" #T)]] kernel void binary<T, NAME##_functor>(device T* out)

REGISTER(fmax, float);
//       ^^^^ renamed
REGISTER(fmax, half);
//       ^^^^ renamed
REGISTER(fmin, half);

struct fmin_functor {
  template <typename T> inline T operator()(T a, T b) { return b; }
};

//- operations/Fmax.mm
void fmax(const Tensor& out) {
  auto pso = lib.getPipelineStateForFunc("fmax_" + scalarToMetalTypeString(out));
//                                        ^^^^ renamed
  auto one = lib.getPipelineStateForFunc(fmt::format("fmax_{}", scalarToMetalTypeString(out)));
//                                                    ^^^^ renamed
  log("fmax");
}
"""
CURSORS = ('Func("fm', "ax_", "REGISTER(fm", "ax, half)", "struct fm", "ax_functor")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("before", "after"), [CURSORS[0:2], CURSORS[2:4], CURSORS[4:6]], ids=lambda it: it
)
def test_a_family_of_kernels(before, after, newline):
    assert FAMILY.count(before + after) >= 1
    source = FAMILY.replace(before + after, f"{before}$0{after}", 1)
    if newline == "\n":
        check_rename(source, "biggest")
    else:
        check_rename_with_carriage_returns(source)


def check_rename_with_carriage_returns(source: str) -> None:
    """Rename in a workspace whose lines end in CRLF."""
    plain = parse(source)
    files = {uri.removeprefix("file:///"): text for uri, text in texts(plain.snapshot).items()}
    uri, offset = plain.place
    name = uri.removeprefix("file:///")
    files[name] = files[name][:offset] + "$0" + files[name][offset:]
    fixture = of_files({path: text.replace("\n", "\r\n") for path, text in files.items()})
    found = rename(fixture.snapshot, *fixture.place, "biggest")
    assert isinstance(found, Renaming)
    expected = rename(plain.snapshot, *plain.place, "biggest")
    assert isinstance(expected, Renaming)
    after = texts(renamed(plain.snapshot, expected))
    assert texts(renamed(fixture.snapshot, found)) == {
        it: text.replace("\n", "\r\n") for it, text in after.items()
    }


def test_a_kernel_that_is_written_out():
    check_rename(
        """
//- kernels/Fmax.metal
kernel void fm$0ax_float(device float* out [[buffer(0)]]) {}
//          ^^^^^^^^^^ renamed

//- operations/Fmax.mm
void fmax(const Tensor& out) {
  auto pso = lib.getPipelineStateForFunc("fmax_float");
//                                        ^^^^^^^^^^ renamed
}
""",
        "biggest",
    )


def test_a_kernel_in_a_string_of_host_code():
    check_rename(
        """
//- operations/Fmax.mm
static auto lib = MetalShaderLibrary(R"METAL(
kernel void fm$0ax_float(device float* out [[buffer(0)]]) {}
//          ^^^^^^^^^^ renamed
)METAL");

void fmax(const Tensor& out) {
  auto pso = lib.getPipelineStateForFunc("fmax_float");
//                                        ^^^^^^^^^^ renamed
}
""",
        "biggest",
    )


def test_a_name_that_a_macros_body_begins():
    check_rename(
        """
//- kernels/Fmax.metal
template <typename T>
kernel void fmax(device T* out [[buffer(0)]]) { out[0] = fmax(out[0], out[1]); }

#define REGISTER(T) \\
  template [[host_name("fm$0ax_" #T)]] kernel void fmax<T>(device T* out)
//                      ^^^^ renamed

REGISTER(float);
REGISTER(half);

//- operations/Fmax.mm
void fmax(const Tensor& out) {
  auto pso = lib.getPipelineStateForFunc("fmax_" + scalarToMetalTypeString(out));
//                                        ^^^^ renamed
}
""",
        "biggest",
    )


def test_a_template_is_called_like_a_function_of_the_library():
    check_rename(
        """
//- kernels/Fmax.metal
template <typename T>
kernel void fm$0ax(device T* out [[buffer(0)]]) { out[0] = fmax(out[0], metal::fmax(out[1], 0)); }
//          ^^^^ renamed

template [[host_name("biggest_float")]] kernel void fmax<float>(device float* out);
//                                                  ^^^^ renamed
""",
        "fmax_all",
    )


def test_a_kernel_that_only_untold_lookups_can_ask_for_is_confirmed():
    check_rename(
        """
//- kernels/Fmax.metal
kernel void fm$0ax(device float* out [[buffer(0)]]) {}
//          ^^^^ renamed

//- operations/Fmax.mm
void fmax(const Tensor& out, const Info& info) {
  auto pso = lib.getPipelineStateForFunc(info.name());
}
""",
        "biggest",
        doubt="`Fmax.mm` also looks kernels up as",
    )


HOST = """
//- aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    MPS: ripple_mps
#        ^^^^^^^^^^ renamed

//- aten/src/ATen/native/mps/operations/Ripple.mm
Tensor ripple_mps(const Tensor& self) {
//     ^^^^^^^^^^ renamed
  return self;
}
Tensor wave_mps(const Tensor& self) {
  return ripple_mps(self);  // as ripple_mps does
//       ^^^^^^^^^^ renamed
}
"""


@pytest.mark.parametrize("before", ["MPS: ripple", "Tensor ripple", "return ripple"])
def test_a_host_function(before):
    check_rename(HOST.replace(before, f"{before}$0", 1), "wavelet_mps")


def test_a_stub_is_confirmed_since_other_backends_name_it():
    check_rename(
        """
//- aten/src/ATen/native/BinaryOps.h
DECLARE_DISPATCH(structured_binary_fn, fmax_stub)
//                                     ^^^^^^^^^ renamed

//- aten/src/ATen/native/mps/operations/Fmax.mm
static void fmax_mps_kernel(TensorIteratorBase& iter) {}
REGISTER_DISPATCH(fmax_$0stub, &fmax_mps_kernel)
//                ^^^^^^^^^ renamed
""",
        "biggest_stub",
        doubt="sources of other backends, which mkls does not read",
    )


def test_an_overload_is_confirmed_since_it_is_public():
    check_rename(
        """
//- aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  structured_delegate: ripple.out
#                             ^^^ renamed

- func: ripple.ou$0t(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
#              ^^^ renamed
  structured: True
  dispatch:
    CPU: ripple_out
""",
        "into",
        doubt="`ripple.out` is a public name of PyTorch",
    )


def refused(source: str, before: str, new: str, reason: str) -> None:
    assert before in source
    check_refused(source.replace(before, f"{before}$0", 1), new, reason)


def test_what_is_no_name_is_refused():
    refused(FAMILY, 'Func("fm', "2big", "`2big` is no identifier")


def test_a_name_that_is_taken_is_refused():
    refused(FAMILY, 'Func("fm', "fmin", "`fmin` already names something else")


def test_a_function_that_is_defined_already_is_refused():
    refused(HOST, "MPS: ripple", "wave_mps", "`wave_mps` already names something else")


def test_a_base_name_is_refused():
    reason = "`ripple` has no overload name, and its base name is public: `torch.ripple`"
    refused(HOST, "func: rip", "wavelet", reason)


def test_a_name_that_a_macro_makes_is_refused():
    reason = "macro `CREATE` makes the name `ripple_mps` from `ripple`"
    check_refused(
        """
//- aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  dispatch:
    MPS: ripple$0_mps

//- aten/src/ATen/native/mps/operations/Ripple.mm
#define CREATE(NAME) \\
  Tensor NAME##_mps(const Tensor& self) { return self; }
CREATE(ripple)
""",
        "wavelet_mps",
        reason,
    )


def test_a_lookup_that_cannot_be_split_is_refused():
    check_refused(
        """
//- kernels/Fmax.metal
kernel void fm$0ax_float(device float* out [[buffer(0)]]) {}

//- operations/Fmax.mm
void ask(const std::string& name, const Tensor& out) {
  auto pso = lib.getPipelineStateForFunc(name + "x_float");
}
void fmax(const Tensor& out) { ask("fma", out); }
void fmin(const Tensor& out) { ask("fmi", out); }
""",
        "biggest",
        "a look-up makes this name of `fma`, which is not a part of its own",
    )


def test_a_function_of_another_backend_too_is_refused():
    source = HOST.replace("MPS: ripple_mps", "CUDA, MPS: ripple_mps")
    reason = "`ripple_mps` is also the function of CUDA, whose sources mkls does not read"
    refused(source, "MPS: ripple", "wavelet_mps", reason)


def test_a_function_that_a_variable_is_called_like_is_refused():
    reason = "`ripple_mps` also seems to be a variable in `Ripple.mm`"
    source = HOST + "void foam() { int ripple_mps = 1; }\n"
    refused(source, "MPS: ripple", "wavelet_mps", reason)


def test_nothing_is_refused():
    reason = "there is nothing here that can be renamed"
    check_refused("//- kernels/Fmax.metal\n$0\nkernel void f() {}\n", "g", reason)
