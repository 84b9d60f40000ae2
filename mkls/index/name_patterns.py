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
_ARITHMETIC = re.compile(r"sizeof\s*\(.*|.*[\w)] [*/%] \d+", re.DOTALL)
LIMIT = 2000
"""More patterns than this are not worth listing: the name counts as unknown."""


class Hole(Enum):
    """What stands in a pattern where its text is not known."""

    DTYPE = "dtype"
    """Any of the spellings that `scalarToMetalTypeString` returns."""
    WORD = "word"
    """A macro or a template parameter that no host file defines: some word, but which?"""
    NUMBER = "number"
    """Decimal digits: what arithmetic gives."""
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
        self._kernels: dict[NameSet, tuple[str, ...]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._set

    def matching(self, pattern: Pattern, dtypes: frozenset[str]) -> Iterator[str]:
        """Yield the names that `pattern` covers, in order."""
        first = next(iter(pattern), "")
        prefix = first if isinstance(first, str) else ""
        if len(pattern) <= 1 and first is prefix:
            yield from {prefix} & self._set
            return
        of_words = _is_of_words(pattern)
        for index in range(bisect_left(self.sorted, prefix), len(self.sorted)):
            name = self.sorted[index]
            if not name.startswith(prefix):
                return
            if _fits_words(pattern, name, dtypes) if of_words else fits(pattern, name, dtypes):
                yield name

    def kernels(self, names: "NameSet") -> tuple[str, ...]:
        """Return the names that `names` may mean, sorted; asked for again, they are known."""
        known = self._kernels.get(names)
        if known is None:
            found = {
                name
                for pattern in names.patterns
                if pattern != (Hole.ANY,)
                for name in self.matching(pattern, names.dtypes)
            }
            known = self._kernels[names] = tuple(sorted(found))
        return known


@lru_cache(maxsize=8)
def host_names(names: frozenset[str]) -> HostNames:
    """Return `names`, with what they were asked before: few edits change which there are."""
    return HostNames(names)


def fits(pattern: Pattern, name: str, dtypes: frozenset[str]) -> bool:
    """Whether `name` is one that `pattern` covers."""
    if _is_of_words(pattern):
        return _fits_words(pattern, name, dtypes)
    return compiled(pattern, dtypes).fullmatch(name) is not None


@lru_cache(maxsize=8192)
def _is_of_words(pattern: Pattern) -> bool:
    """Whether dtypes are all that is open, each up to an underscore or the end."""
    follows = (*pattern[1:], "_")
    return all(
        isinstance(part, str) or (part is Hole.DTYPE and isinstance(it, str) and it[:1] == "_")
        for part, it in zip(pattern, follows, strict=False)
    )


def _fits_words(pattern: Pattern, name: str, dtypes: frozenset[str]) -> bool:
    start = 0
    for part in pattern:
        if isinstance(part, str):
            if not name.startswith(part, start):
                return False
            start += len(part)
        else:
            end = name.find("_", start)
            end = len(name) if end < 0 else end
            if name[start:end] not in dtypes:
                return False
            start = end
    return start == len(name)


@lru_cache(maxsize=4096)
def compiled(pattern: Pattern, dtypes: frozenset[str]) -> re.Pattern[str]:
    """Return `pattern` as a regular expression for whole names."""
    spellings = "|".join(sorted(map(re.escape, dtypes), key=len, reverse=True))
    holes = {
        Hole.DTYPE: f"(?:{spellings})",
        Hole.WORD: r"\w+",
        Hole.NUMBER: r"\d+",
        Hole.ANY: ".*",
    }
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
        return list(names.kernels(self))

    @property
    def text(self) -> str:
        """The set as a person reads it: `lerp_{dtype}`, `…` for unknown parts."""
        return " or ".join(sorted({shown(pattern) for pattern in self.patterns}))


def shown(pattern: Pattern) -> str:
    """Return `pattern` as a person reads it."""
    marks = {Hole.DTYPE: "{dtype}", Hole.WORD: "{…}", Hole.NUMBER: "{number}", Hole.ANY: "…"}
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
    text = expression.text if isinstance(expression, Unknown) else ""
    if _ARITHMETIC.fullmatch(text):
        return [(Hole.NUMBER,)]
    return [(Hole.WORD,)] if _CAPITALS.fullmatch(text) else [(Hole.ANY,)]


def _joined(parts: Pattern) -> Pattern:
    """Return `parts` with neighbouring texts made one."""
    joined: list[str | Hole] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "":
            joined.append(part)
    return tuple(joined)
