"""Guess what a misspelled word means."""

from collections.abc import Iterable
from difflib import get_close_matches


def close_names(word: str, known: Iterable[str], most: int = 2) -> list[str]:
    """Return the `known` words nearest to `word`, best first; upper and lower case are alike."""
    by_folded: dict[str, str] = {}
    for name in sorted(known):
        by_folded.setdefault(name.lower(), name)
    close = get_close_matches(word.lower(), by_folded, n=most, cutoff=0.65)
    return [by_folded[name] for name in close if by_folded[name] != word]
