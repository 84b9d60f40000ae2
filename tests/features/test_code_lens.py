"""Where kernels can be run, and what makes their results old ones."""

from mkls.features.code_lens import LensKind, lens_words, runnables
from mkls.features.code_lens import lenses as told
from mkls.features.kernel_parts import kernel_parts
from tests.features.ripple import RIPPLE, with_first
from tests.support.fixture import parse

PLAIN = """\
//- kernels/Twice.metal
inline float doubled(float x) { return x * 2; }
inline float unused(float x) { return x; }
kernel void twice(device float* out, uint tid [[thread_position_in_grid]]) {
  out[tid] = doubled(out[tid]);
}
kernel void once(device float* out, uint tid [[thread_position_in_grid]]) { out[tid] = 1; }
"""


def lenses(source):
    fixture = parse(source)
    uri = next(iter(fixture.marked))
    text = fixture.snapshot.sources[uri].document.text
    return [
        (text[it.span.start : it.span.end], it.kernels) for it in runnables(fixture.snapshot, uri)
    ]


def parts(source, host_name):
    fixture = parse(source)
    uri = next(iter(fixture.marked))
    snapshot = fixture.snapshot
    unit = snapshot.kernels.unit_with(uri)
    kernels = [it for it in unit.kernels if it.host_name == host_name]
    found = sorted(kernel_parts(snapshot, unit, kernels))
    texts = (snapshot.sources[it.uri].document.text[it.span.start : it.span.end] for it in found)
    return [text.partition("\n")[0] for text in texts]


def test_a_plain_kernel_is_run_at_its_name():
    assert lenses(PLAIN) == [("twice", ("twice",)), ("once", ("once",))]


def test_a_template_stands_for_what_is_registered_from_it_and_a_line_for_its_own():
    floats, halves = ("ripple_float", "ripple_again_float"), ("ripple_half", "ripple_again_half")

    assert lenses(with_first("Ripple.metal")) == [
        ("unary", (*floats, *halves)),
        ("REGISTER(ripple, float)", floats),
        ("REGISTER(ripple, half)", halves),
    ]


def test_other_languages_have_none():
    assert lenses(with_first("Ripple.mm")) == []


def test_a_kernel_is_made_of_itself_and_of_what_it_calls():
    assert parts(PLAIN, "twice") == [
        "inline float doubled(float x) { return x * 2; }",
        "kernel void twice(device float* out, uint tid [[thread_position_in_grid]]) {",
    ]


def test_a_registered_kernel_is_made_of_its_functor_template_macro_and_line():
    assert parts(with_first("Ripple.metal"), "ripple_half") == [
        "struct ripple_functor {",
        "template <typename T, typename F>",
        "#define REGISTER(NAME, T) \\",
        "REGISTER(ripple, half)",
    ]


def said(source):
    """Return what the lenses of the first file say, those that run left out."""
    fixture = parse(source)
    uri = next(iter(fixture.marked))
    text = fixture.snapshot.sources[uri].document.text
    return [
        (it.span.of(text), lens_words(fixture.snapshot, it.kind, it.names))
        for it in told(fixture.snapshot, uri)
    ]


def test_kernels_tell_who_uses_them_and_their_dtypes():
    assert said(with_first("Ripple.metal")) == [
        ("unary", "1 look-up · 1 row"),
        ("unary", "dtypes: float half"),
        ("REGISTER(ripple, float)", "1 look-up · 1 row"),
        ("REGISTER(ripple, float)", "dtypes: float"),
        ("REGISTER(ripple, half)", "1 look-up · 1 row"),
        ("REGISTER(ripple, half)", "dtypes: half"),
    ]


def test_without_host_code_nobody_is_said_to_use_a_kernel():
    assert said(PLAIN) == []


def test_rows_tell_what_they_run_and_how_far_they_are_migrated():
    assert said(with_first("native_functions.yaml")) == [
        ("ripple.out", "MPS: Metal · float half · shared with CPU, CUDA"),
        ("ripple_.Scalar", "MPS: missing"),
        ("wave", "MPS: host code · own function"),
    ]


def test_a_row_of_its_own_tells_which_stub_it_could_share():
    source = RIPPLE.replace("CPU, CUDA, MPS: ripple_out", "CPU, CUDA: ripple_out\n    MPS: r_mps")
    snapshot = parse(source).snapshot

    assert lens_words(snapshot, LensKind.ROWS, ("ripple.out",)).endswith(
        "own function, could share ripple_stub"
    )


def test_a_dtype_that_is_certainly_missing_is_named():
    (_, words), *_ = [
        it
        for it in said("""
//- kernels/Trace.metal
template <typename T>
kernel void trace(constant T* input [[buffer(0)]], device T* output [[buffer(1)]]) {}
#define REGISTER_TRACE(DTYPE) \\
  template [[host_name("trace_" #DTYPE)]] kernel void \\
  trace<DTYPE>(constant DTYPE* input, device DTYPE* output)
REGISTER_TRACE(float);
REGISTER_TRACE(bfloat);
//- operations/Trace.mm
void trace(const Tensor& self) {
  lib.getPipelineStateForFunc("trace_" + scalarToMetalTypeString(self));
}
""")
        if it[1].startswith("dtypes")
    ]

    assert words == "dtypes: float bfloat · missing: half"


def test_what_a_lens_is_about_may_be_gone():
    snapshot = parse(RIPPLE).snapshot

    assert lens_words(snapshot, LensKind.ROWS, ("gone",)) == ""
    assert lens_words(snapshot, LensKind.ROWS, ()) == ""
    assert lens_words(snapshot, LensKind.DTYPES, ("gone",)) == ""
    assert lens_words(snapshot, LensKind.USERS, ("gone",)) == "no look-up is known"
