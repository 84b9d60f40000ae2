"""Directives: what they say about which kernel, and where they are wrong."""

from mkls.runner.directed import launch_for
from mkls.runner.directives import directives
from mkls.runner.request import Argument, KernelSpec, RunRequest

KERNEL = "kernel void twice(device float* out, uint tid [[thread_position_in_grid]]) {}\n"


def only(text):
    found = directives(text)
    assert found.problems == ()
    (launch,) = found.launches
    return launch


def problems(text):
    return [(text[it.span.start : it.span.end], it.message) for it in directives(text).problems]


def test_a_block_describes_the_kernel_below_it():
    launch = only(
        "#include <metal_stdlib>\n"
        "// mkls-run: threads=1024 group_size=256\n"
        "// mkls-arg: input = randn(1024)\n"
        "// mkls-arg: out = zeros_like(input)\n"
        "// mkls-expect: out == input * 2   (rtol=1e-5)\n"
        "// mkls-reference: torch.atan2\n" + KERNEL
    )

    assert launch.function == "twice"
    assert (launch.line, launch.last_line) == (7, 7)
    assert (launch.threads, launch.group_size) == ("1024", "256")
    assert launch.arguments == (("input", "randn(1024)"), ("out", "zeros_like(input)"))
    assert launch.expectations == ("out == input * 2   (rtol=1e-5)",)
    assert launch.reference == "torch.atan2"


def test_grids_may_have_several_dimensions_however_they_are_written():
    for written in ("32,16", "(32,16)", "[32, 16]"):
        launch = only(f"// mkls-run: threads={written} group_size=8\n{KERNEL}")
        assert launch.threads == written
        assert launch.group_size == "8"


def test_other_comments_may_stand_in_between():
    launch = only(f"// mkls-arg: out = zeros(4)\n// Doubles.\n{KERNEL}")

    assert launch.function == "twice"


def test_a_block_above_a_registration_is_told_by_its_lines():
    launch = only(
        "// mkls-reference: torch.special.i0\nREGISTER_UNARY_OP(i0,\n                  float,\n"
        "                  float);\n"
    )

    assert launch.function is None
    assert (launch.line, launch.last_line) == (2, 4)


def test_a_template_is_described_for_all_of_its_instantiations():
    launch = only(f"// mkls-arg: out = zeros(4)\ntemplate <typename T>\n{KERNEL}")

    assert launch.function == "twice"


def test_an_explicit_instantiation_is_described_alone():
    text = (
        "// mkls-arg: out = zeros(4)\n"
        'template [[host_name("twice_half")]] kernel void twice<half>(device half* out);\n'
    )

    assert only(text).function is None


def test_crlf_and_cr_end_lines_too():
    for ending in ("\r\n", "\r"):
        text = ending.join(["// mkls-arg: out = zeros(4)", KERNEL.strip(), ""])
        assert only(text).line == 2


def test_each_mistake_is_underlined_exactly():
    assert problems(f"// mkls-runs: threads=3\n{KERNEL}")[0][0] == "mkls-runs"
    assert problems(f"// mkls-run: thread=3\n{KERNEL}")[0][0] == "thread"
    assert problems(f"// mkls-run: threads=3 nonsense\n{KERNEL}")[0][0] == "nonsense"
    assert problems(f"// mkls-arg: out zeros(3)\n{KERNEL}")[0][0] == "out zeros(3)"
    assert problems(f"// é🎉\n// mkls-arg: out = open('x')\n{KERNEL}")[0][0] == "open"
    assert problems(f"// mkls-expect: out == out.data\n{KERNEL}")[0][0] == "out.data"
    assert problems(f"// mkls-reference: torch.load\n{KERNEL}")[0][0] == "torch.load"
    assert problems(f"// mkls-arg:\n{KERNEL}")[0] == ("mkls-arg", "`mkls-arg:` says nothing")


def test_a_block_above_nothing_is_a_mistake():
    for rest in ("", "\n" + KERNEL):
        found = problems(f"// mkls-arg: out = zeros(3)\n{rest}")
        assert found == [("mkls-arg", "stands directly above no kernel")]


def test_suppressions_are_no_directives():
    assert directives("// mkls: ignore[code]\n" + KERNEL).problems == ()


SPEC = KernelSpec("twice", "twice", "/k.metal", 2, (Argument("out", "device float *", index=0),))


def test_the_call_wins_over_the_file():
    text = f"// mkls-run: threads=3\n// mkls-arg: out = zeros(3)\n{KERNEL}"
    request = RunRequest(
        "/k.metal",
        text,
        launches=directives(text).launches,
        arguments={"out": "ones(5)", "other": "zeros(1)"},
        threads="(5,)",
        expectation="out == 1",
    )

    launch = launch_for(SPEC, request)

    assert launch.threads == "(5,)"
    assert launch.arguments == (("out", "ones(5)"),)
    assert launch.expectations == ("out == 1",)


def test_a_block_is_not_taken_for_a_kernel_on_the_same_line_of_another_file():
    text = f"// mkls-run: threads=3\nREGISTER(twice);\n{KERNEL}"
    request = RunRequest("/other.metal", text, launches=directives(text).launches)

    assert launch_for(SPEC, request).threads is None
