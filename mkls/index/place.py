"""A span of one document of the workspace."""

import msgspec

from mkls.text.document import Uri
from mkls.text.span import Span


class Place(msgspec.Struct, frozen=True, order=True, array_like=True, gc=False):
    """A span of one document of the workspace."""

    uri: Uri
    span: Span
