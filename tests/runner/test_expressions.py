"""The closed subset of Python: what it computes, and where it points when it refuses."""

import pytest
import torch

from mkls.runner.evaluation import evaluate
from mkls.runner.expressions import ExpressionError, parse_expectation, parse_expression

INPUT = torch.arange(12, dtype=torch.int32).reshape(3, 4)


def value(text: str) -> object:
    return evaluate(parse_expression(text), {"x": INPUT, "input": torch.ones(2)})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("arange(4)", torch.arange(4)),
        ("torch.zeros(2, 3)", torch.zeros(2, 3)),
        ("full((2,), 7, dtype=half)", torch.full((2,), 7, dtype=torch.float16)),
        ("tensor([1, 2], dtype=torch.uint8)", torch.tensor([1, 2], dtype=torch.uint8)),
        ("x.t().half()", INPUT.t().half()),
        ("x[:, 1::2] << 4 | x[:, ::2]", INPUT[:, 1::2] << 4 | INPUT[:, ::2]),
        ("x[..., -1]", INPUT[..., -1]),
        ("(x > 2).sum(dim=0)", (INPUT > 2).sum(dim=0)),
        ("input * 2 ** 3", torch.ones(2) * 8),
        ("nn.functional.softmax(input, dim=0)", torch.tensor([0.5, 0.5])),
        ("F.relu(-input)", torch.zeros(2)),
        ("einsum('i,i->', input, input)", torch.tensor(2.0)),
        ("max(x.float(), tensor(5.0))", INPUT.float().clamp(min=5)),
        ("atan2(input, -input)", torch.atan2(torch.ones(2), -torch.ones(2))),
        ("linspace(0, 1, 3)", torch.linspace(0, 1, 3)),
        ("x.to(float)", INPUT.float()),
        ("div(x, 2, rounding_mode='floor')", INPUT // 2),
        ("input.numel() // 2 + len(x)", 4),
        ("x.shape[1]", 4),
        ("(1, 2.5, -3)", (1, 2.5, -3)),
        ("not (1 < 2 and 3 != 4)", False),
    ],
)
def test_a_supported_expression_has_torchs_value(text, expected):
    found = value(text)

    if isinstance(expected, torch.Tensor):
        assert isinstance(found, torch.Tensor)
        assert found.dtype == expected.dtype
        assert torch.equal(found, expected)
    else:
        assert found == expected


@pytest.mark.parametrize(
    ("text", "blamed"),
    [
        ("1 + open('x')", "open"),
        ("x.numpy()", "x.numpy"),
        ("zeros(3, device='cpu')", "device='cpu'"),
        ("lambda: 1", "lambda: 1"),
        ("'é' * 2", "'é'"),
        ("é_x.apply_(1)", "é_x.apply_"),
        ("[i for i in x]", "[i for i in x]"),
        ("x.__class__", "x.__class__"),
        ("x if x else 1", "x if x else 1"),
        ("(y := 3)", "y := 3"),
    ],
)
def test_an_error_points_at_the_part_that_is_refused(text, blamed):
    with pytest.raises(ExpressionError) as caught:
        parse_expression(text)

    assert text[caught.value.start : caught.value.end] == blamed


def test_an_unknown_name_is_told_apart_from_the_known_ones():
    with pytest.raises(ExpressionError, match="`y` is no argument with a value; those are `x`"):
        evaluate(parse_expression("x + y"), {"x": INPUT})


def test_torchs_own_complaint_is_passed_on():
    with pytest.raises(ExpressionError, match="must match the size"):
        value("x + zeros(7)")


def test_free_names_are_known_without_running():
    assert parse_expression("output - input * 2 + zeros(3)").variables == ("output", "input")


@pytest.mark.parametrize(
    ("text", "rtol", "atol"),
    [
        ("output == input * 2   (rtol=1e-5)", 1e-5, None),
        ("output == relu(input) (rtol=1e-3, atol=0.5)", 1e-3, 0.5),
        ("allclose(output, input, rtol=1e-3)", None, None),
        ("output == input", None, None),
    ],
)
def test_tolerances_stand_behind_a_claim(text, rtol, atol):
    found = parse_expectation(text)

    assert (found.rtol, found.atol) == (rtol, atol)
    assert "output" in found.expression.variables


def test_a_tolerance_that_is_no_number_is_refused_where_it_stands():
    text = "output == input (rtol=small)"

    with pytest.raises(ExpressionError) as caught:
        parse_expectation(text)

    assert text[caught.value.start : caught.value.end] == "small"
