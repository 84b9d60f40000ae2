"""Inputs for the functions: the corners of every type, and numbers in between from a fixed seed."""

from functools import cache

import numpy as np

from tests.msl.numbers import STORAGE, rounded_to_bfloat

SEED = 2026
_CORNERS = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, 0.25, 0.75, 2.0, -2.0, 3.0, 10.0, -10.0,
    0.1, 1e-3, 1e-4, 3.14159265, -1.57079633, 100.0, 1000.0, 65504.0, -65504.0, 65519.0, 65520.0,
    1e10, -1e20, 3e38, 1.1754944e-38, 1e-45, -1e-40, 6.1035156e-05, 5.9604645e-08, 0.99999994,
    1.0000001, 8388607.5, 16777216.0, float("inf"), float("-inf"), float("nan"),
]  # fmt: skip


@cache
def float_samples(element: str) -> np.ndarray:
    """Several hundred stored numbers of a floating-point type: corners, then random ones."""
    random = np.random.default_rng(SEED)
    spread = np.exp(random.uniform(-20, 20, 160)) * random.choice([-1.0, 1.0], 160)
    values = np.concatenate(
        [_CORNERS, random.uniform(-1, 1, 100), random.uniform(-12, 12, 160), spread]
    )
    patterns = random.integers(0, 2**32, 120, dtype=np.uint32).view(np.float32)
    with np.errstate(invalid="ignore"):
        every = np.concatenate([values, patterns.astype(np.float64)])
    return stored_floats(every, element)


def stored_floats(values: np.ndarray, element: str) -> np.ndarray:
    """Doubles in the storage of a floating-point type."""
    with np.errstate(all="ignore"):
        if element == "bfloat":
            return rounded_to_bfloat(values.astype(np.float32))
        return values.astype(STORAGE[element])


@cache
def float_tuples(element: str, count: int) -> tuple[np.ndarray, ...]:
    """Arguments for a function of `count` numbers: products of corners, then random tuples."""
    samples = float_samples(element)
    if count == 1:
        return (samples,)
    corners = (
        samples[:42] if count == 2 else samples[[0, 1, 2, 3, 4, 5, 12, 18, 29, 31, 39, 40, 41]]
    )
    return _tuples(samples, corners, count, 900)


@cache
def integer_samples(element: str) -> np.ndarray:
    """Corners of an integer type, then random numbers."""
    limits = np.iinfo(STORAGE[element])
    bits = limits.bits
    near = [0, 1, 2, 3, 5, -1, -2, 7, limits.min, limits.min + 1, limits.max, limits.max - 1]
    powers = [sign * 2**k + d for k in range(bits) for sign in (1, -1) for d in (-1, 0)]
    corners = [x for x in dict.fromkeys(near + powers) if limits.min <= x <= limits.max]
    random = np.random.default_rng(SEED).integers(
        limits.min, limits.max, 150, dtype=STORAGE[element], endpoint=True
    )
    return np.concatenate([np.array(corners, dtype=STORAGE[element]), random])


@cache
def integer_tuples(element: str, count: int) -> tuple[np.ndarray, ...]:
    """Arguments for a function of `count` integers."""
    samples = integer_samples(element)
    if count == 1:
        return (samples,)
    return _tuples(samples, samples[: 18 if count == 2 else 9], count, 300)


def _tuples(
    samples: np.ndarray, corners: np.ndarray, count: int, random_ones: int
) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(SEED + count)
    products = np.meshgrid(*[corners] * count, indexing="ij")
    return tuple(
        np.concatenate([product.ravel(), random.choice(samples, random_ones)])
        for product in products
    )


def divisible(arrays: tuple[np.ndarray, ...], width: int) -> tuple[np.ndarray, ...]:
    """The arrays, cut to whole vectors of `width`."""
    length = len(arrays[0]) // width * width
    return tuple(array[:length] for array in arrays)
