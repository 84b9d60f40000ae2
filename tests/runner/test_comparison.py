"""Comparing what a kernel wrote with what was expected."""

import math

import pytest
import torch

from mkls.runner.comparison import compare, tolerances
from mkls.runner.references import Expected, expected, reference_function

ONES = torch.ones(4)


def against(got, wanted, **more):
    return compare("out", got, Expected(wanted, None), **more)


def test_equal_results_have_no_error():
    verdict = against(ONES, ONES)

    assert (verdict.max_abs_error, verdict.max_ulp, verdict.mismatch) == (0.0, 0, None)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_tolerances_are_torchs_own(dtype):
    rtol, atol = tolerances(dtype)
    wanted = torch.full((3,), 100.0, dtype=dtype)
    step = (100.0 * rtol + atol) * 4

    assert torch.testing.assert_close(wanted, wanted) is None
    assert against(wanted + step, wanted).mismatch is not None


def test_nan_equals_nan_and_infinity_itself():
    odd = torch.tensor([math.nan, math.inf, -math.inf])

    assert against(odd, odd).mismatch is None
    assert against(odd, torch.tensor([math.nan, math.inf, math.inf])).mismatch is not None
    assert against(torch.zeros(3), odd).mismatch is not None


def test_the_first_bad_element_is_named():
    got = torch.zeros(3, 4)
    got[1, 2] = 0.5
    got[2, 0] = 1

    verdict = against(got, torch.zeros(3, 4))

    assert verdict.mismatch is not None
    assert verdict.mismatch.index == (1, 2)
    assert (verdict.mismatch.expected, verdict.mismatch.got) == ("0", "0.5")
    assert (verdict.mismatch.count, verdict.mismatch.total) == (2, 12)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_ulps_count_the_values_in_between(dtype):
    base = torch.tensor([1.0, -1.0, 0.0], dtype=dtype)
    next_one = base.clone()
    bits = {2: torch.int16, 4: torch.int32}[base.element_size()]
    next_one.view(bits)[:] += 3

    assert against(next_one, base).max_ulp == 3


def test_ulps_are_counted_across_zero():
    tiny = torch.finfo(torch.float32).smallest_normal * torch.finfo(torch.float32).eps

    assert against(torch.tensor([tiny]), torch.tensor([-tiny])).max_ulp == 2


def test_integers_are_exact():
    got = torch.tensor([1, 2, 3])

    assert against(got, got + 1).mismatch is not None
    assert against(got, got).max_abs_error == 0


def test_unsigned_integers_that_torch_hardly_knows_are_compared():
    got = torch.tensor([2**63, 5], dtype=torch.uint64)

    assert against(got, got).mismatch is None
    assert against(got, torch.tensor([2**63, 6], dtype=torch.uint64)).mismatch is not None


@pytest.mark.filterwarnings("ignore:ComplexHalf support")
def test_complex_numbers_are_compared_by_distance():
    got = torch.tensor([1 + 1j], dtype=torch.complex64)

    assert against(got, got * (1 + 1e-7)).mismatch is None
    verdict = against(got.to(torch.complex32), (got * 1j).to(torch.complex32))
    assert verdict.mismatch is not None
    assert verdict.mismatch.got == "1+1i"


def test_given_tolerances_win():
    assert against(ONES * 1.05, ONES, rtol=0.1, atol=0).mismatch is None
    assert against(ONES * 1.05, ONES, rtol=0, atol=0.01).mismatch is not None


def test_an_element_may_agree_with_either_reference():
    wanted = Expected(torch.tensor([math.inf]), torch.tensor([9e9]))

    assert compare("out", torch.tensor([9e9]), wanted).mismatch is None
    assert compare("out", torch.tensor([math.inf]), wanted).mismatch is None
    assert compare("out", torch.tensor([8e9]), wanted).mismatch is not None


def test_the_reference_is_computed_in_higher_precision():
    function = reference_function("exp")
    assert function is not None
    source = torch.tensor([1.0], dtype=torch.bfloat16)

    found = expected("exp", function, [source], (), torch.float32)

    assert found.precise is not None
    assert found.native is not None
    assert abs(float(found.precise) - math.e) < 1e-6
    assert abs(float(found.native) - math.e) > 1e-4


def test_what_is_about_the_representation_has_no_higher_precision():
    function = reference_function("nextafter")
    assert function is not None

    found = expected("nextafter", function, [ONES, ONES * 2], (), torch.float32)

    assert found.precise is None
    assert found.native is not None


@pytest.mark.parametrize(
    ("functor", "arguments", "wanted"),
    [
        ("div_floor", (torch.tensor([-7]), torch.tensor([2])), torch.tensor([-4])),
        ("div_trunc", (torch.tensor([-7]), torch.tensor([2])), torch.tensor([-3])),
        ("add_alpha", (torch.tensor([1]), torch.tensor([2]), 3), torch.tensor([7])),
        ("round_decimals", (torch.tensor([1.236]), 2), torch.tensor([1.24])),
        ("polygamma", (torch.tensor([1.0]), 1), torch.polygamma(1, torch.tensor([1.0]))),
        ("bessel_j0_forward", (torch.tensor([0.0]),), torch.tensor([1.0])),
        ("lshift", (torch.tensor([1]), torch.tensor([3])), torch.tensor([8])),
        ("complex_mul", (torch.tensor([2.0]), torch.tensor([3.0])), torch.tensor([6.0])),
    ],
)
def test_functors_are_known_by_the_names_that_kernels_use(functor, arguments, wanted):
    function = reference_function(functor)

    assert function is not None
    assert torch.allclose(function(*arguments), wanted)


@pytest.mark.parametrize("functor", ["sum", "no_such_thing", "index_select_thing", ""])
def test_other_names_have_no_reference(functor):
    assert reference_function(functor) is None


def test_a_result_computed_in_half_is_not_held_to_the_precision_of_its_storage():
    function = reference_function("rsqrt")
    assert function is not None
    source = torch.rand(1000).half() + 0.1
    stored = torch.rsqrt(source.float()).half()
    stored.view(torch.int16)[::7] += 1

    wanted = expected("rsqrt", function, [source], (), torch.float32)
    verdict = compare("out", stored.float(), wanted)

    assert verdict.mismatch is None
    assert verdict.max_ulp == 1
