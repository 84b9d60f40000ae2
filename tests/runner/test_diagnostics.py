"""Results as diagnostics and code lenses."""

from mkls.runner.diagnostics import by_uri, diagnostics_of
from mkls.runner.lens import READY, lens_title
from mkls.runner.report import CompileProblem, Finding, Mismatch, Place, Report, Run
from mkls.text.document import Document, Language, Uri

TEXT = """\
struct atan2_functor { /* é🎉 */ float broken_name; };
kernel void twice(device float* out) {
  out[tid] = in[tid];
}
REGISTER_BINARY_OP(atan2, float, float);
"""
PATH = "/a folder/k.metal"
URI = Uri("file:///a%20folder/k.metal")
DOCUMENT = Document(URI, Language.METAL, TEXT)


def shown(*runs):
    report = Report("emulator", PATH, runs)
    found = diagnostics_of(report, lambda uri: DOCUMENT if uri == URI else None)
    return [(TEXT[it.span.start : it.span.end], it) for it in found]


def mismatched(**more):
    values = {
        "kernel": "atan2_dense_float_float",
        "case": "dense float32 [1027]",
        "outcome": "mismatched",
        "message": "3 of 1027 differ; first at [5]: expected 1.5, got 2.5",
        "path": PATH,
        "line": 5,
        "functor": "atan2",
        "dtype": "float32",
        "layout": "dense",
        "mismatch": Mismatch("output", (5,), "1.5", "2.5", 3, 1027),
        "verified": True,
    }
    return Run(**{**values, **more})


def test_a_mismatch_is_on_the_functor():
    ((token, found),) = shown(mismatched())

    assert token == "atan2_functor"
    assert found.message == (
        "`atan2_dense_float_float` (dense float32 [1027]): "
        "3 of 1027 differ; first at [5]: expected 1.5, got 2.5"
    )
    assert found.code == "mismatched"


def test_without_a_functor_here_it_is_on_the_kernels_line():
    assert shown(mismatched(functor="exp"))[0][0] == "REGISTER_BINARY_OP(atan2, float, float);"
    assert shown(mismatched(functor="", line=2))[0][0] == "kernel void twice(device float* out) {"


def test_many_failing_kernels_of_one_functor_are_told_once_for_each_dtype():
    runs = [mismatched(case=f"case {n}", dtype=dtype) for n in range(9) for dtype in ("a", "b")]

    assert len(shown(*runs)) == 2


def test_a_compile_error_is_on_its_token_with_its_notes():
    problem = CompileProblem(PATH, 1, 39, "error", "unknown name", (Place(PATH, 2, 13, "see"),))
    run = Run("", "compile", "compile-error", problems=(problem,))

    ((token, found),) = shown(run)

    assert token == "broken_name"
    assert found.code == "compile-error"
    (note,) = found.related
    assert TEXT[note.span.start : note.span.end] == "twice"


def test_a_finding_is_where_the_access_is():
    finding = Finding("out-of-bounds-write", "writes `out`[4]", PATH, 3, 3, count=128)
    run = Run("twice", "inferred", "finding", findings=(finding,), path=PATH, line=2)

    ((token, found),) = shown(run)

    assert token == "out"
    assert found.message == "writes `out`[4] (128 times) in `twice`"
    assert found.severity == "error"


def test_an_endless_loop_is_where_it_was_stopped():
    run = Run(
        "twice", "inferred", "timed-out", message="the time limit was reached", path=PATH, line=2,
        stopped_at=Place(PATH, 3, 14, ""),
    )  # fmt: skip

    assert shown(run)[0][0] == "in"


def test_what_is_in_a_file_that_is_not_at_hand_keeps_its_uri():
    finding = Finding("data-race", "races", "/other.h", 3, 3)
    report = Report("emulator", PATH, (Run("k", "", "finding", findings=(finding,)),))

    assert list(by_uri(diagnostics_of(report, lambda _: None))) == [Uri("file:///other.h")]


def test_lines_beyond_the_text_do_no_harm():
    finding = Finding("data-race", "races", PATH, 99, 99)

    assert shown(Run("k", "", "finding", findings=(finding,), path=PATH, line=88))


def test_passed_and_skipped_runs_are_silent():
    assert shown(Run("k", "", "passed"), Run("k", "", "skipped", message="no")) == []


def test_a_lens_sums_up_what_passed():
    runs = [
        Run("k", f"{n}", "passed", dtype=dtype, layout="dense", verified=True)
        for n in range(8)
        for dtype in ("float32", "float16", "bfloat16")
    ]

    assert lens_title(runs) == "✓ 24 cases · 3 dtypes"
    assert lens_title(runs[:1]) == "✓ 1 case · 1 dtype"
    assert lens_title([Run("k", "", "passed", verified=True)]) == "✓ 1 case"


def test_a_lens_names_the_first_failure():
    failed = mismatched(dtype="float16", layout="strided")

    assert lens_title([Run("k", "", "passed"), failed]) == "✗ half, strided: 3 of 1027 differ"
    assert lens_title([Run("k", "", "compile-error")]) == "✗ does not compile"
    assert lens_title([Run("k", "", "timed-out", layout="inferred")]) == "✗ inferred: timed out"
    finding = Finding("data-race", "races", PATH, 1, 1)
    assert lens_title([Run("k", "", "finding", findings=(finding,))]) == "✗ data race"


def test_a_lens_before_any_run_offers_one():
    assert lens_title([]) == READY == "▶ Run"
    assert lens_title([Run("k", "", "passed")]) == "✓ ran"
    assert lens_title([Run("k", "", "skipped")]) == "· not run: no inputs"
