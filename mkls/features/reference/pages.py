"""Entries of the tables as Markdown."""

from collections.abc import Iterable

from mkls.features.reference.entry import Word, WordKind


def word_page(word: Word, qualified: str = "") -> str:
    """Return what a table says about `word`, which is written as `qualified` or by its name."""
    is_call = word.kind in (WordKind.FUNCTION, WordKind.MACRO) and "(" in word.signatures[0]
    head = _signatures(word) if is_call else ""
    title = head or f"**`{qualified or word.name}`** ({word.kind.value})"
    return f"{title}\n\n{word.summary}\n\n*{word.source}*"


def _signatures(word: Word) -> str:
    return "```cpp\n" + "\n".join(word.signatures) + "\n```"


def pages(found: Iterable[Word]) -> str:
    """Return the pages of several words of one name, under each other."""
    return "\n\n---\n\n".join(word_page(it) for it in found)
