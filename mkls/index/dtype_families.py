"""Registrations that differ in their dtypes alone, and which dtype such a family lacks.

The evidence for a missing dtype is always what stands beside it: the other dtypes of the family,
and other families of the same macro or source.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mkls.facts.model.metal import KernelArgument
from mkls.index.dtype_words import FLOATING, METAL_SPELLINGS, filled, slots_of
from mkls.index.kernels_link import Kernel
from mkls.index.place import Place
from mkls.index.registrations import Registration, Step
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

Dtypes = tuple[str, ...]
_COMPLEX_OF: Final = {"float": "float2", "half": "half2"}
_REAL_OF: Final = {value: key for key, value in _COMPLEX_OF.items()}
_HEADER: Final = ".h"


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
        for family in group:
            for dtypes, like, certain in _lacks(family, group):
                missing = _missing(snapshot, family, dtypes, like, certain)
                if missing is not None:
                    found.setdefault((uri, missing.text, missing.host_name), missing)
    return tuple(found.values())


_Lack = tuple[Dtypes, Dtypes, bool]
"""What is lacking, the member that it is like, and whether that is certain."""


def _lacks(family: Family, group: tuple[Family, ...]) -> Iterator[_Lack]:
    seen: set[Dtypes] = set()
    for lack in (*_by_precision(family), *_by_macro(family, group)):
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
        variants = {it: _in_precision(dtypes, precision, it) for it in FLOATING}
        has = {it for it, variant in variants.items() if variant in members}
        if precision != "float" and "float" not in has:
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


def _in_precision(dtypes: Dtypes, before: str, after: str) -> Dtypes:
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


def _by_macro(family: Family, group: tuple[Family, ...]) -> Iterator[_Lack]:
    """Yield the one combination that all other families of this macro have."""
    own = family.members.keys()
    others = [
        it.members.keys()
        for it in group
        if it is not family and it.macro == family.macro and len(it.pattern) == len(family.pattern)
    ]
    if family.macro and others and _is_local(family):
        yield from _one_more(own, others[0], all(it == others[0] for it in others[1:]))
        return
    alike = [it.members.keys() for it in group if it is not family and it.macro and family.macro]
    wide = [it for it in alike if own < it and len(it) == len(own) + 1]
    if len(wide) > 1 and not any(it == own for it in alike):
        yield from (
            lack for lack in _one_more(own, wide[0], wide[0] == wide[1]) if _precision(lack[0])
        )


def _one_more(own: "set[Dtypes] | object", other: object, agreed: bool) -> Iterator[_Lack]:
    mine, theirs = frozenset(own), frozenset(other)  # type: ignore[arg-type]
    if agreed and mine < theirs and len(theirs) == len(mine) + 1:
        (lack,) = theirs - mine
        yield lack, min(mine), True


def _is_local(family: Family) -> bool:
    """Whether the macro that registers the family is the source's own, not a header's."""
    return not any(
        kernel.registered.invocation is None for it in family.members.values() for kernel in it.kernels
    )


def _missing(
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
