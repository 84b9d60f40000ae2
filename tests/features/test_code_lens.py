"""Where kernels can be run, and what makes their results old ones."""

from mkls.features.code_lens import runnables
from mkls.features.kernel_parts import kernel_parts
from tests.features.ripple import with_first
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
