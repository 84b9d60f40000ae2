"""Finite sets of kernel names, with holes where a dtype's spelling goes."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from mkls.facts.model.name_expression import (
    Choice,
    Concat,
    Dtype,
    Literal,
    NameExpression,
    Unknown,
    children_of,
)

_CAPITALS = re.compile(r"[A-Z][A-Z0-9_]*")
LIMIT = 2000
"""More patterns than this are not worth listing: the name counts as unknown."""


class Hole(Enum):
    """What stands in a pattern where its text is not known."""

    DTYPE = "dtype"
    """Any of the spellings that `scalarToMetalTypeString` returns."""
    WORD = "word"
    """A macro or a template parameter that no host file defines: some word, but which?"""
    ANY = "any"
    """Anything: what stands here cannot be folded."""


Pattern = tuple[str | Hole, ...]


class Satisfaction(Enum):
    """Whether some kernel has one of the names asked for."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class HostNames:
    """The host names that kernels have, ordered so that a prefix finds them."""

    def __init__(self, names: Iterable[str]) -> None:
        """Hold `names`."""
        self.sorted = sorted(set(names))
        self._set = frozenset(self.sorted)

    def __contains__(self, name: str) -> bool:
        return name in self._set

    def matching(self, pattern: Pattern, dtypes: frozenset[str]) -> Iterator[str]:
        """Yield the names that `pattern` covers, in order."""
        first = next(iter(pattern), "")
        prefix = first if isinstance(first, str) else ""
        if len(pattern) <= 1 and first is prefix:
            yield from {prefix} & self._set
            return
        matches = compiled(pattern, dtypes).fullmatch
        for index in range(bisect_left(self.sorted, prefix), len(self.sorted)):
            name = self.sorted[index]
            if not name.startswith(prefix):
                return
            if matches(name):
                yield name


@lru_cache(maxsize=4096)
def compiled(pattern: Pattern, dtypes: frozenset[str]) -> re.Pattern[str]:
    """Return `pattern` as a regular expression for whole names."""
    spellings = "|".join(sorted(map(re.escape, dtypes), key=len, reverse=True))
    holes = {Hole.DTYPE: f"(?:{spellings})", Hole.WORD: r"\w+", Hole.ANY: ".*"}
    return re.compile(
        "".join(holes[part] if isinstance(part, Hole) else re.escape(part) for part in pattern)
    )


class NameSet(NamedTuple):
    """Names of which the host asks for one: alternatives that only running the code tells apart."""

    patterns: tuple[Pattern, ...]
    dtypes: frozenset[str]

    @property
    def is_known(self) -> bool:
        """Whether the set is finite: no part of a name is unknown."""
        return not any(Hole.ANY in pattern for pattern in self.patterns)

    def satisfied_by(self, names: HostNames) -> Satisfaction:
        """Whether a kernel has one of these names; unknown parts make the answer unknown."""
        if not self.is_known:
            return Satisfaction.UNKNOWN
        found = any(True for pattern in self.patterns for _ in names.matching(pattern, self.dtypes))
        return Satisfaction.YES if found else Satisfaction.NO

    def kernels(self, names: HostNames) -> list[str]:
        """Return the names of `names` that may be meant, unknown parts matching anything."""
        found = {
            name: None
            for pattern in self.patterns
            if pattern != (Hole.ANY,)
            for name in names.matching(pattern, self.dtypes)
        }
        return sorted(found)

    @property
    def text(self) -> str:
        """The set as a person reads it: `lerp_{dtype}`, `…` for unknown parts."""
        return " or ".join(sorted({shown(pattern) for pattern in self.patterns}))


def shown(pattern: Pattern) -> str:
    """Return `pattern` as a person reads it."""
    marks = {Hole.DTYPE: "{dtype}", Hole.WORD: "{…}", Hole.ANY: "…"}
    return "".join(marks[part] if isinstance(part, Hole) else part for part in pattern)


def patterns_of(expression: NameExpression) -> tuple[Pattern, ...]:
    """Return the patterns of an expression without parameters and calls; too many are unknown."""
    if _size(expression) > LIMIT:
        return ((Hole.ANY,),)
    return tuple(dict.fromkeys(_joined(parts) for parts in _parts(expression)))


def _size(expression: NameExpression) -> int:
    sizes = [_size(child) for child in children_of(expression)]
    if isinstance(expression, Choice):
        return sum(sizes)
    size = 1
    for each in sizes:
        size = min(size * each, LIMIT + 1)
    return size


def _parts(expression: NameExpression) -> list[Pattern]:
    if isinstance(expression, Literal):
        return [(expression.text,)]
    if isinstance(expression, Dtype):
        return [(Hole.DTYPE,)]
    if isinstance(expression, Choice):
        return [parts for option in expression.options for parts in _parts(option)]
    if isinstance(expression, Concat):
        options = [_parts(part) for part in expression.parts]
        return [tuple(piece for parts in chosen for piece in parts) for chosen in product(*options)]
    is_word = isinstance(expression, Unknown) and _CAPITALS.fullmatch(expression.text)
    return [(Hole.WORD,)] if is_word else [(Hole.ANY,)]


def _joined(parts: Pattern) -> Pattern:
    """Return `parts` with neighbouring texts made one."""
    joined: list[str | Hole] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "":
            joined.append(part)
    return tuple(joined)
