"""Sets of dtypes, as Metal spells them, in the order in which sources list them."""

from collections.abc import Iterable
from typing import Final

from mkls.generation.known_functors import KnownFunctor

FLOATING: Final = ("float", "half", "bfloat")
INTEGRAL: Final = ("long", "int", "short", "char", "uchar")
BOOLEAN: Final = ("bool",)
COMPLEX: Final = ("float2", "half2")
ALL: Final = (*FLOATING, *INTEGRAL, *BOOLEAN, *COMPLEX)


def ordered(dtypes: Iterable[str]) -> tuple[str, ...]:
    """Return those of `dtypes` that Metal has, in the usual order."""
    wanted = frozenset(dtypes)
    return tuple(it for it in ALL if it in wanted)


def dtypes_of(known: KnownFunctor) -> tuple[str, ...]:
    """Return the dtypes for which the mathematics of `known` hold."""
    integral = bool(known.integral) or known.to_float
    found = [
        *(FLOATING if known.floating else ()),
        *(INTEGRAL if integral else ()),
        *(BOOLEAN if integral and known.boolean else ()),
        *(COMPLEX if known.complex else ()),
    ]
    return ordered(found)


def result_of(known: KnownFunctor, dtype: str) -> str:
    """Return the dtype of the result for operands of `dtype`."""
    if known.result:
        return known.result
    is_integral = dtype in INTEGRAL or dtype in BOOLEAN
    return "float" if known.to_float and is_integral else dtype
