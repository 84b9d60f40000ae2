"""How a function uses what its pointer and reference parameters point to."""

import re
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from mkls.syntax.metal.access_walk import READ, WRITE, Call, uses_of
from mkls.syntax.metal.declaration import declarator_of
from mkls.syntax.metal.item import Item, Shape
from mkls.syntax.metal.parameter import parameter_of
from mkls.syntax.metal.token import tokens_of

_NAMES: Final = {0: "", READ: "read", WRITE: "write", READ | WRITE: "read_write"}
_CALLED: Final = re.compile(r"\b([^\W\d]\w*)\b\s*(?:<[^()]*>\s*)?\(")
_DEPTH: Final = 8
_COOPERATIVE: Final = re.compile(
    r"\b(?:threadgroup_\w+|simdgroup_(?:barrier|load|store|multiply\w*)|simd_\w+|quad_\w+)\s*"
    r"(?:<[^()]*>\s*)?\("
    r"|\bthreadgroup\s+[\w:<>, ]+?\s+\w+\s*\["
)


class _Parameter(NamedTuple):
    name: str
    is_const: bool
    indirection: str


@lru_cache(maxsize=4096)
def _parameters_of(head: str) -> tuple[_Parameter, ...]:
    declarator = declarator_of(tokens_of(head))
    if declarator is None or declarator.parameters is None:
        return ()
    read = [parameter_of(tokens) for tokens in declarator.parameters]
    return tuple(
        _Parameter(it.name.text if it.name else "", it.is_const, it.indirection)
        for it in read
        if it
    )


class Accesses:
    """The accesses of one text's functions, found on demand."""

    def __init__(self, clean: str, items: list[Item]) -> None:
        """Serve the functions among `items` of a text whose structure is `clean`."""
        self.clean = clean
        self.items = items

    def access(self, item: Item, name: str, reference: bool) -> str:
        """Return read, write or read_write for parameter `name` of `item`, empty when unused.

        `reference`: the parameter is one, and no pointer.
        """
        return _NAMES[self._flags(item, name, reference, 0)]

    def cooperates(self, item: Item) -> bool:
        """Whether the body of `item`, or a function of the text that it calls, counts on others.

        It does when it waits at a barrier, shares threadgroup memory or exchanges values within a
        simdgroup.
        """
        return item.start in self._cooperative

    @cached_property
    def _cooperative(self) -> set[int]:
        places = [match.start() for match in _COOPERATIVE.finditer(self.clean)]
        bodies = [item for item in self.items if item.body >= 0] if places else []
        found = {it.start for it in bodies if any(it.body <= at < it.end for at in places)}
        names = self._named(found)
        while names and bodies:
            calls = re.compile(rf"\b(?:{'|'.join(sorted(names))})\b\s*(?:<[^()]*>\s*)?\(")
            more = {
                it.start
                for it in bodies
                if it.start not in found and calls.search(self.clean, it.body, it.end)
            }
            found |= more
            names = self._named(more)
        return found

    def _named(self, starts: set[int]) -> set[str]:
        functions = self._functions.items()
        return {name for name, items in functions for it in items if it.start in starts}

    @cached_property
    def _functions(self) -> dict[str, list[Item]]:
        found: dict[str, list[Item]] = {}
        for item in self.items:
            if item.shape is not Shape.FUNCTION:
                continue
            for match in _CALLED.finditer(self.clean, item.start, item.head):
                found.setdefault(match[1], []).append(item)
        return found

    def _flags(self, item: Item, name: str, reference: bool, depth: int) -> int:
        return self._uses(item, name, reference, depth)[0]

    def _uses(self, item: Item, name: str, reference: bool, depth: int) -> tuple[int, bool]:
        """Return what a function does to the memory, and whether it returns it."""
        if item.body < 0 or not name:
            return 0, False
        clean = self.clean[item.start : item.end]
        uses = uses_of(clean, name, reference, item.body - item.start)
        flags = uses.flags
        for call in uses.calls:
            flags |= self._passed(call, depth)
        return flags, uses.escapes

    def _passed(self, call: Call, depth: int) -> int:
        """Return what happens to an argument: the callee's use, or the worst when unknown."""
        unknown = READ | WRITE if call.pointer else READ
        flags = 0
        known = False
        for item in self._functions.get(call.name, ()) if depth < _DEPTH else ():
            parameters = _parameters_of(self.clean[item.start : item.head])
            if len(parameters) == call.given and call.position < call.given:
                known = True
                flags |= self._parameter_flags(item, parameters[call.position], call, depth)
        return flags if known else unknown

    def _parameter_flags(self, item: Item, parameter: _Parameter, call: Call, depth: int) -> int:
        if parameter.is_const or not parameter.indirection:
            return READ
        by_reference = parameter.indirection == "&"
        flags, escapes = self._uses(item, parameter.name, by_reference, depth + 1)
        if escapes and call.assigned:
            return flags
        # A body that never names its parameter uses it in a macro.
        return READ | WRITE if escapes or not flags else flags
