"""What the compiler's front end says of sources, and when it says nothing."""

# ruff: noqa: E501  (Metal text reads best unbroken)

from pathlib import Path

import pytest

from mkls.emulator.front_end import Verdict, examine
from mkls.emulator.settings import EmulatorSettings
from tests.emulator.kernels import PRELUDE

UNARY = """
template <typename T> T twice(T x) { return 2 * x; }
constant int every [[function_constant(0)]];
template <typename T>
kernel void unary(device T* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  threadgroup T shared[4];
  shared[i % 4] = twice(out[i / every]);
  out[i] = shared[0];
}
template [[host_name("unary_float")]] kernel void unary<float>(device float*, uint);
template [[host_name("unary_bfloat")]] kernel void unary<bfloat>(device bfloat*, uint);
"""


@pytest.fixture
def judged(emulator_settings: EmulatorSettings):
    def judge(text: str, **options) -> Verdict:
        return examine(PRELUDE + text, "unit.metal", settings=emulator_settings, **options)

    return judge


def lines(verdict: Verdict) -> list[tuple[str, int, int]]:
    return [(it.severity, it.line, it.column) for it in verdict.problems]


def test_nothing_is_said_of_what_compiles(judged) -> None:
    assert judged(UNARY) == Verdict()


def test_an_error_of_one_instantiation_is_found_and_leads_to_it(judged) -> None:
    verdict = judged(UNARY.replace("return 2 * x", "return x % 2"))

    (problem,) = verdict.problems
    assert (problem.line, problem.column) == (4, 47)
    assert "invalid operands" in problem.message
    assert any("twice<float>" in it.message and it.line == 9 for it in problem.notes)


def test_an_instantiation_without_a_template_is_an_error(judged) -> None:
    verdict = judged(
        UNARY + 'template [[host_name("g")]] kernel void unary<int>(device float*, uint);'
    )
    assert lines(verdict) == [("error", 14, 1)]


@pytest.mark.parametrize(
    ("body", "column"),
    [
        ("float x; out[0] = x;", 57),
        ("float x; if (out[0] > 0) x = 1; out[0] = x;", 52),
        ("int n = 0; n = n++ + n++; out[0] = n;", 54),
    ],
)
def test_warnings_without_their_flag(judged, body: str, column: int) -> None:
    verdict = judged(f"kernel void f(device float* out [[buffer(0)]]) {{{body}}}")

    assert [it.severity for it in verdict.problems] == ["warning"]
    assert not verdict.problems[0].message.endswith("]")
    assert abs(verdict.problems[0].column - column) < 20


def test_function_constants_are_open(judged) -> None:
    assert (
        judged(
            "constant int n [[function_constant(0)]]; kernel void f(device int* x) { x[0] = 5 / n + x[0] % n + (1 << (n - 1)); }"
        )
        == Verdict()
    )


def test_a_verdict_is_kept_until_a_header_changes(judged, tmp_path: Path) -> None:
    header = tmp_path / "own.h"
    header.write_text("inline float own() { return 1; }")
    text = '#include "own.h"\nkernel void f(device float* x) { x[0] = own(); }'
    assert judged(text, include_dirs=[tmp_path]) == Verdict()

    header.write_text("inline float owm() { return 1; }")

    assert lines(judged(text, include_dirs=[tmp_path])) == [("error", 4, 41)]


def test_overloads_by_address_space_are_not_judged(judged) -> None:
    verdict = judged("""
    struct box { int n; };
    template <typename A> void put(A a, device box& b) { b.n = a; }
    template <typename B> void put(B a, threadgroup box& b) { b.n = a; }
    kernel void f(device box* x) { put(1, x[0]); }""")

    assert verdict.problems == ()
    assert [it.message for it in verdict.gaps] == ["declarations that differ by address spaces look alike to the emulator"]  # fmt: skip


def test_a_name_that_the_library_has_too_is_not_judged(judged) -> None:
    verdict = judged("constant int level = 3; kernel void f(device int* x) { x[0] = level; }")

    assert verdict.problems == ()
    assert [it.message for it in verdict.gaps] == ["the emulator's Metal library has a `level` too"]


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ("thread_position_in_gird", "unknown attribute 'thread_position_in_gird'; did you mean 'thread_position_in_grid'?"),
        ("thread_position_in_grid", None),
        ("entirely_of_another_kind", None),
        ("clang::bufer", None),
    ],
)  # fmt: skip
def test_misspelt_attributes(judged, attribute: str, expected: str | None) -> None:
    verdict = judged(
        f"kernel void f(device int* x [[buffer(0)]], uint i [[{attribute}]]) {{ x[i] = 1; }}"
    )

    assert [(it.message, it.column) for it in verdict.problems] == ([(expected, 53)] if expected else [])  # fmt: skip


def test_a_language_version_must_exist(judged) -> None:
    with pytest.raises(ValueError, match=r"2\.9"):
        judged("", language_version="2.9")
