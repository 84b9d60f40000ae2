"""Write registrations with the macros at hand, their arguments in the order that they demand."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from mkls.generation.dtypes import result_of
from mkls.generation.kernel_work import KernelWork
from mkls.index.functors import demand_of
from mkls.index.snapshot import Snapshot
from mkls.syntax.metal.macro import Macro
from mkls.text.document import Uri

_CALL: Final = re.compile(r"(\w+)\(([^()]*)\)")
_PREFIX: Final = {1: "UNARY", 2: "BINARY", 3: "TERNARY"}
_DEPTH: Final = 6
_USUAL: Final = ("name", "in", "alpha", "out")


class Line(NamedTuple):
    """One registration: the macro, and what it is given."""

    macro: str
    arguments: tuple[str, ...]

    @property
    def text(self) -> str:
        """How it is written."""
        return f"{self.macro}({', '.join(self.arguments)});\n"


def macros_for(work: KernelWork) -> tuple[str, ...]:
    """Return the macros of `c10/metal/indexing.h` that register `work`."""
    prefix = _PREFIX[work.known.arity]
    alpha = "_ALPHA" if work.known.alpha else ""
    plain = f"REGISTER_{prefix}{alpha}_OP"
    is_predicate = work.known.result == "bool" and work.known.arity == 2 and not alpha
    return (plain, f"REGISTER_{prefix}_CASTOUT_OP") if is_predicate else (plain,)


def registration_lines(snapshot: Snapshot, metal: Uri | None, work: KernelWork) -> list[str]:
    """Return the lines that register `work` in the source `metal`, or in a new one.

    Macros of the source that register for several dtypes at once are used where they fit.
    """
    macros = _macros_at_hand(snapshot, metal)
    wanted = [
        Line(name, _arguments(macros, name, work, dtype))
        for dtype in work.dtypes
        for name in macros_for(work)
    ]
    wrappers = _wrappers(snapshot, metal, macros, work, frozenset(wanted)) if metal else []
    chosen: list[tuple[int, str]] = []
    left = list(wanted)
    for name, made in wrappers:
        if made <= frozenset(left):
            left = [it for it in left if it not in made]
            first = min(map(wanted.index, made))
            chosen.append((first, Line(name, (work.stem,)).text))
    chosen += [(wanted.index(it), it.text) for it in left]
    return [text for _, text in sorted(chosen)]


def _macros_at_hand(snapshot: Snapshot, metal: Uri | None) -> Mapping[str, Macro]:
    unit = snapshot.kernels.units.get(metal) if metal else None
    if unit is not None:
        return unit.macros
    for it in snapshot.kernels.units.values():
        if "REGISTER_UNARY_OP" in it.macros:
            return it.macros
    return {}


def _arguments(
    macros: Mapping[str, Macro], name: str, work: KernelWork, dtype: str
) -> tuple[str, ...]:
    alpha = dtype if work.known.alpha == "T" else work.known.alpha
    values = {
        "name": work.stem,
        "in": dtype,
        "alpha": alpha,
        "out": result_of(work.known, dtype),
    }
    roles = _roles(macros, name) or tuple(it for it in _USUAL if it != "alpha" or alpha)
    return tuple(values[role] for role in roles)


def _roles(macros: Mapping[str, Macro], name: str, depth: int = 0) -> tuple[str, ...]:
    """Return what each parameter of macro `name` is, as its own text says; () if it does not."""
    macro = macros.get(name)
    if macro is None or not macro.parameters or depth > _DEPTH:
        return ()
    demand = demand_of(macro)
    if demand is not None:
        has_alpha = len(set(demand.inputs)) > 1
        known = {demand.stem: "name", demand.out: "out", demand.inputs[0]: "in"}
        if has_alpha:
            known[demand.inputs[-1]] = "alpha"
        roles = tuple(known.get(it, "") for it in macro.parameters)
        return roles if all(roles) else ()
    inner = _CALL.match(macro.body.strip().replace("\\\n", " "))
    if inner is None:
        return ()
    given = [it.strip() for it in inner[2].split(",")]
    return _handed_on(macro, given, _inner_roles(macros, inner[1], depth))


def _inner_roles(macros: Mapping[str, Macro], name: str, depth: int) -> tuple[str, ...]:
    """As `_roles`, where parameters may be something else beside, such as an opmath type."""
    macro = macros.get(name)
    demand = demand_of(macro) if macro is not None else None
    if macro is None or demand is None:
        return _roles(macros, name, depth + 1)
    known = {demand.stem: "name", demand.out: "out", demand.inputs[0]: "in"}
    return tuple(known.get(it, "other") for it in macro.parameters or ())


def _handed_on(macro: Macro, given: Sequence[str], roles: Sequence[str]) -> tuple[str, ...]:
    known = {
        argument: role
        for argument, role in reversed(list(zip(given, roles, strict=False)))
        if role != "other"
    }
    found = tuple(known.get(it, "") for it in macro.parameters or ())
    return found if all(found) else ()


def _wrappers(
    snapshot: Snapshot,
    metal: Uri,
    macros: Mapping[str, Macro],
    work: KernelWork,
    wanted: frozenset[Line],
) -> list[tuple[str, frozenset[Line]]]:
    """Return the macros of the source that make nothing but wanted lines, those of most first."""
    unit = snapshot.kernels.units.get(metal)
    own = unit.visited.get(metal) if unit else None
    found: list[tuple[str, frozenset[Line]]] = []
    for it in own.macros if own else ():
        if it.parameters is not None and len(it.parameters) == 1:
            made = frozenset(_made(macros, it.name.text, (work.stem,), frozenset(macros_for(work))))
            if len(made) > 1 and made <= wanted:
                found.append((it.name.text, made))
    return sorted(found, key=lambda pair: -len(pair[1]))


def _made(
    macros: Mapping[str, Macro],
    name: str,
    arguments: tuple[str, ...],
    leaves: frozenset[str],
    depth: int = 0,
) -> Iterator[Line]:
    """Yield the registrations that an invocation comes to; one that is no leaf spoils them all."""
    macro = macros.get(name)
    if name in leaves or macro is None or depth > _DEPTH:
        yield Line(name, arguments)
        return
    values = dict(zip(macro.parameters or (), arguments, strict=False))
    rest = _CALL.sub("", macro.body.replace("\\\n", " ")).replace(";", "").strip(" \t\\\r\n")
    if rest:
        yield Line(name, arguments)
        return
    for call in _CALL.finditer(macro.body):
        given = tuple(values.get(it.strip(), it.strip()) for it in call[2].split(","))
        yield from _made(macros, call[1], given, leaves, depth + 1)
