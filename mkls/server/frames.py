"""Cut a stream of bytes into messages (LSP 3.17, “Base Protocol”)."""

import re

_HEAD_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"(?im)^content-length:[ \t]*(\d{1,10})[ \t]*\r?$")


class Frames:
    """The messages of one stream, as far as they have arrived."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._buffer = bytearray()
        self._wanted: int | None = None

    def feed(self, data: bytes) -> list[bytes | None]:
        """Take in `data` and return the messages that it completes.

        None stands for a head without a usable length; reading goes on after it.
        """
        self._buffer += data
        messages: list[bytes | None] = []
        while self._read_head(messages) or self._read_body(messages):
            pass
        return messages

    def _read_head(self, messages: list[bytes | None]) -> bool:
        if self._wanted is not None:
            return False
        end = _HEAD_END.search(self._buffer)
        if end is None:
            return False
        length = _LENGTH.search(self._buffer, 0, end.end())
        if length:
            self._wanted = int(length[1])
        else:
            messages.append(None)
        del self._buffer[: end.end()]
        return True

    def _read_body(self, messages: list[bytes | None]) -> bool:
        if self._wanted is None or len(self._buffer) < self._wanted:
            return False
        messages.append(bytes(self._buffer[: self._wanted]))
        del self._buffer[: self._wanted]
        self._wanted = None
        return True
