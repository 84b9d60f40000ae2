"""All tables, by word."""

from collections.abc import Mapping
from functools import cache

from mkls.features.reference import (
    c10_metal,
    host_api,
    msl_attributes,
    msl_constants,
    msl_integer,
    msl_language,
    msl_math,
    msl_parallel,
)
from mkls.features.reference.entry import Word, WordKind

MSL: tuple[Word, ...] = (
    *msl_math.MATH,
    *msl_math.COMMON,
    *msl_math.GEOMETRIC,
    *msl_math.MATRIX,
    *msl_math.RELATIONAL,
    *msl_integer.INTEGER,
    *msl_integer.PACK,
    *msl_parallel.SYNCHRONIZATION,
    *msl_parallel.SIMDGROUP,
    *msl_parallel.QUADGROUP,
    *msl_parallel.SIMDGROUP_MATRIX,
    *msl_parallel.ATOMIC,
    *msl_parallel.FLAGS,
    *msl_constants.CONSTANTS,
    *msl_constants.TRAITS,
    *msl_language.CASTS,
    *msl_language.TYPES,
    *msl_language.QUALIFIERS,
)
C10_METAL: tuple[Word, ...] = (
    *c10_metal.HELPERS,
    *c10_metal.REDUCTIONS,
    *c10_metal.SPECIAL,
    *c10_metal.TYPES,
    *c10_metal.CONSTANTS,
    *c10_metal.MACROS,
)
HOST: tuple[Word, ...] = (*host_api.LIBRARY, *host_api.UTILITIES, *host_api.MACROS)
ATTRIBUTES: Mapping[str, Word] = {it.name: it for it in msl_attributes.ATTRIBUTES}


@cache
def metal_words() -> Mapping[str, tuple[Word, ...]]:
    """Return the words of Metal sources by name; those of MSL go before those of c10/metal."""
    return _by_name((*MSL, *C10_METAL))


@cache
def host_words() -> Mapping[str, Word]:
    """Return the words of host code by name."""
    return {it.name: it for it in HOST}


@cache
def names_of(kind: WordKind) -> frozenset[str]:
    """Return the names of the Metal words of one kind."""
    return frozenset(it.name for it in (*MSL, *C10_METAL) if it.kind is kind)


def _by_name(table: tuple[Word, ...]) -> Mapping[str, tuple[Word, ...]]:
    found: dict[str, list[Word]] = {}
    for it in table:
        found.setdefault(it.name, []).append(it)
    return {name: tuple(entries) for name, entries in found.items()}
