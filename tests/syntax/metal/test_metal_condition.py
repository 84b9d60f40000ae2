"""Conditions of `#if`, by example and against GCC."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mkls.syntax.metal.condition import condition_value
from mkls.syntax.metal.macro import macro_of
from tests.syntax.metal.gcc import preprocessed

MACROS = {
    name: macro_of(name, parameters, body)
    for name, parameters, body in (
        ("__METAL_VERSION__", None, "310"),
        ("EMPTY", None, ""),
        ("AT_LEAST", ("v",), "(__METAL_VERSION__ >= v)"),
    )
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("__METAL_VERSION__ >= 310", 1),
        ("__METAL_VERSION__ < 310", 0),
        ("AT_LEAST(320) || AT_LEAST(300)", 1),
        ("defined(__METAL__) || defined __METAL_VERSION__", 1),
        ("!defined(TORCH_STABLE_ONLY) && !defined(TORCH_TARGET_VERSION)", 1),
        ("unknown", 0),
        ("true && !false", 1),
        ("0x10u == 16UL && 010 == 8 && 0b11 == 3 && 1'000 == 1000", 1),
        ("1 ? 2 : 3", 2),
        ("-7 / 2 == -3 && -7 % 2 == -1", 1),
        ("1 << 4 | 1", 17),
        ("'a' == 97", 1),
        ("__has_include(<metal_stdlib>)", 1),
        ('__has_include("nowhere.h")', 0),
        ("__has_feature(modules)", 0),
        ("", None),
        ("1 +", None),
        ("1 2", None),
        ("1 / 0", None),
        ("EMPTY", None),
        ("(" * 5000, None),
    ],
)
def test_value(text: str, value: int | None) -> None:
    assert condition_value(text, MACROS, lambda header: header == "metal_stdlib") == value


NUMBERS = st.sampled_from(["0", "1", "2", "7", "0x1F", "310", "__METAL_VERSION__", "nothing"])
OPERATORS = st.sampled_from(
    ["||", "&&", "|", "^", "&", "==", "!=", "<", ">", "<=", ">=", "<<", ">>", "+", "-", "*"]
)


def combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, OPERATORS, inner).map(" ".join),
        inner.map("({})".format),
        inner.map("!{}".format),
        inner.map("- {}".format),
        st.tuples(inner, inner, inner).map(lambda three: "{} ? {} : {}".format(*three)),
    )


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.recursive(NUMBERS, combined, max_leaves=8), min_size=40, max_size=40))
def test_random_conditions_hold_when_they_hold_for_gcc(conditions: list[str]) -> None:
    lines = ["#define __METAL_VERSION__ 310"]
    for number, condition in enumerate(conditions):
        lines += [f"#if {condition}", f"@{number}", "#endif"]
    output, complained = preprocessed("\n".join(lines) + "\n")
    held = set(output.split())
    for number, condition in enumerate(conditions):
        # Shifts by more than the width are undefined; GCC warns of other surprises.
        if 3 * number + 2 not in complained and "<<" not in condition and ">>" not in condition:
            assert bool(condition_value(condition, MACROS)) == (f"@{number}" in held), condition


@given(st.text("01<>=!&|()?:+-*/% adefin'\"", max_size=30))
def test_no_condition_raises(text: str) -> None:
    value = condition_value(text, MACROS)
    assert value is None or isinstance(value, int)
