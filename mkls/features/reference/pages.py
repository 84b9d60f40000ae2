"""Entries of the tables as Markdown."""

from collections.abc import Iterable

from mkls.features.reference.entry import Word


def word_page(word: Word, qualified: str = "") -> str:
    """Return what a table says about `word`, which is written as `qualified` or by its name."""
    head = _signatures(word) if word.parameters or "(" in "".join(word.signatures) else ""
    title = head or f"**`{qualified or word.name}`** ({word.kind.value})"
    return f"{title}\n\n{word.summary}\n\n*{word.source}*"


def _signatures(word: Word) -> str:
    return "```cpp\n" + "\n".join(word.signatures) + "\n```"


def pages(found: Iterable[Word]) -> str:
    """Return the pages of several words of one name, under each other."""
    return "\n\n---\n\n".join(word_page(it) for it in found)
