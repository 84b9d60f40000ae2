"""What the cursor is on in a Metal document, or in a Metal source within host code."""

import re
from collections.abc import Iterator

from mkls.facts.model.metal import MacroDefinition
from mkls.features.subjects import (
    FunctorName,
    IncludedFile,
    KernelRegistration,
    KernelTemplate,
    RegistrationMacro,
    Subject,
)
from mkls.features.words import word_at
from mkls.index.kernels import KernelIndex
from mkls.index.kernels_link import Kernel
from mkls.index.kernels_unit import Unit
from mkls.text.document import Uri
from mkls.text.span import Span

_TEXT = re.compile(r'"([^"\n]*)"')


def metal_subject(index: KernelIndex, uri: Uri, text: str, offset: int) -> Subject | None:
    """Return what stands at `offset` of `uri`, among the kernels of `index`."""
    registered = tuple(it for it in index.kernels_of(uri) if it.uri == uri and offset in it.span)
    word = word_at(text, offset)
    if word and (found := next(_named(index, uri, word, word.of(text), registered), None)):
        return found
    if registered:
        return KernelRegistration(registered[0].span, registered)
    return _include(index, uri, offset) or _in_macro(index, uri, text, offset)


def _in_macro(index: KernelIndex, uri: Uri, text: str, offset: int) -> KernelRegistration | None:
    """Return the kernels whose names a text in a macro's body begins."""
    unit = index.unit_with(uri)
    facts = unit.visited.get(uri) if unit else None
    macro = next((it for it in facts.macros if offset in it.body_span), None) if facts else None
    spelled = _text_at(text, macro.body_span, offset) if macro else None
    if unit is None or macro is None or spelled is None:
        return None
    made = (it for it in unit.kernels if it.host_name.startswith(spelled.of(text)))
    kernels = tuple(it for it in made if _goes_through(index, unit, it, macro))
    return KernelRegistration(spelled, kernels) if kernels else None


def _text_at(text: str, body: Span, offset: int) -> Span | None:
    for match in _TEXT.finditer(text, body.start, body.end):
        span = Span(*match.span(1))
        if offset in span and span.start < span.end:
            return span
    return None


def _goes_through(index: KernelIndex, unit: Unit, kernel: Kernel, macro: MacroDefinition) -> bool:
    invocation = kernel.registered.invocation
    if invocation is None:
        return False
    used = index.walks.expansion(invocation.text, {**unit.macros, **unit.invoked}).used
    return any(it.name == macro.name.text and it.body == macro.body for it in used)


def _named(
    index: KernelIndex, uri: Uri, span: Span, name: str, registered: tuple[Kernel, ...]
) -> Iterator[Subject]:
    if family := index.families.get(name):
        yield RegistrationMacro(span, family, registered)
    if registered and registered[0].span.covers(span):
        yield KernelRegistration(span, registered)
    unit = index.unit_with(uri)
    if unit is None:
        return
    made = tuple(it for it in unit.kernels if it.function.rpartition("::")[2] == name)
    if made:
        yield KernelTemplate(span, name, made)
    if functor := unit.functors.get(name):
        yield FunctorName(span, name, functor.uri, functor.span)


def _include(index: KernelIndex, uri: Uri, offset: int) -> IncludedFile | None:
    unit = index.unit_with(uri)
    facts = unit.visited.get(uri) if unit else None
    for include in facts.includes if facts else ():
        if offset in include.span:
            target = index.includes.resolve(include.path, include.quoted, uri)
            return IncludedFile(include.span, target) if target else None
    return None
