"""Registrations that are reported for what they are: what follows from them is no second mistake.

A registration with a wrong dtype or macro takes another's host name, and leaves its own dtype out.
"""

from collections.abc import Mapping

from mkls.index.broken_invocations import undefined_macros, wrong_counts
from mkls.index.dtype_families import MissingDtype
from mkls.index.dtype_mistakes import misspelt_dtypes, swapped_places
from mkls.index.dtype_words import METAL_SPELLINGS, slots_of
from mkls.index.functors import unfit_registrations
from mkls.index.kernels_link import Kernel
from mkls.index.place import Place
from mkls.index.registrations import Registration, Step
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri


def is_accused(snapshot: Snapshot, kernel: Kernel) -> bool:
    """Whether the functor does not fit what registers `kernel`, or two dtypes are swapped there."""
    return Place(kernel.uri, kernel.span) in snapshot.once(_wrong_places)


def _wrong_places(snapshot: Snapshot) -> frozenset[Place]:
    swapped = swapped_places(snapshot)
    places = {it.top.place for it in unfit_registrations(snapshot)}
    if swapped:
        for registrations in snapshot.kernels.registrations.values():
            places |= {
                it.top.place
                for it in registrations
                if any(step.place in swapped for step in it.steps)
            }
    return frozenset(places)


def explains(snapshot: Snapshot, missing: MissingDtype) -> bool:
    """Whether a registration that is wrong itself stands in the place of what is missing.

    It names the same operator, or is what is missing but for the operator.
    """
    family = missing.family
    if undefined_macros(snapshot, family.source) or wrong_counts(snapshot, family.source):
        return True
    words = snapshot.host.dtypes | METAL_SPELLINGS.keys()
    names = {it for it in family.pattern[:1] if it != "{}"}
    swapped = swapped_places(snapshot)
    if any(member.step.place in swapped for member in family.members.values()):
        return True
    for registration in snapshot.once(_accused).get(family.source, ()):
        step = registration.written(words)
        if any(it.text in names for it in step.arguments[:1]):
            return True
        if step.macro == family.macro and _dtypes(step, words) == missing.dtypes:
            return True
    return False


def _dtypes(step: Step, words: frozenset[str]) -> tuple[str, ...]:
    slots = (slots_of(it.text, words)[1] for it in step.arguments)
    return tuple(METAL_SPELLINGS.get(it, it) for each in slots for it in each)


def _accused(snapshot: Snapshot) -> Mapping[Uri, tuple[Registration, ...]]:
    """Return the accused registrations of each source."""
    unfit = set(unfit_registrations(snapshot))
    twice = {
        Place(kernel.uri, kernel.span)
        for kernels in snapshot.kernels.duplicates.values()
        for kernel in kernels
    }
    misspelt = {
        it.argument.place for uri in snapshot.kernels.units for it in misspelt_dtypes(snapshot, uri)
    }
    swapped = swapped_places(snapshot)
    found: dict[Uri, tuple[Registration, ...]] = {}
    if not (unfit or twice or misspelt or swapped):
        return found
    for uri, registrations in snapshot.kernels.registrations.items():
        accused = tuple(
            it
            for it in registrations
            if it in unfit
            or it.top.place in twice
            or any(argument.place in misspelt for argument in it.leaf.arguments)
            or any(step.place in swapped for step in it.steps)
        )
        if accused:
            found[uri] = accused
    return found
