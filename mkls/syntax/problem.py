"""What is wrong with a text."""

import msgspec

from mkls.text.span import Span


class Problem(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A place that could not be read, and why (lower case, no full stop)."""

    span: Span
    message: str
