"""What is read from the bodies of Metal functions."""

import pytest

from mkls.facts.metal import metal_facts
from mkls.facts.model.metal_bodies import MetalBodies


def body(*statements: str, head: str = "kernel void f(device float* data, uint at)") -> str:
    return f"{head} {{\n  " + "\n  ".join(statements) + "\n}\n"


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("doubles", body("double x = 0;"), "double"),
        ("modern_syntax", body("if constexpr (true) {}"), "constexpr"),
        ("quotient_remainders", body("at = (at / 4) % 3;"), "(at / 4) % 3"),
        ("mixed_spaces", body("constant float* own = data;"), "constant"),
        ("unqualified_pointers", body("", head="void f(const float* data)"), "const float*"),
        ("bfloat_functions", body("", head="bfloat f(bfloat x)"), "bfloat"),
        ("reports", body("TORCH_REPORT_ERROR(e);", "data[at] = 1;"), "TORCH_REPORT_ERROR"),
    ],
)
def test_each_kind_has_its_place(kind, text, found):
    bodies = metal_facts(text).bodies

    [place] = getattr(bodies, kind)
    assert text[place.span.start : place.span.end] == found
    assert [it for it in MetalBodies.__struct_fields__ if getattr(bodies, it)] == [kind]


def test_functions_that_do_nothing_of_the_kind_cost_no_facts():
    assert metal_facts(body("data[at] = 1;")).bodies == MetalBodies()


@pytest.mark.parametrize("end", range(0, 90, 7))
def test_a_half_typed_function_is_read_as_far_as_it_goes(end):
    text = body("double x = (at / 4) % max(at, 3);", "if (at > 3) { TORCH_REPORT_ERROR(e); }")

    bodies = metal_facts(text[:end]).bodies

    assert all(place.span.end <= end for place in (*bodies.doubles, *bodies.reports))
