"""Something that may be typed."""

import re
from collections.abc import Iterable
from enum import Enum

import msgspec

from mkls.text.span import Span


class ItemKind(Enum):
    """What an item is, which also tells where its documentation is found."""

    ENTRY_KEY = "entry key"
    DISPATCH_KEY = "dispatch key"
    HOST_FUNCTION = "host function"
    OPERATOR = "operator"
    TAG = "tag"
    SCHEMA_TYPE = "schema type"
    VALUE = "value"
    KERNEL = "kernel"
    STEM = "stem"
    STUB = "stub"
    HOST_WORD = "host word"
    METAL_WORD = "metal word"
    ATTRIBUTE = "attribute"
    MACRO = "macro"
    FUNCTOR = "functor"
    DTYPE = "dtype"
    HEADER = "header"
    DIRECTIVE = "directive"
    EXPRESSION = "expression"
    CODE = "code"
    KEYWORD = "keyword"


class Item(msgspec.Struct, frozen=True):
    """`insert` in place of `span` is what typing `label` to its end would give.

    The lower `rank`, the better it fits. `snippet` is the text with `${1:…}` to fill in, for
    editors that know snippets; the `detail` is shown beside the label.
    """

    label: str
    kind: ItemKind
    span: Span
    insert: str = ""
    snippet: str = ""
    detail: str = ""
    rank: int = 5

    @property
    def text(self) -> str:
        """What is inserted without snippets."""
        return self.insert or self.label


def items(
    names: Iterable[str], kind: ItemKind, span: Span, rank: int = 5, detail: str = ""
) -> list[Item]:
    """Return an item for each of `names`, each name once."""
    return [Item(name, kind, span, rank=rank, detail=detail) for name in dict.fromkeys(names)]


def matching(found: Iterable[Item], typed: str, most: int) -> tuple[list[Item], bool]:
    """Return the best of `found` that hold `typed`, or begin like it and have its letters in order.

    The second answer is whether these are all. An item is listed once, where it fits best.
    """
    in_order = ".*?".join(map(re.escape, typed))
    letters = re.compile(rf"{re.escape(typed)}|\A{in_order}", re.IGNORECASE) if typed else None
    best: dict[str, Item] = {}
    for it in found:
        if letters is not None and not letters.search(it.label):
            continue
        known = best.get(it.label)
        if known is None or it.rank < known.rank:
            best[it.label] = it
    lower = typed.lower()
    ordered = sorted(
        best.values(),
        key=lambda it: (not it.label.lower().startswith(lower), it.rank, it.label),
    )
    return ordered[:most], len(ordered) <= most
