"""MSL 2.22 conversions: bit-exact rounding of half and bfloat, and what happens outside a range."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from tests.msl.catalogue import FLOATS, INTEGERS, Case
from tests.msl.conftest import Functions
from tests.msl.harness import Compilation, call, program
from tests.msl.numbers import (
    FORMATS,
    STORAGE,
    exactly_rounded,
    rounded_to_bfloat,
    to_bits,
    to_double,
    ulp_errors,
)
from tests.msl.samples import float_samples, float_tuples, integer_samples, stored_floats

ALL_PATTERNS = np.arange(2**16, dtype=np.uint32).astype(np.uint16)
Convert = Callable[[str, str, np.ndarray], np.ndarray]


def conversion(source: str, target: str) -> Case:
    return Case(f"to_{target}", source, 1, f"{target}(a)", (source,), target)


SOFT = {
    "half_bits": Case("half_bits", "float", 1, "mkls::half_bits(a)", ("float",), "ushort"),
    "float_of": Case("float_of", "ushort", 1, "mkls::float_of_half_bits(a)", ("ushort",), "float"),
    "half_fma": Case("half_fma", "half", 1, "metal::fma(a, b, c)", ("half",) * 3, "half"),
    "bfloat_fma": Case("bfloat_fma", "bfloat", 1, "metal::fma(a, b, c)", ("bfloat",) * 3, "bfloat"),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory):
    everything = [*FLOATS, *INTEGERS, "bool"]
    found = [conversion(source, target) for source in everything for target in everything]
    folder = tmp_path_factory.mktemp("conversions")
    return Compilation(program([*found, *SOFT.values()]), folder, "conversions").library()


@pytest.fixture(scope="module")
def convert(library) -> Convert:
    return lambda source, target, array: call(library, conversion(source, target), array)


def boundaries(patterns: np.ndarray, widen: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Floats at, halfway between and just beside all neighbours of a 16-bit format, both signs."""
    magnitudes = np.unique(widen(patterns[:0x7F81]).astype(np.float64))
    magnitudes = magnitudes[np.isfinite(magnitudes)]
    halfway = ((magnitudes[:-1] + magnitudes[1:]) / 2).astype(np.float32)
    beside = [np.nextafter(halfway, np.float32(0)), np.nextafter(halfway, np.float32(np.inf))]
    one_sign = np.concatenate([magnitudes.astype(np.float32), halfway, *beside])
    return np.concatenate([one_sign, -one_sign])


def test_every_half_becomes_the_float_of_its_value(convert: Convert, library):
    halves = ALL_PATTERNS.view(np.float16)
    expected = to_double(halves, "half")

    assert np.array_equal(convert("half", "float", halves), expected, equal_nan=True)
    assert np.array_equal(call(library, SOFT["float_of"], ALL_PATTERNS), expected, equal_nan=True)


def test_every_bfloat_becomes_the_float_with_its_bits(convert: Convert):
    got = convert("bfloat", "float", ALL_PATTERNS)

    assert np.array_equal(to_bits(got) >> 16, ALL_PATTERNS)


def test_float_rounds_to_the_nearest_half_at_every_boundary(convert: Convert, library):
    floats = boundaries(ALL_PATTERNS[:0x7C01], lambda bits: bits.view(np.float16))
    floats = np.append(floats, np.array([65519.99, 65520.0, 1e9, np.inf, -np.inf], np.float32))
    with np.errstate(over="ignore"):
        expected = floats.astype(np.float16).view(np.uint16)

    assert np.array_equal(to_bits(convert("float", "half", floats)), expected)
    assert np.array_equal(call(library, SOFT["half_bits"], floats), expected)


def test_float_rounds_to_the_nearest_bfloat_at_every_boundary(convert: Convert):
    floats = boundaries(ALL_PATTERNS, lambda bits: (bits.astype(np.uint32) << 16).view(np.float32))

    assert np.array_equal(convert("float", "bfloat", floats), rounded_to_bfloat(floats))


@pytest.mark.parametrize("target", FLOATS)
@pytest.mark.parametrize("source", INTEGERS)
def test_integer_rounds_once(convert: Convert, source: str, target: str):
    samples = np.concatenate([integer_samples(source), ties(source)])

    got = to_double(convert(source, target, samples), target)

    expected = [exactly_rounded(Fraction(x), target) for x in samples.tolist()]
    assert got.tolist() == expected


def ties(element: str) -> np.ndarray:
    """Integers halfway between neighbours of the formats, and one to either side."""
    limits = np.iinfo(STORAGE[element])
    halfway = [
        (2 * m + 1) << shift
        for precision in (8, 11, 24)
        for m in (2 ** (precision - 1), 2**precision - 1, 2 ** (precision - 1) + 1)
        for shift in range(40)
    ]
    near = {sign * (x + d) for x in halfway for d in (-1, 0, 1) for sign in (1, -1)}
    found = sorted(x for x in near if limits.min <= x <= limits.max)
    return np.array(found, dtype=STORAGE[element])


@pytest.mark.parametrize("target", INTEGERS)
@pytest.mark.parametrize("source", FLOATS)
def test_float_to_integer_truncates_and_saturates(convert: Convert, source: str, target: str):
    samples = float_samples(source)

    got = convert(source, target, samples).tolist()

    limits = np.iinfo(STORAGE[target])
    expected = [
        0 if np.isnan(x) else limits.max if x >= limits.max else max(limits.min, int(max(x, -1e30)))
        for x in to_double(samples, source).tolist()
    ]
    assert got == expected


@pytest.mark.parametrize("target", FLOATS)
@pytest.mark.parametrize("source", FLOATS)
def test_floats_convert_with_one_rounding(convert: Convert, source: str, target: str):
    samples = float_samples(source)

    got = to_double(convert(source, target, samples), target)

    assert ulp_errors(got, to_double(samples, source), target).max() <= 0.5


@pytest.mark.parametrize("target", INTEGERS)
@pytest.mark.parametrize("source", INTEGERS)
def test_integers_convert_modulo_the_width(convert: Convert, source: str, target: str):
    samples = integer_samples(source)

    assert np.array_equal(convert(source, target, samples), samples.astype(STORAGE[target]))


@pytest.mark.parametrize("source", [*INTEGERS, *FLOATS])
def test_bool_is_what_is_not_zero(convert: Convert, source: str):
    samples = integer_samples(source) if source in INTEGERS else float_samples(source)
    values = samples if source in INTEGERS else to_double(samples, source)

    assert np.array_equal(convert(source, "bool", samples), values != 0)


@pytest.mark.parametrize("target", [*INTEGERS, *FLOATS])
def test_bool_becomes_zero_and_one(convert: Convert, target: str):
    got = convert("bool", target, np.array([0, 1], np.uint8))

    values = got if target in INTEGERS else to_double(got, target)
    assert values.tolist() == [0, 1]


@pytest.mark.parametrize("element", ["half", "bfloat"])
@pytest.mark.parametrize("word", ["add", "subtract", "multiply", "divide_by"])
def test_short_arithmetic_rounds_every_operation_once(
    functions: Functions, word: str, element: str
):
    x, y = float_tuples(element, 2)
    a, b = to_double(x, element), to_double(y, element)
    finite = np.isfinite(a) & np.isfinite(b) & ((b != 0) | (word != "divide_by"))

    got = to_double(functions(f"operator.{word}", element, x, y), element)[finite]

    operate = {
        "add": Fraction.__add__,
        "subtract": Fraction.__sub__,
        "multiply": Fraction.__mul__,
        "divide_by": Fraction.__truediv__,
    }[word]
    pairs = zip(a[finite].tolist(), b[finite].tolist(), strict=True)
    expected = [exactly_rounded(operate(Fraction(p), Fraction(q)), element) for p, q in pairs]
    assert got.tolist() == expected


@pytest.mark.parametrize("element", ["half", "bfloat"])
def test_fused_multiply_add_rounds_once(library, element: str):
    precision = FORMATS[element][0]
    near_ties = stored_floats(
        np.array([1.5, 1 + 2.0 ** (1 - precision), 2.0**-24, -(2.0**-24)]), element
    )
    extra = [near_ties[[0, 0]], near_ties[[1, 1]], near_ties[[2, 3]]]
    stored = [np.concatenate(pair) for pair in zip(float_tuples(element, 3), extra, strict=True)]
    values = [to_double(array, element) for array in stored]
    finite = np.isfinite(values[0]) & np.isfinite(values[1]) & np.isfinite(values[2])

    got = to_double(call(library, SOFT[f"{element}_fma"], *stored), element)[finite]

    triples = zip(*(value[finite].tolist() for value in values), strict=True)
    expected = [
        exactly_rounded(Fraction(x) * Fraction(y) + Fraction(z), element) for x, y, z in triples
    ]
    assert got.tolist() == expected


def test_float_fused_multiply_add_rounds_once(functions: Functions):
    stored = float_tuples("float", 3)
    values = [to_double(array, "float") for array in stored]
    finite = np.isfinite(values[0]) & np.isfinite(values[1]) & np.isfinite(values[2])

    got = to_double(functions("fma", "float", *stored), "float")[finite]

    triples = zip(*(value[finite].tolist() for value in values), strict=True)
    expected = [
        exactly_rounded(Fraction(x) * Fraction(y) + Fraction(z), "float") for x, y, z in triples
    ]
    assert got.tolist() == expected
