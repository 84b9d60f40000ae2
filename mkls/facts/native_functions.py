"""Read the facts of `native_functions.yaml`, again only where it changed."""

import re

from mkls.facts.model.native_functions import Entry, NativeFunctionsFacts, PlacedEntry
from mkls.facts.native_functions_entry import entry_of
from mkls.syntax.native_functions.entries import entry_texts, says_nothing
from mkls.syntax.problem import Problem
from mkls.text.span import Span

_CONTENT = re.compile(r"^[ \t]*([^\s#][^\r\n]*)", re.MULTILINE)


class _Recent:
    """The entries that were read last, by their text.

    Two generations: when the young one is full it becomes the old one, and what was in neither is
    forgotten. PyTorch has 2,600 entries, so that a generation holds them and a day of typing.
    """

    def __init__(self, most: int = 6000) -> None:
        self._most = most
        self._young: dict[str, Entry] = {}
        self._old: dict[str, Entry] = {}

    def entry(self, text: str) -> Entry:
        entry = self._young.get(text)
        if entry is None:
            entry = self._old.get(text)
            if entry is None:
                entry = entry_of(text)
            self.remember(text, entry)
        return entry

    def remember(self, text: str, entry: Entry) -> None:
        if len(self._young) >= self._most:
            self._old, self._young = self._young, {}
        self._young[text] = entry


_RECENT = _Recent()


def native_functions_facts(text: str) -> NativeFunctionsFacts:
    """Return what `text` states. Entries with equal text are one object, edit after edit."""
    head, starts, texts = entry_texts(text)
    entry = _RECENT.entry
    placed = [PlacedEntry(start, entry(it)) for start, it in zip(starts, texts, strict=True)]
    newline = "\r\n" if "\r\n" in head or "\r\n" in "".join(texts[:1]) else "\n"
    return NativeFunctionsFacts(tuple(placed), _head_problems(head), newline)


def remember(text: str, facts: NativeFunctionsFacts) -> None:
    """Take over `facts` of `text` from elsewhere, such as a cache on disk.

    Without this, the first edit after a warm start would read every entry of the file.
    """
    _, starts, texts = entry_texts(text)
    if starts == [it.start for it in facts.entries]:
        for it, placed in zip(texts, facts.entries, strict=True):
            _RECENT.remember(it, placed.entry)


def _head_problems(head: str) -> tuple[Problem, ...]:
    if says_nothing(head):
        return ()
    written = _CONTENT.search(head)
    span = Span(*written.span(1)) if written else Span(0, 1)
    return (Problem(span, "expected an entry, `- func: …`, in the first column"),)
