"""Read the facts of `native_functions.yaml`, again only where it changed."""

from functools import lru_cache

from mkls.facts.model.native_functions import Entry, NativeFunctionsFacts, PlacedEntry
from mkls.facts.native_functions_entry import entry_of
from mkls.syntax.native_functions.entries import entry_texts, says_nothing
from mkls.syntax.problem import Problem
from mkls.text.span import Span

# PyTorch has 2,600 entries: room for two checkouts and a day of typing.
_ENTRIES_KEPT = 8192


@lru_cache(maxsize=_ENTRIES_KEPT)
def _entry(text: str) -> Entry:
    return entry_of(text)


def native_functions_facts(text: str) -> NativeFunctionsFacts:
    """Return what `text` states. Entries with equal text are one object, edit after edit."""
    head, starts, texts = entry_texts(text)
    placed = [
        PlacedEntry(start, entry) for start, entry in zip(starts, map(_entry, texts), strict=True)
    ]
    newline = "\r\n" if "\r\n" in head or "\r\n" in "".join(texts[:1]) else "\n"
    return NativeFunctionsFacts(tuple(placed), _head_problems(head), newline)


def _head_problems(head: str) -> tuple[Problem, ...]:
    if says_nothing(head):
        return ()
    start = len(head) - len(head.lstrip())
    span = Span(start, start + len(head[start:].partition("\n")[0].rstrip()))
    return (Problem(span, "expected an entry, `- func: …`, in the first column"),)
