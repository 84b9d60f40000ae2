"""The outline of a Metal document: its structs and templates, and what registers kernels."""

import re
from collections.abc import Iterable, Iterator, Mapping

from mkls.facts.model.metal import MetalFacts
from mkls.features.symbol import Symbol, SymbolKind
from mkls.index.kernels import KernelIndex
from mkls.index.kernels_link import Kernel
from mkls.index.snapshot import Snapshot
from mkls.syntax.metal.pattern import BLOCK_COMMENT, LINE_COMMENT
from mkls.text.document import Uri
from mkls.text.span import Span

_ARGUMENTS = re.compile(r"\s*<[^<>{};]*>")
_BETWEEN = re.compile(rf"(?:[;\s]|{LINE_COMMENT}|{BLOCK_COMMENT}|#[^\n]*)*")
_LEAST_RUN = 3
"""How many invocations of a macro that follow each other are a symbol of their own."""
_KINDS = {"struct": SymbolKind.STRUCT, "enum": SymbolKind.STRUCT, "function": SymbolKind.FUNCTION}


def metal_symbols(snapshot: Snapshot, uri: Uri, facts: MetalFacts) -> list[Symbol]:
    """Return the outline of `uri`, in the order of the text."""
    text = snapshot.sources[uri].document.text
    found = [
        *_declarations(facts, text),
        *_templates(facts),
        *registrations(snapshot.kernels, uri, text),
        *(Symbol(it.name.text, SymbolKind.MACRO, it.name.span, it.span) for it in facts.macros),
    ]
    return sorted(found, key=lambda it: (it.whole, it.span))


def _declarations(facts: MetalFacts, text: str) -> Iterator[Symbol]:
    for it in facts.declarations:
        if it.kind in _KINDS:
            # Specializations differ in nothing but what stands behind the name.
            arguments = _ARGUMENTS.match(text, it.name.span.end) if it.template == () else None
            name = it.name.text + (arguments[0] if arguments and it.name.text else "")
            yield Symbol(name, _KINDS[it.kind], it.name.span, it.span)


def _templates(facts: MetalFacts) -> Iterator[Symbol]:
    for it in facts.kernels:
        if it.is_template:
            yield Symbol(
                it.name.text, SymbolKind.FUNCTION, it.name.span, it.span, "kernel template"
            )


def registrations(index: KernelIndex, uri: Uri, text: str) -> Iterator[Symbol]:
    """Yield what registers kernels in `uri`, whose text is `text`.

    A family stands for one place that makes several, and for a run of one macro's invocations.
    """
    by_span: dict[Span, list[Kernel]] = {}
    for kernel in index.kernels_of(uri):
        if kernel.uri == uri:
            by_span.setdefault(kernel.span, []).append(kernel)
    for run in _runs(by_span, text):
        made = [_registration(span, by_span[span]) for span in run]
        if len(made) >= _LEAST_RUN:
            yield _family(by_span[run[0]][0].macro, made)
        else:
            yield from made


def _runs(by_span: Mapping[Span, list[Kernel]], text: str) -> Iterator[list[Span]]:
    """Yield places in order, those of one macro together that nothing else stands between."""
    run: list[Span] = []
    for span in sorted(by_span):
        macro = by_span[span][0].macro
        follows = run and macro and macro == by_span[run[-1]][0].macro
        if follows and _BETWEEN.fullmatch(text, run[-1].end, span.start):
            run.append(span)
            continue
        if run:
            yield run
        run = [span]
    if run:
        yield run


def _family(macro: str, made: list[Symbol]) -> Symbol:
    """Return one symbol for the invocations of a macro that follow each other."""
    count = sum(max(1, len(it.children)) for it in made)
    whole = Span(made[0].whole.start, made[-1].whole.end)
    span = made[0].span
    return Symbol(macro, SymbolKind.FAMILY, span, whole, f"{count} kernels", tuple(made))


def _registration(span: Span, kernels: Iterable[Kernel]) -> Symbol:
    kernels = list({kernel.host_name: kernel for kernel in kernels}.values())
    first = kernels[0]
    children = tuple(Symbol(it.host_name, SymbolKind.KERNEL, span, span) for it in kernels)
    if len(children) == 1:
        return Symbol(first.host_name, SymbolKind.KERNEL, span, span, first.macro)
    name = f"{first.macro}({', '.join(first.macro_arguments)})"
    detail = f"{len(children)} kernels"
    return Symbol(name, SymbolKind.FAMILY, first.name_span or span, span, detail, children)
