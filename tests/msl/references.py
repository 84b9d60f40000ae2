"""References in double precision for MSL 6.2 and 6.5, and how far a function may be from them."""

from collections.abc import Callable

import numpy as np

from tests.msl.catalogue import COMMON, MATH_1, MATH_2, MATH_3
from tests.msl.numbers import FORMATS

# Units in the last place that single precision may be off; half and bfloat may be off by one.
LIMITS = {
    "acos": 4, "acosh": 4, "asin": 4, "asinh": 4, "atan": 5, "atan2": 6, "atanh": 5, "cos": 4,
    "cosh": 4, "cospi": 4, "exp": 4, "exp10": 4, "exp2": 4, "log": 4, "log10": 4, "log2": 4,
    "pow": 16, "powr": 16, "rsqrt": 2, "sin": 4, "sinh": 4, "sinpi": 4, "tan": 6, "tanh": 5,
    "tanpi": 6, "mix": 4, "smoothstep": 8,
}  # fmt: skip
EXACT = {
    "ceil", "copysign", "fabs", "fdim", "floor", "fma", "fmax", "fmax3", "fmedian3", "fmin", "abs",
    "fmin3", "fmod", "fract", "max", "max3", "median3", "min", "min3", "nextafter", "rint", "round",
    "sqrt", "trunc", "divide", "clamp", "saturate", "sign", "step",
}  # fmt: skip


def half_turns(function: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """sin or cos of pi x, reduced exactly before it is multiplied by pi."""
    rest = np.fmod(x, 2.0)
    exact = {0.0: (0.0, 1.0), 0.5: (1.0, 0.0), 1.0: (0.0, -1.0), 1.5: (-1.0, 0.0)}
    value = function(np.pi * rest)
    for at, (sine, cosine) in exact.items():
        quarter = np.mod(rest, 2.0) == at
        value = np.where(quarter, sine if function is np.sin else cosine, value)
    return value


def tangent(x: np.ndarray) -> np.ndarray:
    """Its poles are infinities, positive at 1/2 and negative at 3/2."""
    sine, cosine = half_turns(np.sin, x), half_turns(np.cos, x)
    return np.where(cosine == 0, np.copysign(np.inf, sine), sine / cosine)


def away_from_zero(x: np.ndarray) -> np.ndarray:
    whole = np.trunc(x)
    return whole + np.where(np.abs(x - whole) >= 0.5, np.sign(x), 0.0)


def numbers_first(choose: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    """Of two arguments, the one that is a number; else what `choose` says."""
    return lambda x, y: np.where(np.isnan(x), y, np.where(np.isnan(y), x, choose(x, y)))


lesser, greater = numbers_first(np.minimum), numbers_first(np.maximum)


def greatest(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    return greater(x, greater(y, z))


def least(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    return lesser(x, lesser(y, z))


def middle(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    return greater(lesser(x, y), lesser(greater(x, y), z))


def limited(x: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    return lesser(greater(x, low), high)


def power(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    undefined = (
        (x < 0) | ((x == 0) & (y == 0)) | ((x == 1) & np.isinf(y)) | (np.isinf(x) & (y == 0))
    )
    return np.where(undefined | np.isnan(x) | np.isnan(y), np.nan, np.power(x, y))


def hermite(edge0: np.ndarray, edge1: np.ndarray, x: np.ndarray) -> np.ndarray:
    t = limited((x - edge0) / (edge1 - edge0), np.zeros_like(x), np.ones_like(x))
    return t * t * (3 - 2 * t)


EXPECTED: dict[str, Callable[..., np.ndarray]] = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh,
    "atan": np.arctan, "atanh": np.arctanh, "ceil": np.ceil, "cos": np.cos, "cosh": np.cosh,
    "cospi": lambda x: half_turns(np.cos, x), "exp": np.exp, "exp10": lambda x: np.power(10.0, x),
    "exp2": np.exp2, "fabs": np.abs, "abs": np.abs, "floor": np.floor,
    "log": np.log, "log10": np.log10, "log2": np.log2, "rint": np.rint, "round": away_from_zero,
    "rsqrt": lambda x: 1 / np.sqrt(x), "sin": np.sin, "sinh": np.sinh,
    "sinpi": lambda x: half_turns(np.sin, x), "sqrt": np.sqrt, "tan": np.tan, "tanh": np.tanh,
    "tanpi": tangent, "trunc": np.trunc,
    "atan2": np.arctan2, "copysign": np.copysign, "divide": np.divide,
    "fdim": lambda x, y: np.where(x > y, x - y, np.where(np.isnan(x) | np.isnan(y), np.nan, 0.0)),
    "fmax": greater, "fmin": lesser, "max": greater, "min": lesser, "fmod": np.fmod,
    "pow": np.power, "powr": power,
    "fmax3": greatest, "max3": greatest, "fmin3": least, "min3": least,
    "fmedian3": middle, "median3": middle, "clamp": limited,
    "mix": lambda x, y, a: x + (y - x) * a,
    "saturate": lambda x: limited(x, np.zeros_like(x), np.ones_like(x)),
    "sign": lambda x: np.where(np.isnan(x), 0.0, np.sign(x)),
    "smoothstep": hermite,
    "step": lambda edge, x: np.where(x < edge, 0.0, 1.0),
}  # fmt: skip
COUNTS = {
    **dict.fromkeys(MATH_1, 1),
    **dict.fromkeys(MATH_2, 2),
    **dict.fromkeys(MATH_3, 3),
    **COMMON,
}
# These have tests of their own: their references need exact arithmetic or the storage format.
ELSEWHERE = {"fract", "nextafter", "fma"}


def limit(name: str, element: str) -> float:
    if name in EXACT:
        return 0.5
    if element == "float":
        return LIMITS[name]
    return 4.0 if name == "mix" else 1.0  # its intermediate results are rounded too


def sound(name: str, values: list[np.ndarray], element: str) -> np.ndarray:
    """Where the function is defined and its conditioning says something about the function."""
    defined = np.ones(len(values[0]), bool)
    if name == "clamp":
        defined = values[1] <= values[2]
    if name == "smoothstep":
        defined = (values[0] < values[1]) & np.isfinite(sum(values))
    if name == "mix":
        x, y, a = values
        big = 2.0 ** (FORMATS[element][2] - 2)
        moderate = (np.abs(x) < big) & (np.abs(y) < big)
        cancels = np.abs(x + (y - x) * a) * 4 < np.abs(x) + np.abs((y - x) * a)
        small = np.abs((y - x) * a) < 2.0 ** (FORMATS[element][1] + 30)
        defined = moderate & (a >= 0) & (a <= 1) & ~cancels & ~small
    return defined
