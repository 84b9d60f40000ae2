"""What the text does not say but the reader wants to know, in place."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from enum import Enum

import msgspec

from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.features.dtype_sets import dtype_set
from mkls.features.markdown import listed
from mkls.features.states import state_words
from mkls.index.kernels import KernelIndex
from mkls.index.kernels_link import Kernel
from mkls.index.mps_state import mps_state
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Uri
from mkls.text.span import Span
from mkls.text.wording import counted

_MOST_NAMES = 40


class HintKind(Enum):
    """What a hint tells; each can be switched off (`mkls.inlayHints.*`)."""

    BUFFER_INDICES = "buffer-indices"
    """The number that the compiler gives a parameter."""
    HOST_NAMES = "host-names"
    """How many host names a macro makes."""
    RESOLUTION = "resolution"
    """What a row runs on MPS."""
    DTYPES = "dtypes"
    """For which dtypes a functor or a template is registered."""


class Hint(msgspec.Struct, frozen=True):
    """`label` is shown behind `offset`, which lies in `about`."""

    offset: int
    label: str
    kind: HintKind
    about: Span


def inlay_hints(
    snapshot: Snapshot, source: Source, within: Span, hidden: frozenset[HintKind] = frozenset()
) -> list[Hint]:
    """Return the hints of `source` that stand in `within`, in the order of the text."""
    facts, uri = source.facts, source.document.uri
    found: list[Hint] = []
    if isinstance(facts, NativeFunctionsFacts) and HintKind.RESOLUTION not in hidden:
        found += _of_rows(snapshot, uri, within)
    elif isinstance(facts, MetalFacts):
        found += _of_metal(snapshot, snapshot.kernels, uri, facts, within)
    elif snapshot.host.document(uri) is not None:
        found += _of_shaders(snapshot, uri, within)
    inside = (it for it in found if it.offset in within and it.kind not in hidden)
    return sorted(inside, key=lambda it: it.offset)


def _of_rows(snapshot: Snapshot, uri: Uri, within: Span) -> Iterator[Hint]:
    rows = snapshot.operators.rows_in.get(uri, [])
    first = max(0, bisect_right(rows, within.start, key=_start) - 1)
    for row in rows[first : bisect_left(rows, within.end + 1, key=_start)]:
        if row.entry.func and row.entry.schema_start >= 0:
            span = row.place(row.entry.func.span)
            yield Hint(span.end, _row_label(snapshot, row), HintKind.RESOLUTION, row.name_span)


def _start(row: Row) -> int:
    return row.start


def _row_label(snapshot: Snapshot, row: Row) -> str:
    found = mps_state(snapshot, row)
    dtypes = " ".join(found.dtypes(snapshot))
    label = f"MPS: {state_words(found)}"
    return f"{label} ({dtypes})" if dtypes else label


def _of_metal(
    snapshot: Snapshot, index: KernelIndex, uri: Uri, facts: MetalFacts, within: Span
) -> Iterator[Hint]:
    yield from _implied_indices(facts, within)
    by_place: dict[Span, list[Kernel]] = {}
    by_template: dict[Span, list[Kernel]] = {}
    for it in index.kernels_of(uri):
        if it.uri == uri and it.macro:
            by_place.setdefault(it.span, []).append(it)
        if it.primary and it.primary.uri == uri and it.primary.span != it.span:
            by_template.setdefault(it.primary.span, []).append(it)
    for span, kernels in by_place.items():
        yield Hint(span.end, _made(kernels), HintKind.HOST_NAMES, span)
    for span, kernels in (*by_template.items(), *_functors(index, uri, facts)):
        if dtypes := dtype_set(snapshot, kernels):
            yield Hint(span.end, f"‹{dtypes}›", HintKind.DTYPES, span)


def _implied_indices(facts: MetalFacts, within: Span) -> Iterator[Hint]:
    for kernel in facts.kernels:
        if not kernel.explicit and kernel.head.overlaps(within):
            for it in kernel.arguments or ():
                if it.index is not None and not it.explicit:
                    label = f"[[{it.kind}({it.index})]]"
                    yield Hint(it.name.span.end, label, HintKind.BUFFER_INDICES, it.name.span)


def _made(kernels: list[Kernel]) -> str:
    names = list(dict.fromkeys(it.host_name for it in kernels))
    return f"→ {names[0]}" if len(names) == 1 else f"→ {counted(len(names), 'host name')}"


def _functors(
    index: KernelIndex, uri: Uri, facts: MetalFacts
) -> Iterator[tuple[Span, list[Kernel]]]:
    unit = index.unit_with(uri)
    made: dict[str, list[Kernel]] = {}
    for it in unit.kernels if unit else ():
        for argument in (*it.macro_arguments, *it.template_arguments):
            made.setdefault(argument.removesuffix("_functor"), []).append(it)
    for functor in facts.functors:
        yield functor.name.span, made.get(functor.name.text.removesuffix("_functor"), [])


def _of_shaders(snapshot: Snapshot, uri: Uri, within: Span) -> Iterator[Hint]:
    for shader in snapshot.inline_shaders.values():
        if shader.host != uri or not shader.span.overlaps(within):
            continue
        start = shader.span.start
        inner = within.shifted(-start)
        for it in _of_metal(snapshot, snapshot.inline_kernels, shader.uri, shader.facts, inner):
            yield Hint(it.offset + start, it.label, it.kind, it.about.shifted(start))


def hint_tooltip(snapshot: Snapshot, uri: Uri, kind: HintKind, about: Span) -> str:
    """Return more about the hint on `about`, as Markdown: made only when somebody looks."""
    if kind is HintKind.HOST_NAMES:
        names = [it.host_name for it in snapshot.kernels.kernels_of(uri) if it.span == about]
        return listed(list(dict.fromkeys(names)), _MOST_NAMES)
    if kind is HintKind.BUFFER_INDICES:
        return (
            "Parameters without a number take the lowest free ones in order (MSL, section 5.2.1)."
        )
    if kind is HintKind.RESOLUTION:
        rows = snapshot.operators.rows_in.get(uri, [])
        row = next((it for it in rows if it.name_span == about), None)
        names = list(mps_state(snapshot, row).kernels(snapshot)) if row else []
        return f"kernels: {listed(names, _MOST_NAMES)}" if names else ""
    return "The dtypes in the names of the kernels that are registered."
