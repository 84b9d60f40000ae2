"""Registrations that differ in their dtypes alone, and which dtype such a family lacks.

The evidence for a missing dtype is always what stands beside it: the other dtypes of the family,
and other families of the same macro or source.
"""

from collections.abc import Iterable, Iterator, KeysView, Mapping
from typing import Final, NamedTuple

from mkls.facts.model.metal import KernelArgument, MetalFacts
from mkls.index.dtype_words import FLOATING, METAL_SPELLINGS, filled, slots_of
from mkls.index.kernels_link import Kernel
from mkls.index.place import Place
from mkls.index.registrations import Registration, Step
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.line_index import LineIndex, Position
from mkls.text.span import Span

Dtypes = tuple[str, ...]
_NEAR: Final = 4
"""How many lines further on a guard may open that belongs to a registration."""
_COMPLEX_OF: Final = {"float": "float2", "half": "half2"}
_REAL_OF: Final = {value: key for key, value in _COMPLEX_OF.items()}


class Family(NamedTuple):
    """The registrations of one source that differ only in dtypes.

    `macro` is "" for kernels instantiated by hand, whose `pattern` is that of their host name;
    else `pattern` are the macro's arguments with `{}` for dtypes.
    """

    source: Uri
    macro: str
    pattern: tuple[str, ...]
    members: Mapping[Dtypes, "Member"]


class Member(NamedTuple):
    """What registers a family's kernels for one combination of dtypes."""

    step: Step
    kernels: tuple[Kernel, ...]


class MissingDtype(NamedTuple):
    """A combination of dtypes that a family lacks.

    `sibling` is the member that it is like, `text` how it would be registered ("" for kernels
    instantiated by hand), `host_name` one of the names that are missing. `certain` is False when
    only the lack of bfloat beside float and half tells.
    """

    family: Family
    dtypes: Dtypes
    sibling: Member
    text: str
    host_name: str
    certain: bool


def families(snapshot: Snapshot) -> Mapping[Uri, tuple[Family, ...]]:
    """Return the families of each Metal source."""
    return snapshot.once(_families)


def _families(snapshot: Snapshot) -> Mapping[Uri, tuple[Family, ...]]:
    words = snapshot.host.dtypes | METAL_SPELLINGS.keys()
    return {
        uri: tuple(_families_of(uri, registrations, words))
        for uri, registrations in snapshot.kernels.registrations.items()
    }


def _families_of(
    uri: Uri, registrations: tuple[Registration, ...], words: frozenset[str]
) -> Iterator[Family]:
    found: dict[tuple[str, tuple[str, ...]], dict[Dtypes, Member]] = {}
    for registration in registrations:
        step = registration.written(words)
        if step.macro:
            slots = [slots_of(argument.text, words) for argument in step.arguments]
        else:
            slots = [slots_of(registration.kernels[0].host_name, words)]
        dtypes = tuple(METAL_SPELLINGS.get(it, it) for _, each in slots for it in each)
        if dtypes:
            members = found.setdefault((step.macro, tuple(it for it, _ in slots)), {})
            known = members.get(dtypes)
            before = known.kernels if known and known.step.place == step.place else ()
            if known is None or before:
                members[dtypes] = Member(step, before + registration.kernels)
    for (macro, pattern), members in found.items():
        yield Family(uri, macro, pattern, members)


def missing_dtypes(snapshot: Snapshot) -> tuple[MissingDtype, ...]:
    """Return the combinations of dtypes that families lack, judged by what stands beside them."""
    return snapshot.once(_missing_dtypes)


def _missing_dtypes(snapshot: Snapshot) -> tuple[MissingDtype, ...]:
    found: dict[tuple[Uri, str, str], MissingDtype] = {}
    for uri, group in families(snapshot).items():
        local = {it.name.text for it in snapshot.facts(MetalFacts)[uri].macros}
        variants = _by_name(snapshot, uri)
        for family in group:
            for dtypes, like, certain in _lacks(family, group, local, variants):
                missing = missing_dtype(snapshot, family, dtypes, like, certain)
                if missing is None or not (certain or not _is_variant(snapshot, missing, variants)):
                    continue
                found.setdefault((uri, missing.text, missing.host_name), missing)
    return tuple(found.values())


_NameSets = Mapping[str, frozenset[Dtypes]]


def _by_name(snapshot: Snapshot, source: Uri) -> _NameSets:
    """Return with which dtypes each host name of `source` is registered, by whatever macro."""
    found: dict[str, set[Dtypes]] = {}
    for kernel in snapshot.kernels.kernels_of(source):
        pattern, dtypes = slots_of(kernel.host_name, snapshot.host.dtypes)
        found.setdefault(pattern, set()).add(dtypes)
    return {pattern: frozenset(dtypes) for pattern, dtypes in found.items()}


def _is_variant(snapshot: Snapshot, missing: MissingDtype, names: _NameSets) -> bool:
    """Whether another kernel of the source has the very same dtypes: it is meant to be so."""
    words = snapshot.host.dtypes
    own = {slots_of(it.host_name, words)[0] for it in missing.sibling.kernels}
    mine = {names[pattern] for pattern in own if pattern in names}
    return any(theirs in mine for pattern, theirs in names.items() if pattern not in own)


_Lack = tuple[Dtypes, Dtypes, bool]
"""What is lacking, the member that it is like, and whether that is certain."""


def _lacks(
    family: Family, group: tuple[Family, ...], local: set[str], names: "_NameSets"
) -> Iterator[_Lack]:
    seen: set[Dtypes] = set()
    lacks = (
        *_by_precision(family),
        *_by_complex(family, group),
        *_by_macro(family, group, local),
        *_by_name_sets(family, names),
    )
    for lack in lacks:
        if lack[0] not in seen and lack[0] not in family.members:
            seen.add(lack[0])
            yield lack


def _by_precision(family: Family) -> Iterator[_Lack]:
    """Yield what is lacking of float, half and bfloat where the others are there."""
    members = family.members
    for dtypes, member in members.items():
        precision = _precision(dtypes)
        if precision is None:
            continue
        variants = {it: in_precision(dtypes, precision, it) for it in FLOATING}
        has = {it for it, variant in variants.items() if variant in members}
        if precision != "float" and "float" not in has and len(members) > 1:
            yield variants["float"], dtypes, True
        elif precision == "float" and has == {"float", "bfloat"}:
            yield variants["half"], dtypes, True
        elif precision == "float" and has == {"float", "half"} and not _is_complex(dtypes, member):
            yield variants["bfloat"], variants["half"], False


def _precision(dtypes: Dtypes) -> str | None:
    """Return the floating type that all floating and complex ones of `dtypes` are of."""
    real = {_REAL_OF.get(it, it) for it in dtypes}
    found = real.intersection(FLOATING)
    return next(iter(found)) if len(found) == 1 else None


def in_precision(dtypes: Dtypes, before: str, after: str) -> Dtypes:
    """Return `dtypes` with `after` for `before`, in real and complex numbers.

    There is no complex bfloat: "" stands in its place.
    """
    changed = {before: after}
    if before in _COMPLEX_OF:
        changed[_COMPLEX_OF[before]] = _COMPLEX_OF.get(after, "")
    return tuple(changed.get(it, it) for it in dtypes)


def _is_complex(dtypes: Dtypes, member: Member) -> bool:
    """Whether the kernels work on complex numbers, of which none is made of bfloat."""
    if not _REAL_OF.keys().isdisjoint(dtypes):
        return True
    return any(_is_pair(it) for kernel in member.kernels for it in kernel.arguments)


def _is_pair(argument: KernelArgument) -> bool:
    words = argument.type.replace("<", " ").replace(",", " ").replace(">", " ").split()
    of_two = "vec" in words and "2" in words
    return argument.indirection == "*" and (of_two or not _REAL_OF.keys().isdisjoint(words))


def _by_macro(family: Family, group: tuple[Family, ...], local: set[str]) -> Iterator[_Lack]:
    """Yield the one combination that all other families of this macro have.

    That tells only of the source's own macros (`local`), made for operators that are alike.
    """
    own = family.members.keys()
    others = [
        it.members.keys()
        for it in group
        if it is not family and it.macro == family.macro and len(it.pattern) == len(family.pattern)
    ]
    if family.macro in local and others:
        yield from _one_more(own, others[0], all(it == others[0] for it in others[1:]))
        return


def _by_name_sets(family: Family, names: _NameSets) -> Iterator[_Lack]:
    """Yield the one floating dtype that several kernels of the source have, whatever their macro.

    It tells nothing while some other kernel has just the dtypes that this one has.
    """
    if not family.macro or any(len(it) != 1 for it in family.members):
        return
    own = frozenset(family.members)
    theirs = [it for it in names.values() if it and own != it]
    same = sum(own == it for it in names.values())
    wide = [it for it in theirs if own < it and len(it) == len(own) + 1]
    if same == 1 and len(wide) > 1 and len(set(wide)) == 1:
        (lack,) = wide[0] - own
        if _precision(lack):
            yield lack, min(own), True


def _by_complex(family: Family, group: tuple[Family, ...]) -> Iterator[_Lack]:
    """Yield the complex precision that is lacking where a like family has both."""
    for dtypes in family.members:
        precision = _precision(dtypes)
        if precision not in _COMPLEX_OF or _REAL_OF.keys().isdisjoint(dtypes):
            continue
        lack = in_precision(dtypes, precision, "half" if precision == "float" else "float")
        if any(
            lack in it.members and dtypes in it.members
            for it in group
            if it is not family and (it.macro == family.macro or it.pattern == family.pattern)
        ):
            yield lack, dtypes, True


def _one_more(own: KeysView[Dtypes], other: KeysView[Dtypes], agreed: bool) -> Iterator[_Lack]:
    mine, theirs = frozenset(own), frozenset(other)
    if agreed and mine < theirs and len(theirs) == len(mine) + 1:
        (lack,) = theirs - mine
        yield lack, min(mine), True


def missing_dtype(
    snapshot: Snapshot, family: Family, dtypes: Dtypes, like: Dtypes, certain: bool
) -> MissingDtype | None:
    """Return what is missing, None when other registrations make all of its kernels."""
    sibling = family.members[like]
    words = snapshot.host.dtypes
    changed = dict(zip(like, dtypes, strict=True))
    names: list[str] = []
    for kernel in sibling.kernels:
        pattern, slots = slots_of(kernel.host_name, words)
        names.append(filled(pattern, tuple(changed.get(it, it) for it in slots)))
    lacking = [name for name in names if name not in snapshot.host_names]
    if not lacking or not all(dtypes):
        return None
    text = ""
    if family.macro:
        parts: list[str] = []
        rest = dtypes
        for pattern in family.pattern:
            count = pattern.count("{}")
            parts.append(filled(pattern, rest[:count]))
            rest = rest[count:]
        text = f"{family.macro}({', '.join(parts)})"
    return MissingDtype(family, dtypes, sibling, text, lacking[0], certain)


def last_member(family: Family) -> Place:
    """Return the place of the family's last registration."""
    return max(member.step.place for member in family.members.values())


def insertion_line(snapshot: Snapshot, missing: MissingDtype) -> Place | None:
    """Return where the line belongs that registers what is missing: an empty span at its start.

    Sources keep the dtypes of a family together, in the order float, half, bfloat, or the families
    of a dtype, each time in the same order; bfloat goes where the source keeps what only newer
    versions of Metal know.
    """
    members = {it.step.place: dtypes for dtypes, it in missing.family.members.items()}
    places = sorted(members)
    uri = places[0].uri
    source = snapshot.sources.get(uri)
    if source is None or any(it.uri != uri for it in places):
        return None
    lines = source.document.lines
    beside = _beside(snapshot, missing)
    if beside is not None:
        return Place(uri, Span(beside, beside))
    rank = _rank(missing.dtypes)
    lower = [it for it in places if _rank(members[it]) <= rank]
    before = max(lower, key=lambda it: _rank(members[it]), default=None)
    if before is not None:
        start = _line_after(lines, _end(missing.family.members[members[before]]))
        if "bfloat" in missing.dtypes:
            start = _guarded(snapshot, uri, (places[-1], before), start)
    else:
        start = lines.offset(Position(lines.line(places[0].span.start), 0))
    return Place(uri, Span(start, start))


def _line_after(lines: LineIndex, offset: int) -> int:
    return lines.offset(Position(lines.line(offset) + 1, 0))


def _end(member: Member) -> int:
    """Return where what registers a member ends: of an instantiation by hand, its signature."""
    written = member.kernels[0].registered
    by_hand = not member.step.macro and written.invocation is None
    return written.kernel.span.end if by_hand else member.step.place.span.end


def _beside(snapshot: Snapshot, missing: MissingDtype) -> int | None:
    """Return the line next to the same dtypes' registration of the family's neighbour.

    Neighbours are the families that stand before and after this one for another dtype.
    """
    lines = snapshot.sources[missing.family.source].document.lines
    group = families(snapshot)[missing.family.source]
    theirs = [_lines_of(lines, it, missing.dtypes) for it in group]
    guarded = "bfloat" in missing.dtypes
    for like in missing.family.members:
        if "bfloat" in like and not guarded:
            continue
        order = sorted(
            (row, it) for it, each in enumerate(group) if (row := _lines_of(lines, each, like))
        )
        at = next((n for n, (_, it) in enumerate(order) if group[it] is missing.family), None)
        if at is None:
            continue
        before, after = order[max(at - 1, 0)], order[min(at + 1, len(order) - 1)]
        for one, other, neighbour in ((before, order[at], before), (order[at], after, after)):
            found = theirs[neighbour[1]]
            if found is None or not _is_near(found, order[at][0]):
                continue
            if guarded or (_is_next(one, other) and neighbour[0][1] + 1 != found[0]):
                line = found[1] + 1 if neighbour is before else found[0]
                return lines.offset(Position(line, 0))
    return None


_Row = tuple[tuple[int, int], int]
"""The lines of a registration, and the number of its family."""


def _is_near(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(one[0] - other[0]) < 2 * _NEAR


def _is_next(one: _Row, other: _Row) -> bool:
    return one[0][1] + 1 == other[0][0]


def _lines_of(lines: LineIndex, family: Family, dtypes: Dtypes) -> tuple[int, int] | None:
    """Return the first and the last line of a registration by a macro of the family's source."""
    member = family.members.get(dtypes)
    if member is None or not family.macro or member.step.place.uri != family.source:
        return None
    span = member.step.place.span
    return lines.line(span.start), lines.line(span.end)


def _rank(dtypes: Dtypes) -> tuple[int, ...]:
    order = (*FLOATING, *_REAL_OF)
    return tuple(order.index(it) if it in order else len(order) for it in dtypes)


def _guarded(snapshot: Snapshot, uri: Uri, after: Iterable[Place], otherwise: int) -> int:
    """Return the end of the guarded lines that follow a place at once, if there are any."""
    lines = snapshot.sources[uri].document.lines
    facts = snapshot.facts(MetalFacts).get(uri)
    guards = [
        it.span
        for it in (facts.regions if facts else ())
        if it.directive == "if" and "__METAL_VERSION__" in it.condition
    ]
    for place in after:
        last = lines.line(place.span.end)
        for span in guards:
            if last < lines.line(span.start) <= last + _NEAR:
                return span.end
    return otherwise
