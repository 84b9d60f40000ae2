"""`[[…]]` attributes: what they say, and blanking them."""

from collections.abc import Iterator

import msgspec

from mkls.emulator.edits import Edit, blank
from mkls.emulator.tokens import Tokens


class Attribute(msgspec.Struct, frozen=True):
    """One attribute of a list: `buffer(3)` has name `buffer` and argument `3`."""

    name: str
    argument: str | None


def attribute_lists(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """First and last token of every `[[…]]`."""
    index = 0
    while index < len(tokens):
        if tokens.is_attribute(index):
            last = tokens.close(index)
            yield index, last
            index = last
        index += 1


def blank_attributes(tokens: Tokens) -> Iterator[Edit]:
    """Edits that replace every attribute list by as many spaces.

    `[[kernel]]` becomes `inline`, so that a kernel is emitted only where an entry calls it.
    """
    for first, last in attribute_lists(tokens):
        start, end = tokens.starts[first], tokens.end(last)
        text = blank(tokens.text[start:end])
        if tokens.texts[first + 2 : last - 1] == ["kernel"] and text.isspace():
            text = "  inline" + text[8:]
        yield Edit(start, end, text)


def attributes_in(tokens: Tokens, first: int, last: int) -> list[Attribute]:
    """The attributes among tokens first to last (exclusive), outside nested brackets."""
    found: list[Attribute] = []
    index = first
    while index < last:
        if tokens.is_attribute(index):
            found += _attributes(tokens, index + 2, tokens.close(index) - 1)
            index = tokens.close(index)
        elif tokens.texts[index] in "({[":
            index = tokens.close(index)
        index += 1
    return found


def _attributes(tokens: Tokens, first: int, last: int) -> Iterator[Attribute]:
    for start, end in tokens.split_commas(first, last):
        texts = tokens.texts
        if start + 2 < end and texts[start + 1 : start + 2] == ["::"]:  # [[clang::name]]
            continue
        argument = None
        if start + 1 < end and texts[start + 1] == "(":
            argument = tokens.joined(start + 2, tokens.close(start + 1))
        yield Attribute(texts[start], argument)
