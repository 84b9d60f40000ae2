"""Dtypes that registrations spell or order otherwise than the host does."""

from collections.abc import Iterator, Mapping, Set
from typing import NamedTuple, TypeVar

from mkls.facts.model.launches import EventKind
from mkls.facts.model.metal import KernelArgument
from mkls.facts.model.name_expression import Concat, Dtype, NameExpression
from mkls.index.dtype_words import COMPLEX, FLOATING, METAL_SPELLINGS, slots_of
from mkls.index.kernels_link import Kernel
from mkls.index.links import lookups_in
from mkls.index.lookups import LinkedLookup
from mkls.index.name_patterns import Pattern, fits
from mkls.index.place import Place
from mkls.index.registrations import Argument, Registration, Step
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

T = TypeVar("T")
_Pair = tuple[str, str]


class Misspelt(NamedTuple):
    """An argument that spells a dtype as C++ does, and becomes part of a host name."""

    argument: Argument
    spelling: str
    host_name: str


class Swapped(NamedTuple):
    """A registration whose two dtypes stand in each other's place."""

    step: Step
    first: Argument
    second: Argument
    host_name: str
    usual: str


class SwappedLookup(NamedTuple):
    """A name expression that names the dtypes of output and input in the other order."""

    linked: LinkedLookup
    place: Place
    kernel: Kernel


def misspelt_dtypes(snapshot: Snapshot, uri: Uri) -> tuple[Misspelt, ...]:
    """Return the misspelt dtypes that stand in the document `uri`, each once."""
    return snapshot.once(_misspelt).get(uri, ())


def _misspelt(snapshot: Snapshot) -> Mapping[Uri, tuple[Misspelt, ...]]:
    found: dict[Place, Misspelt] = {}
    for registration in _all(snapshot):
        for argument in registration.leaf.arguments:
            spelling = METAL_SPELLINGS.get(argument.text)
            if spelling is None or argument.place in found:
                continue
            for kernel in registration.kernels:
                name = kernel.host_name
                if f"_{argument.text}" in name and not _is_asked_for(snapshot, name, argument.text):
                    found[argument.place] = Misspelt(argument, spelling, name)
                    break
    return _by_uri((it.argument.place.uri, it) for it in found.values())


def is_asked_for(snapshot: Snapshot, host_name: str) -> bool:
    """Whether some lookup may ask for a kernel of this name, unknown parts being anything."""
    return any(
        fits(pattern, host_name, snapshot.host.dtypes)
        for pattern in snapshot.once(_patterns)
        if not isinstance(pattern[0], str) or host_name.startswith(pattern[0])
    )


def _is_asked_for(snapshot: Snapshot, host_name: str, word: str) -> bool:
    """Whether host code spells the dtype in this way itself."""
    return any(
        fits(pattern, host_name, snapshot.host.dtypes)
        for pattern in snapshot.once(_patterns)
        if any(isinstance(part, str) and word in part for part in pattern)
    )


def _patterns(snapshot: Snapshot) -> frozenset[Pattern]:
    return frozenset(
        pattern
        for linked in snapshot.host.lookups
        for request in linked.requests
        for pattern in request.names.patterns
        if pattern
    )


def swapped_dtypes(snapshot: Snapshot, uri: Uri) -> tuple[Swapped, ...]:
    """Return the registrations in document `uri` whose dtypes are swapped, each once."""
    return snapshot.once(_swapped).get(uri, ())


def swapped_places(snapshot: Snapshot) -> frozenset[Place]:
    """Return the places of all registrations whose dtypes are swapped."""
    return frozenset(it.step.place for each in snapshot.once(_swapped).values() for it in each)


def _swapped(snapshot: Snapshot) -> Mapping[Uri, tuple[Swapped, ...]]:
    words = snapshot.host.dtypes
    found: dict[Place, Swapped] = {}
    for registrations in snapshot.kernels.registrations.values():
        families: dict[tuple[object, ...], list[tuple[Registration, _Named]]] = {}
        for registration in registrations:
            named = _named(registration, words)
            if named is not None:
                families.setdefault(named.family, []).append((registration, named))
        for members in families.values():
            for swapped in _swapped_among(members):
                if swapped.host_name in snapshot.kernels.duplicates:
                    continue
                found.setdefault(swapped.step.place, swapped)
    return _by_uri((it.step.place.uri, it) for it in found.values())


class _Named(NamedTuple):
    """A registration by two dtypes that its host names spell; `family` is all else of it."""

    family: tuple[object, ...]
    step: Step
    first: Argument
    second: Argument
    pair: _Pair


def _named(registration: Registration, words: frozenset[str]) -> _Named | None:
    step = registration.written(words)
    places = [index for index, it in enumerate(step.arguments) if it.text in words]
    if len(places) != 2:
        return None
    first, second = (step.arguments[index] for index in places)
    rest = tuple(it.text for it in step.arguments if it.text not in words)
    pair = (first.text, second.text)
    spelt = [slots_of(it.host_name, words)[1] for it in registration.kernels]
    if not any(set(pair) <= set(it) for it in spelt):
        return None
    return _Named((step.macro, rest), step, first, second, pair)


def _swapped_among(members: list[tuple[Registration, _Named]]) -> Iterator[Swapped]:
    for registration, named in members:
        if named.pair[0] == named.pair[1]:
            continue
        others = [it.pair for _, it in members if it.step.place != named.step.place]
        back = (named.pair[1], named.pair[0])
        if others and back not in others and _fit(back, others) > _fit(named.pair, others):
            usual = next(it for it in others)
            yield Swapped(
                named.step,
                named.first,
                named.second,
                registration.kernels[0].host_name,
                f"{usual[0]}, {usual[1]}",
            )


def _fit(pair: _Pair, others: list[_Pair]) -> float:
    """Return how well `pair` goes with `others`: each dtype by its column, and by its kind.

    A dtype that is new to a column counts the more, the fewer dtypes the column has.
    """
    score = 0.0
    for column in (0, 1):
        theirs = {it[column] for it in others}
        kinds = {_kind(it) for it in theirs}
        score += 2 / len(theirs) * (pair[column] in theirs) + 3 * (_kind(pair[column]) in kinds)
    # Where each input has one output, a second one for the same input is out of place.
    for column in (0, 1):
        column_of = [it[column] for it in others]
        if len(set(column_of)) == len(column_of) > 1 and pair[column] in column_of:
            score -= 4
    # The same order in another precision counts: (half, float) speaks for (bfloat, float).
    for before in ("half", "bfloat"):
        after = "bfloat" if before == "half" else "half"
        score += tuple(after if it == before else it for it in pair) in others
    return score


def _kind(dtype: str) -> str:
    if dtype in FLOATING:
        return "floating"
    return "complex" if dtype in COMPLEX else "integer"


def swapped_lookups(snapshot: Snapshot, uri: Uri) -> Iterator[SwappedLookup]:
    """Yield the lookups of `uri` that name output and input in the other order than kernels do."""
    for linked in lookups_in(snapshot, uri):
        spelt = _dtypes(linked.lookup.name)
        if len(spelt) != 2 or linked.function.macro:
            continue
        for request in linked.requests:
            kernel, column = _output_column(snapshot, request.names.kernels(snapshot.host_names))
            if kernel is None:
                continue
            roles = [_is_output(it.text, linked, kernel) for it in spelt]
            if roles[0] != roles[1] and not roles[column]:
                yield SwappedLookup(linked, linked.function.stated.place(spelt[0].span), kernel)
                break


def _dtypes(expression: NameExpression) -> list[Dtype]:
    parts = expression.parts if isinstance(expression, Concat) else (expression,)
    return [it for it in parts if isinstance(it, Dtype)]


def _is_output(text: str, linked: LinkedLookup, kernel: Kernel) -> bool:
    """Whether the tensor is what the kernel writes: by where it is bound, else by its name."""
    function = linked.function.function
    launches = function.launches if function else None
    for event in launches.events if launches else ():
        if event.kind is EventKind.BIND and event.name.text == text:
            return any(_is_written(it) for it in kernel.arguments if it.index == event.index)
    return text.lower().removeprefix("iter.").startswith(("out", "res", "dst"))


def _output_column(snapshot: Snapshot, names: list[str]) -> tuple[Kernel | None, int]:
    """Return a kernel whose name tells which of its two dtypes is that of what it writes."""
    for name in names:
        _, slots = slots_of(name, snapshot.host.dtypes)
        if len(slots) != 2 or slots[0] == slots[1]:
            continue
        for kernel in snapshot.kernels.by_host_name.get(name, ()):
            written = {it for each in kernel.arguments for it in _written(each, slots)}
            if len(written) == 1:
                return kernel, slots.index(next(iter(written)))
            named = _named_output(snapshot, kernel)
            if named in slots:
                return kernel, slots.index(named)
    return None, 0


def _named_output(snapshot: Snapshot, kernel: Kernel) -> str | None:
    """Return the argument of the macro's parameter for the output, if it is called so.

    Of `TI` and `TO`, and of `INPUT` and `OUTPUT`, what they do not share tells.
    """
    unit = snapshot.kernels.units.get(kernel.unit)
    macro = unit.macros.get(kernel.macro) if unit else None
    parameters = (macro.parameters or ()) if macro else ()
    if len(parameters) != 2 or len(kernel.macro_arguments) != 2:
        return None
    pairs = zip(*parameters, strict=False)
    shared = next((at for at, pair in enumerate(pairs) if pair[0] != pair[1]), 0)
    tails = [it[shared:].upper() for it in parameters]
    if [it[:1] for it in tails] == ["I", "O"]:
        return kernel.macro_arguments[1]
    return kernel.macro_arguments[0] if [it[:1] for it in tails] == ["O", "I"] else None


def _written(argument: KernelArgument, slots: tuple[str, ...]) -> Set[str]:
    return set(argument.type.split()).intersection(slots) if _is_written(argument) else frozenset()


def _is_written(argument: KernelArgument) -> bool:
    return argument.space == "device" and not argument.is_const and argument.indirection == "*"


def _all(snapshot: Snapshot) -> Iterator[Registration]:
    for registrations in snapshot.kernels.registrations.values():
        yield from registrations


def _by_uri(pairs: Iterator[tuple[Uri, T]]) -> Mapping[Uri, tuple[T, ...]]:
    found: dict[Uri, list[T]] = {}
    for uri, it in pairs:
        found.setdefault(uri, []).append(it)
    return {uri: tuple(each) for uri, each in found.items()}
