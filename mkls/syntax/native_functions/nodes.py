"""The YAML values of one entry, with spans relative to the entry's start."""

import re
from typing import TypeAlias

import msgspec

from mkls.text.span import Span

_TRUE = frozenset(word for it in ("yes", "true", "on") for word in (it, it.title(), it.upper()))
_FALSE = frozenset(word for it in ("no", "false", "off") for word in (it, it.title(), it.upper()))
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_WORDS = _TRUE | _FALSE | _NULL
_NUMBER = re.compile(
    r"[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?(?:[eE][-+][0-9]+)?"
    r"|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|\.(?:inf|Inf|INF))\Z|\.(?:nan|NaN|NAN)\Z"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*\Z"
)


class Scalar(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A scalar: its decoded `text`, and the span of what is written, quotes included.

    `content` is the offset of the first decoded character when the text stands in the document
    character for character, and -1 when it does not (escapes, folded lines).
    """

    text: str
    span: Span
    content: int
    plain: bool = True

    @property
    def kind(self) -> str:
        """What a YAML 1.1 loader makes of it: `str`, `bool`, `null` or `number`.

        torchgen loads with PyYAML, whose resolver this repeats: only plain scalars change type.
        """
        if not self.plain:
            return "str"
        text = self.text
        if text in _WORDS:
            return "null" if text in _NULL else "bool"
        is_number = text[0] in "+-.0123456789" and _NUMBER.match(text) is not None
        return "number" if is_number else "str"

    @property
    def truth(self) -> bool | None:
        """The value of a boolean, None for any other scalar."""
        return self.text in _TRUE if self.kind == "bool" else None


class Sequence(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A list; the span of a block list runs from its first dash to the end of its last item."""

    items: tuple["Value", ...]
    span: Span


class Mapping(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A map, in the order in which it is written, duplicates included."""

    pairs: tuple["Pair", ...]
    span: Span


class Pair(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A key with its value, None where nothing is written.

    `lines` are the whole lines that the pair takes, with the last line's ending.
    """

    key: Scalar
    value: "Value | None"
    lines: Span


Value: TypeAlias = Scalar | Sequence | Mapping
