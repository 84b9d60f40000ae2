"""Invocations of registering macros that no macro answers: undefined, or given too little."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from mkls.facts.model.metal import Invocation
from mkls.index.kernels_unit import Unit
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.index.spelling import close_names
from mkls.text.document import Uri

_MACRO: Final = re.compile(r"[A-Z][A-Z0-9_]+")
_REGISTERS: Final = re.compile(r"(?:REGISTER|INSTANTIATE|instantiate)_")


class UndefinedMacro(NamedTuple):
    """An invocation of what is no macro; `close` are macros that may be meant."""

    invocation: Invocation
    close: tuple[str, ...]


class WrongCount(NamedTuple):
    """An invocation with another number of arguments than its macro, which `place` defines."""

    invocation: Invocation
    wanted: int
    given: int
    place: Place


def undefined_macros(snapshot: Snapshot, uri: Uri) -> tuple[UndefinedMacro, ...]:
    """Return the invocations in the source `uri` of macros that nothing defines.

    Nothing is certain while a header is not at hand.
    """
    return snapshot.once(_undefined).get(uri, ())


def _undefined(snapshot: Snapshot) -> Mapping[Uri, tuple[UndefinedMacro, ...]]:
    found: dict[Uri, tuple[UndefinedMacro, ...]] = {}
    for uri, unit in snapshot.kernels.units.items():
        names = {it.name for it in unit.missing}
        if not names or any("/" in name or "." in name for name in names):
            continue
        lacking = names - unit.macros.keys() - unit.invoked.keys()
        each = tuple(
            UndefinedMacro(it, close)
            for it in unit.visited[uri].invocations
            if it.name.text in lacking and (close := _close(unit, it.name.text)) is not None
        )
        if each:
            found[uri] = each
    return found


def _close(unit: Unit, name: str) -> tuple[str, ...] | None:
    """Return what `name` may mean; None when it may be no macro at all."""
    if not _MACRO.fullmatch(name):
        return None
    known = (it.name for it in unit.macros.values() if it.parameters is not None)
    close = tuple(close_names(name, known))
    return close if close or _REGISTERS.match(name) else None


def wrong_counts(snapshot: Snapshot, uri: Uri) -> tuple[WrongCount, ...]:
    """Return the invocations in the source `uri` that give a macro too few or too many arguments.

    A macro that is defined more than once may be any of its definitions.
    """
    return snapshot.once(_wrong_counts).get(uri, ())


def _wrong_counts(snapshot: Snapshot) -> Mapping[Uri, tuple[WrongCount, ...]]:
    found: dict[Uri, tuple[WrongCount, ...]] = {}
    for uri, unit in snapshot.kernels.units.items():
        places = _single_definitions(unit)
        each = tuple(
            WrongCount(it, wanted, given, place)
            for it in unit.visited[uri].invocations
            if it.arguments is not None and it.name.text in places
            for place, wanted, variadic in (places[it.name.text],)
            if (given := _count(it, wanted)) != wanted and not (variadic and given >= wanted - 1)
        )
        if each:
            found[uri] = each
    return found


def _count(invocation: Invocation, wanted: int) -> int:
    """Return how many arguments an invocation gives: `F()` gives none, or an empty one."""
    arguments = invocation.arguments or ()
    is_empty = len(arguments) == 1 and not arguments[0].text.strip()
    return 0 if is_empty and wanted == 0 else len(arguments)


def _single_definitions(unit: Unit) -> Mapping[str, tuple[Place, int, bool]]:
    """Return place, number of parameters and variadicity of each macro defined just once."""
    found: dict[str, list[tuple[Place, int, bool]]] = {}
    for uri, facts in unit.visited.items():
        for macro in facts.macros:
            parameters = macro.parameters
            if parameters is not None:
                variadic = bool(parameters) and parameters[-1].endswith("...")
                it = (Place(uri, macro.name.span), len(parameters), variadic)
                found.setdefault(macro.name.text, []).append(it)
    return {name: each[0] for name, each in found.items() if len({it[1:] for it in each}) == 1}
