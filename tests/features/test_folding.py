"""What can be folded, and what a growing selection takes in."""

from itertools import pairwise

from mkls.features.folding import folds
from mkls.features.selection import selection_at
from tests.features.ripple import with_cursor, with_first
from tests.support.fixture import parse


def folded(source):
    """Return what can be folded in the first file: its first line, the last, and the kind."""
    fixture = parse(source)
    found = fixture.snapshot.sources[next(iter(fixture.marked))]
    lines = found.document.lines
    result = []
    for it in folds(fixture.snapshot, found):
        first, last = lines.line(it.start), lines.line(it.end)
        text = found.document.text[lines.starts[first] : lines.ends[first]].strip()
        result.append((text[:24], last - first + 1, it.kind.value))
    return result


def test_rows_and_their_keys():
    assert folded(with_first("native_functions.yaml")) == [
        ("- func: ripple(Tensor se", 2, ""),
        ("- func: ripple.out(Tenso", 5, ""),
        ("dispatch:", 2, ""),
        ("- func: ripple_.Scalar(T", 3, ""),
        ("dispatch:", 2, ""),
        ("- func: wave(Tensor self", 3, ""),
        ("dispatch:", 2, ""),
    ]


def test_bodies_macros_and_parameter_lists():
    assert folded(with_first("Ripple.metal")) == [
        ("struct ripple_functor {", 2, ""),
        ("#define REGISTER(NAME, T", 7, ""),
    ]


def test_includes_comments_conditions_and_runs_of_macros():
    assert folded("""
//- kernels/Eddy.metal
#include <a>
#include <b>
#include <c>
// one
// two
/* three
   four */
#if __METAL_VERSION__ >= 310
REGISTER(a, float);
REGISTER(a, half);
REGISTER(a, bfloat);
#else
REGISTER(a, float);
REGISTER(a, half);
#endif
""") == [
        ("#include <a>", 3, "imports"),
        ("// one", 2, "comment"),
        ("/* three", 2, "comment"),
        ("#if __METAL_VERSION__ >=", 4, "region"),
        ("REGISTER(a, float);", 3, "region"),
        ("#else", 3, "region"),
    ]


def test_msl_in_a_string_and_what_is_in_it():
    assert folded("""
//- operations/Eddy.mm
static MetalShaderLibrary lib(R"MTL(
kernel void eddy(device float* out [[buffer(0)]]) {
  out[0] = 1;
}
)MTL");
""") == [
        ("static MetalShaderLibrar", 4, ""),
        ("static MetalShaderLibrar", 5, ""),
        ("kernel void eddy(device ", 2, ""),
    ]


def test_broken_brackets_fold_what_is_closed():
    assert folded("//- kernels/Eddy.metal\nvoid f() {\n  a;\n}\nvoid g( {\n  b;\n}\n}\n") == [
        ("void f() {", 2, ""),
        ("void g( {", 2, ""),
    ]


def selected(source):
    fixture = parse(source)
    uri, offset = fixture.place
    source = fixture.snapshot.sources[uri]
    spans = selection_at(source, offset)
    assert all(outer.covers(inner) for inner, outer in pairwise(spans))
    assert spans[-1].of(source.document.text) == source.document.text
    return [it.of(source.document.text) for it in spans[:-1]]


def test_a_selection_in_a_schema_grows_by_its_parts():
    found = selected(with_cursor("Scalar(Tensor(a!) se", "lf, Scalar by) -> Tensor(a!)"))

    assert found == [
        "self",
        "Tensor(a!) self",
        "Tensor(a!) self, Scalar by",
        "ripple_.Scalar(Tensor(a!) self, Scalar by) -> Tensor(a!)",
        "- func: ripple_.Scalar(Tensor(a!) self, Scalar by) -> Tensor(a!)",
        (
            "- func: ripple_.Scalar(Tensor(a!) self, Scalar by) -> Tensor(a!)\n"
            "  dispatch:\n    CPU, CUDA: ripple_"
        ),
    ]


def test_a_selection_in_dispatch_grows_to_the_line_and_the_key():
    found = selected(with_cursor("CPU, CUDA, M", "PS: ripple_out"))

    assert found[:4] == [
        "MPS",
        "CPU, CUDA, MPS",
        "CPU, CUDA, MPS: ripple_out",
        "    CPU, CUDA, MPS: ripple_out\n",
    ]


def test_a_selection_in_code_grows_by_brackets_and_functions():
    found = selected("//- kernels/Eddy.metal\nint a;\nvoid f(int b) {\n  g(b, h(c$0c));\n}\n")

    assert found == [
        "cc",
        "(cc)",
        "b, h(cc)",
        "(b, h(cc))",
        "g(b, h(cc));",
        "\n  g(b, h(cc));\n",
        "{\n  g(b, h(cc));\n}",
        "void f(int b) {\n  g(b, h(cc));\n}",
    ]
