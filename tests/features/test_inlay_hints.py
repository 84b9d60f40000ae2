"""What is shown within the text."""

from mkls.features.inlay_hints import HintKind, hint_tooltip, inlay_hints
from mkls.text.span import Span
from tests.features.ripple import with_first
from tests.support.fixture import parse

PLAIN = """
//- kernels/Twice.metal
kernel void twice(device float* out, constant uint& n [[buffer(4)]],
                  constant float* in,
                  threadgroup float* shared, uint tid [[thread_position_in_grid]]) {}
"""


def hinted(source, hidden=frozenset(), within=None):
    """Return the lines of the first file that have hints, with these in place."""
    fixture = parse(source)
    uri = next(iter(fixture.marked))
    found = fixture.snapshot.sources[uri]
    text = found.document.text
    hints = inlay_hints(fixture.snapshot, found, within or Span(0, len(text)), hidden)
    lines = {}
    for hint in reversed(hints):
        text = f"{text[: hint.offset]} {{{hint.label}}}{text[hint.offset :]}"
    for line in text.split("\n"):
        if "{[" in line or "{→" in line or "{M" in line or "{‹" in line:
            lines[line.strip()] = None
    return list(lines)


def test_numbers_that_the_compiler_gives():
    assert hinted(PLAIN) == [
        "kernel void twice(device float* out {[[buffer(0)]]}, constant uint& n [[buffer(4)]],",
        "constant float* in {[[buffer(1)]]},",
        "threadgroup float* shared {[[threadgroup(0)]]}, uint tid [[thread_position_in_grid]]) {}",
    ]


def test_names_that_macros_make_and_dtypes_of_functors_and_templates():
    parameters = "device T* out [[buffer(0)]], constant T* in [[buffer(1)]],"

    assert hinted(with_first("Ripple.metal")) == [
        "struct ripple_functor {‹float half›} {",
        f"kernel void unary {{‹float half›}}({parameters}",
        "REGISTER(ripple, float) {→ 2 host names};",
        "REGISTER(ripple, half) {→ 2 host names}; // mkls: ignore[duplicate-host-name]",
    ]


def test_what_a_row_runs():
    out = "ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"

    assert hinted(with_first("native_functions.yaml")) == [
        "- func: ripple(Tensor self) -> Tensor {MPS: Metal (float half)}",
        f"- func: {out} {{MPS: Metal (float half)}}",
        "- func: ripple.Scalar(Tensor self, Scalar by) -> Tensor {MPS: CompositeImplicitAutograd}",
        "- func: ripple_.Scalar(Tensor(a!) self, Scalar by) -> Tensor(a!) {MPS: missing}",
        "- func: wave(Tensor self) -> Tensor {MPS: host code}",
    ]


def test_only_what_is_asked_for_is_made():
    yaml = with_first("native_functions.yaml")

    assert hinted(yaml, within=Span(0, 30)) == []
    assert hinted(yaml, within=Span(30, 60)) == [
        "- func: ripple(Tensor self) -> Tensor {MPS: Metal (float half)}"
    ]


def test_each_kind_can_be_hidden():
    assert hinted(PLAIN, frozenset((HintKind.BUFFER_INDICES,))) == []
    assert hinted(with_first("native_functions.yaml"), frozenset((HintKind.RESOLUTION,))) == []
    hidden = frozenset((HintKind.HOST_NAMES, HintKind.DTYPES))
    assert hinted(with_first("Ripple.metal"), hidden) == []


def test_msl_in_a_string_has_hints():
    assert hinted("""
//- operations/Ebb.mm
static MetalShaderLibrary lib(R"MTL(
kernel void ebb(device float* out) {}
)MTL");
""") == ["kernel void ebb(device float* out {[[buffer(0)]]}) {}"]


def test_a_tooltip_names_what_a_macro_makes():
    fixture = parse(with_first("Ripple.metal"))
    uri = next(iter(fixture.marked))
    source = fixture.snapshot.sources[uri]
    whole = Span(0, len(source.document.text))
    by_kind = {it.kind: it for it in inlay_hints(fixture.snapshot, source, whole)}

    hint = by_kind[HintKind.HOST_NAMES]
    text = hint_tooltip(fixture.snapshot, uri, hint.kind, hint.about)
    assert text == "`ripple_half`, `ripple_again_half`"
    hint = by_kind[HintKind.DTYPES]
    assert hint_tooltip(fixture.snapshot, uri, hint.kind, hint.about)
