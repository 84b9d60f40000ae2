"""What there is to know about the thing under the cursor."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from mkls.features.hover_host import hover_functions, hover_lookup, hover_stub
from mkls.features.hover_kernels import (
    hover_functor,
    hover_library_kernel,
    hover_macro,
    hover_registration,
    hover_template,
)
from mkls.features.hover_rows import hover_dispatched, hover_entry_key, hover_key, hover_operator
from mkls.features.hover_words import hover_word
from mkls.features.subject_at import subject_at
from mkls.features.subjects import (
    DispatchedFunction,
    DispatchKey,
    DispatchStub,
    EntryKey,
    FunctorName,
    HostFunctions,
    KernelLookup,
    KernelRegistration,
    KernelTemplate,
    LibraryKernel,
    Operator,
    RegistrationMacro,
    Subject,
    SuppressedCode,
)
from mkls.index.snapshot import Snapshot
from mkls.rules import KNOWN_RULES
from mkls.text.document import Uri
from mkls.text.span import Span


class HoverText(msgspec.Struct, frozen=True):
    """Markdown about what `span` covers."""

    markdown: str
    span: Span


def hover(snapshot: Snapshot, uri: Uri, offset: int) -> HoverText | None:
    """Return what there is to know about what stands at `offset` of `uri`."""
    subject = subject_at(snapshot, uri, offset)
    write = _WRITERS.get(type(subject)) if subject else None
    markdown = write(snapshot, subject) if write else ""
    if subject and markdown:
        return HoverText(markdown, subject.span)
    source = snapshot.sources.get(uri)
    found = hover_word(snapshot, source, offset) if source else None
    return HoverText(*found) if found else None


def _code(_snapshot: Snapshot, subject: SuppressedCode) -> str:
    """Return the manual's page of a rule, or the rules of a group."""
    for rule in KNOWN_RULES:
        if rule.code == subject.code:
            return f"**`{rule.code}`** ({rule.severity.value})\n\n{rule.page}"
    group = [rule for rule in KNOWN_RULES if rule.group.value == subject.code]
    lines = (f"- `{rule.code}`: {rule.summary}" for rule in group)
    return "\n".join((f"**`{subject.code}`** stands for", "", *lines)) if group else ""


_WRITERS: Mapping[type[Subject], Callable[[Snapshot, Any], str]] = {
    Operator: hover_operator,
    DispatchKey: hover_key,
    EntryKey: hover_entry_key,
    DispatchedFunction: hover_dispatched,
    HostFunctions: hover_functions,
    DispatchStub: hover_stub,
    KernelLookup: hover_lookup,
    KernelRegistration: hover_registration,
    RegistrationMacro: hover_macro,
    KernelTemplate: hover_template,
    FunctorName: hover_functor,
    LibraryKernel: hover_library_kernel,
    SuppressedCode: _code,
}
