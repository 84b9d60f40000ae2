"""For which versions of Metal a tree is built, as far as its own sources tell."""

import re
from typing import Final, NamedTuple

from mkls.facts.model.metal import Invocation, MetalFacts
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span

_OLD: Final = re.compile(r"__METAL_VERSION__\s*>=\s*(?:30\d|310)\b")
_BFLOAT: Final = re.compile(r"bfloat\d?\b")


def _own(snapshot: Snapshot) -> dict[Uri, MetalFacts]:
    facts = snapshot.facts(MetalFacts)
    return {uri: it for uri, it in facts.items() if uri not in snapshot.library}


def has_constexpr_macro(snapshot: Snapshot) -> bool:
    """Whether the tree has `IF_CONSTEXPR`, and defines it as nothing for Metal 3."""
    return any(
        macro.name.text == "IF_CONSTEXPR" and not macro.body.strip()
        for facts in _own(snapshot).values()
        for macro in facts.macros
    )


def _guards_old_versions(snapshot: Snapshot) -> bool:
    return any(
        _OLD.search(region.condition)
        for facts in _own(snapshot).values()
        for region in facts.regions
    )


def builds_for_metal3(snapshot: Snapshot) -> bool:
    """Whether the tree takes care that its sources compile for Metal 3."""
    return snapshot.once(has_constexpr_macro) or snapshot.once(_guards_old_versions)


def guards_bfloat(snapshot: Snapshot) -> bool:
    """Whether the tree registers `bfloat` for Metal 3.1 and later alone."""
    return any(
        _OLD.search(region.condition) and any(_within(region.span, it) for it in bfloats_of(facts))
        for facts in _own(snapshot).values()
        for region in facts.regions
    )


def _within(span: Span, invocation: Invocation) -> bool:
    return span.start <= invocation.span.start < span.end


def bfloats_of(facts: MetalFacts) -> list[Invocation]:
    """Return the invocations that hand `bfloat` to a macro."""
    return [
        it for it in facts.invocations if any(_BFLOAT.fullmatch(a.text) for a in it.arguments or ())
    ]


class Bfloats(NamedTuple):
    """Text that has the type at `span`: neighbouring registrations by `macro`, or a function."""

    span: Span
    whole: Span
    macro: str


def unguarded_bfloats(snapshot: Snapshot, uri: Uri) -> list[Bfloats]:
    """Return where document `uri` has `bfloat` and no condition guards it."""
    facts = snapshot.facts(MetalFacts).get(uri)
    if facts is None or not snapshot.once(guards_bfloat):
        return []
    functions = [
        Bfloats(it.span, it.edit, "")
        for it in facts.bodies.bfloat_functions
        if it.edit and not _is_guarded(facts, it.span)
    ]
    return [*_registrations(facts), *functions]


def _registrations(facts: MetalFacts) -> list[Bfloats]:
    wanted = {it.span for it in bfloats_of(facts) if not _is_guarded(facts, it.span)}
    runs: list[list[Invocation]] = [[]]
    for invocation in facts.invocations if wanted else ():
        if invocation.span in wanted:
            runs[-1].append(invocation)
        else:
            runs.append([])
    return [
        Bfloats(_word(run[0]), Span(run[0].span.start, run[-1].span.end), run[0].name.text)
        for run in runs
        if run
    ]


def _word(invocation: Invocation) -> Span:
    arguments = invocation.arguments or ()
    return next(it.span for it in arguments if _BFLOAT.fullmatch(it.text))


def _is_guarded(facts: MetalFacts, span: Span) -> bool:
    return any(it.span.start <= span.start < it.span.end for it in facts.regions)
