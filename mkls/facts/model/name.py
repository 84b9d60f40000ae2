"""A name as it is written, and where."""

import msgspec

from mkls.text.span import Span


class Name(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A name as it is written, and where."""

    text: str
    span: Span
