"""The semantic tokens that the client has, to tell it no more than what changed."""

from collections import OrderedDict

import msgspec

from mkls.text.document import Uri

_MOST_KEPT = 16  # documents


class Told(msgspec.Struct, frozen=True):
    """The tokens that the client has of a document, and by which name it knows them."""

    result_id: str
    data: list[int]


class TokenMemory:
    """What the client was told of each document, the oldest forgotten first."""

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._told: OrderedDict[Uri, Told] = OrderedDict()
        self._count = 0

    def tell(self, uri: Uri, data: list[int]) -> Told:
        """Remember that the client hears `data` about `uri`."""
        self._count += 1
        told = self._told[uri] = Told(str(self._count), data)
        self._told.move_to_end(uri)
        if len(self._told) > _MOST_KEPT:
            self._told.popitem(last=False)
        return told

    def told(self, uri: Uri, result_id: str) -> Told | None:
        """Return what the client knows under `result_id`, None when it is forgotten."""
        known = self._told.get(uri)
        return known if known and known.result_id == result_id else None
