"""What registration macros demand of the functors that they are given.

The macros say it themselves, in the `static_assert` that compares `result_of<NAME##_functor, …>`
with a dtype; other macros demand nothing that is known here.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from mkls.facts.model.metal import Functor, FunctorCall
from mkls.index.dtype_mistakes import swapped_places
from mkls.index.dtype_words import COMPLEX, FLOATING
from mkls.index.kernels_unit import Unit
from mkls.index.place import Place
from mkls.index.registrations import Argument, Registration
from mkls.index.snapshot import Snapshot
from mkls.index.spelling import close_names
from mkls.syntax.metal.macro import Macro
from mkls.text.document import Uri

_RESULT: Final = re.compile(
    r"is_same_v\s*<\s*(?P<out>\w+)\s*,\s*(?:::\s*)?(?:\w+\s*::\s*)*result_of\s*<\s*"
    r"(?P<stem>\w+)\s*##\s*(?P<suffix>\w+)\s*(?P<inputs>(?:,\s*\w+\s*)+)>"
)
_CONTINUED: Final = re.compile(r"\\\n")
_INTEGERS: Final = frozenset(
    {"long", "int", "short", "char", "uchar", "bool", "ushort", "uint", "ulong"}
)
_ATOM: Final = re.compile(
    r"(?:::)?(?:\w+::)*(\w+?)(?:_v)?<(\w+)(?:,(?:::)?(?:\w+::)*(\w+))?>(?:::value)?"
)


class Demand(NamedTuple):
    """What a macro demands: `functor(inputs…)` gives the dtype `out`; all are its parameters."""

    stem: str
    suffix: str
    inputs: tuple[str, ...]
    out: str


class Unfit(NamedTuple):
    """A functor that a registration cannot use.

    `argument` is what names it, or the dtype that does not fit. `functor` is the place of the
    call operator. `actual` is the number of parameters, or the result's dtype. `others` are
    further registrations that it does not fit: then the functor is what is wrong.
    """

    name: str
    argument: Argument
    registration: Registration
    functor: Place | None
    expected: str
    actual: str
    others: tuple[Place, ...] = ()

    @property
    def place(self) -> Place:
        """What is wrong: the functor, if it fits hardly any of its registrations."""
        return self.functor if self.others and self.functor else self.argument.place

    @property
    def related(self) -> tuple[Place, ...]:
        """The other side: the registrations, or the functor."""
        if self.others:
            return (self.argument.place, *self.others)
        return (self.functor,) if self.functor else ()


@lru_cache(maxsize=512)
def demand_of(macro: Macro) -> Demand | None:
    """Return what `macro` demands of its functor."""
    found = _RESULT.search(_CONTINUED.sub(" ", macro.body))
    if found is None:
        return None
    inputs = tuple(it.strip() for it in found["inputs"].split(",")[1:])
    return Demand(found["stem"], found["suffix"], inputs, found["out"])


class _Use(NamedTuple):
    """A registration whose functor is known by name."""

    registration: Registration
    demand: Demand
    values: Mapping[str, Argument]
    name: str
    unit: Unit

    @property
    def functor(self) -> Functor | None:
        defined = self.unit.functors.get(self.name)
        return defined.functor if defined else None

    @property
    def place(self) -> Place | None:
        """The call operator that takes as many arguments, else the first; else the struct."""
        defined = self.unit.functors.get(self.name)
        if defined is None:
            return None
        calls = defined.functor.calls
        if not calls or defined.span != defined.functor.name.span:
            return Place(defined.uri, defined.span)
        wanted = len(self.demand.inputs)
        fitting = (it for it in calls if len(it.parameters) == wanted)
        return Place(defined.uri, next(fitting, calls[0]).span)

    @property
    def stem(self) -> Argument:
        return self.values[self.demand.stem]


def _uses(snapshot: Snapshot) -> Iterator[_Use]:
    for uri, registrations in snapshot.kernels.registrations.items():
        unit = snapshot.kernels.units[uri]
        for registration in registrations:
            macro = unit.macros.get(registration.leaf.macro)
            demand = demand_of(macro) if macro is not None else None
            if macro is None or demand is None:
                continue
            values = dict(zip(macro.parameters or (), registration.leaf.arguments, strict=False))
            if {demand.stem, demand.out, *demand.inputs} <= values.keys():
                name = values[demand.stem].text + demand.suffix
                yield _Use(registration, demand, values, name, unit)


def missing_functors(snapshot: Snapshot, uri: Uri) -> tuple[Unfit, ...]:
    """Return the functors that the registrations of document `uri` name and nothing defines."""
    return snapshot.once(_missing).get(uri, ())


def _missing(snapshot: Snapshot) -> Mapping[Uri, tuple[Unfit, ...]]:
    found: dict[tuple[Uri, str], Unfit] = {}
    for use in snapshot.once(_all_uses):
        if use.unit.complete and use.functor is None and not _is_declared(use):
            unfit = Unfit(use.name, use.stem, use.registration, None, "", "")
            found.setdefault((use.unit.uri, use.name), unfit)
    return _by_place(found.values())


def _all_uses(snapshot: Snapshot) -> tuple[_Use, ...]:
    return tuple(_uses(snapshot))


def _is_declared(use: _Use) -> bool:
    return any(
        declaration.name.text == use.name
        for facts in use.unit.visited.values()
        for declaration in facts.declarations
    )


def near_functors(snapshot: Snapshot, unfit: Unfit) -> list[Place]:
    """Return where functors are defined that may be meant."""
    unit = snapshot.kernels.units[unfit.registration.kernels[0].unit]
    close = close_names(unfit.name, unit.functors, most=1)
    return [Place(unit.functors[name].uri, unit.functors[name].span) for name in close]


def wrong_arities(snapshot: Snapshot, uri: Uri) -> tuple[Unfit, ...]:
    """Return the registrations of `uri` whose functor takes another number of arguments."""
    return snapshot.once(_wrong_arities).get(uri, ())


def _wrong_arities(snapshot: Snapshot) -> Mapping[Uri, tuple[Unfit, ...]]:
    return _by_place(_blamed(snapshot, snapshot.once(_each_wrong_arity)))


def _each_wrong_arity(snapshot: Snapshot) -> tuple[Unfit, ...]:
    found: dict[tuple[Place, str], Unfit] = {}
    for use in snapshot.once(_all_uses):
        calls = use.functor.calls if use.functor else ()
        counts = {len(it.parameters) for it in calls}
        wanted = len(use.demand.inputs)
        if counts and wanted not in counts and not any(_is_open(it) for it in calls):
            actual = str(min(counts))
            unfit = Unfit(use.name, use.stem, use.registration, use.place, str(wanted), actual)
            found.setdefault((use.stem.place, use.name), unfit)
    return tuple(found.values())


def _blamed(snapshot: Snapshot, found: Iterable[Unfit]) -> Iterator[Unfit]:
    """Yield what does not fit; of a functor that fits few of its registrations, once."""
    uses: dict[tuple[Uri, str], set[Place]] = {}
    for use in snapshot.once(_all_uses):
        key = (use.unit.uri, use.name)
        uses.setdefault(key, set()).add(use.values[use.demand.out].place)
    groups: dict[tuple[Uri, str], list[Unfit]] = {}
    for it in found:
        groups.setdefault((it.registration.kernels[0].unit, it.name), []).append(it)
    for key, group in groups.items():
        functor = group[0].functor
        if functor and functor.uri == key[0] and 1 < len(group) > len(uses[key]) / 2:
            others = tuple(it.argument.place for it in group[1:])
            yield group[0]._replace(others=others)
        else:
            yield from group


def _is_open(call: FunctorCall) -> bool:
    return any("..." in it or "=" in it for it in (*call.template, *call.parameters))


def fitting_macro(snapshot: Snapshot, unfit: Unfit) -> str | None:
    """Return the macro that takes the same arguments and a functor of this arity, if just one."""
    unit = snapshot.kernels.units[unfit.registration.kernels[0].unit]
    leaf = unfit.registration.leaf
    if len(unfit.registration.steps) != 1:
        return None
    found = [
        macro.name
        for macro in unit.macros.values()
        if len(macro.parameters or ()) == len(leaf.arguments)
        and (demand := demand_of(macro)) is not None
        and str(len(demand.inputs)) == unfit.actual
        and macro.name.startswith("REGISTER_")
    ]
    return found[0] if len(found) == 1 else None


def unfit_registrations(snapshot: Snapshot) -> tuple[Registration, ...]:
    """Return every registration whose functor has another arity, or gives another dtype."""
    return snapshot.once(_unfit_registrations)


def _unfit_registrations(snapshot: Snapshot) -> tuple[Registration, ...]:
    unfit = (*snapshot.once(_each_wrong_arity), *snapshot.once(_each_wrong_result))
    return tuple(it.registration for it in unfit)


def wrong_results(snapshot: Snapshot, uri: Uri) -> tuple[Unfit, ...]:
    """Return the registrations of `uri` whose dtype is certainly not what the functor gives."""
    return snapshot.once(_wrong_results).get(uri, ())


def _wrong_results(snapshot: Snapshot) -> Mapping[Uri, tuple[Unfit, ...]]:
    return _by_place(_blamed(snapshot, snapshot.once(_each_wrong_result)))


def _each_wrong_result(snapshot: Snapshot) -> tuple[Unfit, ...]:
    words, swapped = snapshot.host.dtypes, swapped_places(snapshot)
    found: dict[tuple[Place, str], Unfit] = {}
    for use in snapshot.once(_all_uses):
        out = use.values[use.demand.out]
        inputs = tuple(use.values[it].text for it in use.demand.inputs)
        if use.functor is None or out.text not in words or inputs[0] not in words:
            continue
        if any(step.place in swapped for step in use.registration.steps):
            continue
        result = result_of(use.functor, inputs)
        if result in words and result != out.text:
            unfit = Unfit(use.name, out, use.registration, use.place, str(result), out.text)
            found.setdefault((out.place, use.name), unfit)
    return tuple(found.values())


def result_of(functor: Functor, inputs: tuple[str, ...]) -> str | None:
    """Return the dtype that `functor` gives for `inputs`; None when that is not certain."""
    exact = [it.returns for it in functor.calls if _types(it) == inputs]
    if len(exact) == 1:
        return exact[0]
    results: set[str] = set()
    for call in functor.calls:
        if len(call.parameters) != len(inputs):
            continue
        bound = _deduced(call, inputs)
        holds = _holds(call.condition, bound) if bound is not None else False
        if holds is None:
            return None
        if holds and bound is not None:
            results.add(bound.get(call.returns, call.returns))
    return results.pop() if len(results) == 1 else None


def _types(call: FunctorCall) -> tuple[str, ...]:
    """Return the types of the parameters of a call that is no template."""
    if call.template:
        return ()
    words = ([word for word in it.split() if word != "const"] for it in call.parameters)
    return tuple(it[0] if it else "" for it in words)


def _deduced(call: FunctorCall, inputs: tuple[str, ...]) -> Mapping[str, str] | None:
    """Return what the template's parameters are for `inputs`, None when they contradict."""
    names = {it.split()[-1] for it in call.template if it.split()}
    bound: dict[str, str] = {}
    for parameter, value in zip(call.parameters, inputs, strict=True):
        words = [it for it in re.findall(r"\w+", parameter) if it != "const"]
        if words and words[0] in names and bound.setdefault(words[0], value) != value:
            return None
    return bound


def _holds(condition: str, bound: Mapping[str, str]) -> bool | None:
    """Return whether an `enable_if` lets these dtypes in, None when that is not known."""
    text = "".join(condition.split())
    if not text:
        return True
    if (alternatives := _split(text, "||"))[1:]:
        answers = {_holds(it, bound) for it in alternatives}
        return True if True in answers else None if None in answers else False
    if (conjuncts := _split(text, "&&"))[1:]:
        answers = {_holds(it, bound) for it in conjuncts}
        return False if False in answers else None if None in answers else True
    if text.startswith("!"):
        inner = _holds(text[1:], bound)
        return None if inner is None else not inner
    if text.startswith("(") and text.endswith(")"):
        return _holds(text[1:-1], bound)
    found = _ATOM.fullmatch(text)
    if found is None or found[2] not in bound:
        return None
    return _predicate(found[1], bound[found[2]], found[3])


def _predicate(name: str, dtype: str, other: str | None) -> bool | None:
    if name == "is_same":
        return dtype == other if other in {*FLOATING, *COMPLEX, *_INTEGERS} else None
    kinds: Mapping[str, frozenset[str]] = {
        "is_scalar_floating_point": frozenset(FLOATING),
        "is_floating_point": frozenset((*FLOATING, *COMPLEX)),
        "is_scalar_integral": _INTEGERS,
        "is_integral": _INTEGERS,
        "is_complex": frozenset(COMPLEX),
    }
    return dtype in kinds[name] if name in kinds else None


def _split(text: str, operator: str) -> list[str]:
    parts: list[str] = []
    depth = start = 0
    for index, mark in enumerate(text):
        depth += (mark in "(<") - (mark in ")>")
        if depth == 0 and text.startswith(operator, index):
            parts.append(text[start:index])
            start = index + len(operator)
    return [*parts, text[start:]]


def _by_place(found: Iterable[Unfit]) -> Mapping[Uri, tuple[Unfit, ...]]:
    by_uri: dict[Uri, list[Unfit]] = {}
    for it in found:
        by_uri.setdefault(it.place.uri, []).append(it)
    return {uri: tuple(each) for uri, each in by_uri.items()}
