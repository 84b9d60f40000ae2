"""MSL 6.5: functions that take numbers apart, exactly, for float, half and bfloat."""

import numpy as np
import pytest

from tests.msl.catalogue import FLOATS
from tests.msl.conftest import Functions
from tests.msl.numbers import FORMATS, to_double, ulp_errors
from tests.msl.samples import float_samples, float_tuples


@pytest.mark.parametrize("element", FLOATS)
def test_zeros_keep_their_sign(functions: Functions, element: str):
    zeros = float_samples(element)[:2]
    odd = (
        "asin asinh atan atanh ceil floor rint round sign sin sinh sinpi sqrt tan tanh tanpi trunc"
    )
    for name in odd.split():
        got = to_double(functions(name, element, zeros), element)

        assert (got == 0).all(), name
        assert np.signbit(got).tolist() == [False, True], name


@pytest.mark.parametrize("element", FLOATS)
def test_fract_is_below_one(functions: Functions, element: str):
    samples = float_samples(element)
    values = to_double(samples, element)
    finite = np.isfinite(values)

    got = to_double(functions("fract", element, samples), element)

    below_one = 1 - 2.0 ** -FORMATS[element][0]
    expected = np.minimum(values[finite] - np.floor(values[finite]), below_one)
    assert ulp_errors(got[finite], expected, element).max() <= 0.5
    assert (got[finite] < 1).all()
    assert np.isnan(got[np.isnan(values)]).all()


@pytest.mark.parametrize("element", FLOATS)
def test_nextafter_steps_to_the_neighbour(functions: Functions, element: str):
    x, y = float_tuples(element, 2)

    got = functions("nextafter", element, x, y)

    if element == "bfloat":
        expected = neighbours_of_bfloat(x, y)
        assert np.array_equal(to_double(got, element), expected, equal_nan=True)
    else:
        with np.errstate(all="ignore"):
            assert np.array_equal(got, np.nextafter(x, y), equal_nan=True)


def neighbours_of_bfloat(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    a, b = to_double(x, "bfloat"), to_double(y, "bfloat")
    order = np.where(x >> 15, 0x8000 - x.astype(np.int32), x.astype(np.int32))
    order += np.where(b > a, 1, np.where(b < a, -1, 0))
    bits = np.where(order < 0, 0x8000 - order, order).astype(np.uint16)
    return np.where(
        np.isnan(a) | np.isnan(b), np.nan, np.where(a == b, b, to_double(bits, "bfloat"))
    )


@pytest.mark.parametrize("element", FLOATS)
def test_parts_of_a_number(functions: Functions, element: str):
    samples = float_samples(element)
    values = to_double(samples, element)
    usual = np.isfinite(values)

    def of(name: str) -> np.ndarray:
        return to_double(functions(name, element, samples), element)

    with np.errstate(all="ignore"):
        fraction, whole = np.modf(values)
        mantissa, exponent = np.frexp(values)
    assert np.array_equal(of("modf"), fraction, equal_nan=True)
    assert np.array_equal(of("modf.whole"), whole, equal_nan=True)
    assert np.array_equal(np.signbit(of("modf")[usual]), np.signbit(values[usual]))
    assert np.array_equal(of("frexp"), mantissa, equal_nan=True)
    exponents = functions("frexp.exponent", element, samples)
    assert np.array_equal(exponents[usual], exponent[usual])
    normal = usual & (values != 0)
    assert np.array_equal(functions("ilogb", element, samples)[normal], exponent[normal] - 1)
    assert np.array_equal(of("sincos"), of_function(functions, "sin", element), equal_nan=True)
    assert np.array_equal(
        of("sincos.cosine"), of_function(functions, "cos", element), equal_nan=True
    )


def of_function(functions: Functions, name: str, element: str) -> np.ndarray:
    return to_double(functions(name, element, float_samples(element)), element)


@pytest.mark.parametrize("element", FLOATS)
def test_ilogb_of_what_has_no_exponent(functions: Functions, element: str):
    special = float_samples(element)[[0, 39, 40, 41]]

    assert functions("ilogb", element, special).tolist() == [
        -(2**31),
        2**31 - 1,
        2**31 - 1,
        -(2**31),
    ]


@pytest.mark.parametrize("element", FLOATS)
def test_ldexp_rounds_once(functions: Functions, element: str):
    samples = float_samples(element)
    for power_of_two in (0, 1, -1, 5, -20, 40, -140, -149, 160, 300, -300, 2**31 - 1, -(2**31)):
        exponents = np.full(len(samples), power_of_two, np.int32)

        got = to_double(functions("ldexp", element, samples, exponents), element)

        with np.errstate(all="ignore"):
            expected = np.ldexp(to_double(samples, element), exponents)
        assert ulp_errors(got, expected, element).max() <= 0.5, power_of_two
