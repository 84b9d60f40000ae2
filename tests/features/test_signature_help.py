"""What a call takes, while its arguments are typed."""

import pytest

from mkls.features.signature_help import signatures
from mkls.syntax.call_at import call_at
from tests.features.ripple import with_cursor
from tests.support.fixture import parse


def shown(source):
    """Return the labels, with the parameter being typed between angle brackets."""
    fixture = parse(source)
    uri, offset = fixture.place
    result = []
    for it in signatures(fixture.snapshot, fixture.snapshot.sources[uri], offset):
        parameters = [f"‹{p}›" if at == it.active else p for at, p in enumerate(it.parameters)]
        result.append(f"{it.name}({', '.join(parameters)})")
    return result


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f($0", ("f", 0)),
        ("f(a, $0", ("f", 1)),
        ("f(a, g(b), $0", ("f", 2)),
        ("f(a, g(b, $0", ("g", 1)),
        ("f(a, [b, c], {d, e}, $0", ("f", 3)),
        ('f("a, b", /* , */ $0', ("f", 1)),
        ("f<1>(a, $0", ("f", 1)),
        ("f(a); $0", None),
        ("f(a, b; $0", None),
        ("f(a, ^() { $0", None),
        ("void f(int a, $0", None),
        ("return f(a, $0", ("f", 1)),
        ("$0", None),
        (") ] } f($0", ("f", 0)),
    ],
)
def test_the_call_around_a_place(text, expected):
    found = call_at(text.replace("$0", ""), text.index("$0"))

    assert (found and (found.name, found.arguments)) == expected


def test_a_registration_macro_shows_its_parameters_and_the_names_it_makes():
    source = with_cursor("REGISTER(ripple, ", "half)")
    fixture = parse(source)
    (found,) = signatures(
        fixture.snapshot, fixture.snapshot.sources[fixture.place[0]], fixture.place[1]
    )

    assert shown(source) == ["REGISTER(NAME, ‹T›)"]
    assert "- `{NAME}_{T}`" in found.documentation


def test_functions_of_the_library_have_all_their_signatures():
    assert shown("//- kernels/E.metal\nvoid f() { x = fma(1, $0); }") == ["T fma(T a, ‹T b›, T c)"]
    assert shown("//- kernels/E.metal\nvoid f() { threadgroup_barrier(a, $0) }")[0] == (
        "void threadgroup_barrier(mem_flags flags, ‹thread_scope scope›)"
    )


ARGUMENTS = """
//- kernels/Drift.metal
kernel void drift(device float* out [[buffer(0)]], constant float* in [[buffer(1)]],
                  constant uint& n [[buffer(2)]], uint tid [[thread_position_in_grid]]) {}

//- operations/Drift.mm
void drift(const Tensor& self) {
  auto pso = lib.getPipelineStateForFunc("drift");
  mtl_setArgs(encoder, out, $0);
}
"""


def test_mtl_set_args_shows_what_the_kernel_takes():
    assert shown(ARGUMENTS)[0] == (
        "mtl_setArgs(encoder, 0: device float *out, ‹1: constant float *in›, 2: constant uint &n)"
    )
    later = ARGUMENTS.replace("mtl_setArgs(encoder, out, ", "mtl_setArgs<1>(encoder, ")
    assert (
        shown(later)[0] == "mtl_setArgs<1>(encoder, ‹1: constant float *in›, 2: constant uint &n)"
    )


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("REGISTER_DISPATCH(a_stub, ", "REGISTER_DISPATCH(name, ‹fn›)"),
        ("mtl_dispatch1DJob(e, p, ", "NSUInteger length›)"),
        ("lib.exec_ternary_kernel(iter, ", "‹const std::string &name›)"),
    ],
)
def test_the_host_s_api(call, expected):
    (found,) = shown(f"//- operations/E.mm\nvoid f() {{ {call}$0\n}}\n")

    assert found.endswith(expected)


def test_signatures_are_those_of_the_checkout_and_the_fitting_one_comes_first():
    function = "MTLComputePipelineState_t getPipelineStateForFunc"

    assert shown("""
//- aten/src/ATen/native/mps/MetalShaderLibrary.h
class MetalShaderLibrary {
  // Looks a kernel up.
  inline MTLComputePipelineState_t getPipelineStateForFunc(const std::string& fname) {
    return get(fname).first;
  }
  MTLComputePipelineState_t getPipelineStateForFunc(const std::string& fname, Params params);
};
//- operations/E.mm
void f() { lib.getPipelineStateForFunc("a", $0); }
""") == [
        f"{function}(const std::string& fname, ‹Params params›)",
        f"{function}(const std::string& fname)",
    ]


def test_functions_of_the_document_itself():
    source = "//- operations/E.mm\nstatic void g(int a, float b) {}\nvoid f() { g(1, $0); }\n"

    assert shown(source) == ["g(int a, ‹float b›)"]
