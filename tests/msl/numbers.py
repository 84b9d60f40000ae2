"""How Metal's numbers lie in NumPy arrays, exact rounding, errors in units of the last place."""

from fractions import Fraction

import numpy as np

STORAGE: dict[str, type] = {
    "bool": np.uint8, "char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16,
    "int": np.int32, "uint": np.uint32, "long": np.int64, "ulong": np.uint64,
    "float": np.float32, "half": np.float16, "bfloat": np.uint16,
}  # fmt: skip

# Bits of the significand (the hidden one included), least exponent of a normal number, greatest.
FORMATS = {"float": (24, -126, 127), "half": (11, -14, 15), "bfloat": (8, -126, 127)}


def to_double(stored: np.ndarray, element: str) -> np.ndarray:
    """The exact values of stored numbers."""
    if element == "bfloat":
        stored = (stored.astype(np.uint32) << 16).view(np.float32)
    with np.errstate(invalid="ignore"):
        return stored.astype(np.float64)


def to_bits(stored: np.ndarray) -> np.ndarray:
    """The bit patterns of stored numbers."""
    return stored.view(f"u{stored.dtype.itemsize}")


def rounded_to_bfloat(values: np.ndarray) -> np.ndarray:
    """float32 values, rounded to nearest even, as bits; NaNs stay NaNs."""
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    quiet = ((bits >> 16) | 0x40).astype(np.uint16)
    return np.where(np.isnan(values), quiet, rounded)


def exactly_rounded(value: Fraction, element: str) -> float:
    """`value` rounded once to the format, ties to even, as a double."""
    precision, least, greatest = FORMATS[element]
    if value == 0:
        return 0.0
    exponent = _exponent(abs(value))
    quantum = Fraction(2) ** (max(exponent, least) - precision + 1)
    rounded = round(value / quantum) * quantum
    if abs(rounded) >= Fraction(2) ** (greatest + 1):
        return float("inf") if value > 0 else float("-inf")
    return float(rounded)


def _exponent(magnitude: Fraction) -> int:
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return exponent if magnitude >= Fraction(2) ** exponent else exponent - 1


def ulp_errors(got: np.ndarray, expected: np.ndarray, element: str) -> np.ndarray:
    """|got - expected| in units of the last place of `element` at `expected`; both as doubles.

    NaN where NaN is expected counts 0, elsewhere infinity; likewise infinities, which also stand
    for expected values beyond the format's range.
    """
    precision, least, greatest = FORMATS[element]
    limit = 2.0 ** (greatest + 1) * (1 - 2.0**-precision)
    with np.errstate(all="ignore"):
        exponent = np.maximum(np.frexp(expected)[1] - 1, least).astype(np.float64)
        errors = np.abs(got - expected) / np.exp2(exponent - precision + 1)
        infinite = np.abs(expected) >= limit * (1 - 2.0 ** (-precision - 1))
        same = infinite & (got == np.where(expected > 0, np.inf, -np.inf))
        errors = np.where(same, 0.0, errors)
        return np.where(
            np.isnan(expected),
            np.where(np.isnan(got), 0.0, np.inf),
            np.where(np.isnan(errors), np.inf, errors),
        )
