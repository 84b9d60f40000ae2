"""MSL 6.4 relational functions and comparisons, for float, half and bfloat in all widths."""

import numpy as np
import pytest

from tests.msl.catalogue import COMPARISONS, FLOATS, WIDTHS
from tests.msl.conftest import Functions
from tests.msl.numbers import FORMATS, to_bits, to_double
from tests.msl.samples import divisible, float_samples, float_tuples

ONE = {
    "isfinite": np.isfinite,
    "isinf": np.isinf,
    "isnan": np.isnan,
    "signbit": np.signbit,
}
TWO = {
    "isordered": lambda x, y: ~(np.isnan(x) | np.isnan(y)),
    "isunordered": lambda x, y: np.isnan(x) | np.isnan(y),
    "compare.equal": np.equal,
    "compare.unequal": np.not_equal,
    "compare.less": np.less,
    "compare.greater": np.greater,
    "compare.at_most": np.less_equal,
    "compare.at_least": np.greater_equal,
}


def test_every_comparison_has_a_reference():
    assert {f"compare.{word}" for word in COMPARISONS.values()} < TWO.keys()


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ONE)
def test_test_of_one_number(functions: Functions, name: str, element: str, width: int):
    (samples,) = divisible((float_samples(element),), width)

    got = functions(name, element, samples, width=width).astype(bool)

    # The sign of a NaN does not survive the way through a double everywhere.
    values = to_double(samples, element)
    kept = ~np.isnan(values) if name == "signbit" else np.ones(len(values), bool)
    assert np.array_equal(got[kept], ONE[name](values)[kept])


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("width", WIDTHS)
def test_normal_numbers_have_a_hidden_bit(functions: Functions, element: str, width: int):
    (samples,) = divisible((float_samples(element),), width)
    values = np.abs(to_double(samples, element))

    got = functions("isnormal", element, samples, width=width).astype(bool)

    assert np.array_equal(got, (values >= 2.0 ** FORMATS[element][1]) & np.isfinite(values))


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", TWO)
def test_test_of_two_numbers(functions: Functions, name: str, element: str, width: int):
    x, y = divisible(float_tuples(element, 2), width)

    got = functions(name, element, x, y, width=width).astype(bool)

    assert np.array_equal(got, TWO[name](to_double(x, element), to_double(y, element)))


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("width", WIDTHS)
def test_select_takes_the_second_where_true(functions: Functions, element: str, width: int):
    x, y = divisible(float_tuples(element, 2), width)
    choice = np.arange(len(x)) % 3 == 1

    got = functions("select", element, x, y, choice, width=width)

    assert np.array_equal(to_bits(got), to_bits(np.where(choice, y, x)))
