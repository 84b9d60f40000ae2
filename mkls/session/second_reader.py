"""A second process that reads the facts of some documents while this one reads the others.

Reading is pure Python, so that a thread would not help. A fork costs a few milliseconds and has
every text already; what it found comes back through a pipe, as the cache on disk holds it.
"""

import os
import sys
from collections.abc import Sequence
from typing import Protocol

import msgspec

from mkls.session.cache import encoded
from mkls.text.document import Document, Language

_WORTHWHILE = 400_000
"""Code points that make a second process pay (some 50 ms of reading)."""


class SecondReader(Protocol):
    """Reads documents in the background."""

    def payloads(self) -> list[bytes | None] | None:
        """Wait, and return each document's facts, encoded; None when the process has failed."""
        ...


def share_for_second_reader(documents: Sequence[Document]) -> list[Document]:
    """Return what a second process should read of `documents`, nothing when it does not pay.

    PyTorch's host files and a quarter of its C++ take about as long as everything else.
    """
    host = [it for it in documents if it.language is Language.HOST]
    can_fork = hasattr(os, "fork") and sys.platform != "darwin" and (os.cpu_count() or 1) > 1
    if not can_fork or sum(len(it.text) for it in host) <= _WORTHWHILE:
        return []
    return [*host, *[it for it in documents if it.language is Language.CPP][::4]]


def start_second_reader(documents: Sequence[Document]) -> SecondReader:
    """Fork a process that reads `documents`."""
    receiving, sending = os.pipe()
    process = os.fork()
    if process == 0:
        _serve(sending, documents)
    os.close(sending)
    return _Forked(process, receiving)


def _serve(sending: int, documents: Sequence[Document]) -> None:
    """Read, send and end: the fork never returns to what its parent was doing."""
    try:
        payloads = [encoded(it) for it in documents]
        with os.fdopen(sending, "wb") as pipe:
            pipe.write(msgspec.msgpack.encode(payloads))
        os._exit(0)
    finally:
        os._exit(1)


class _Forked:
    def __init__(self, process: int, receiving: int) -> None:
        self._process = process
        self._receiving = receiving

    def payloads(self) -> list[bytes | None] | None:
        with os.fdopen(self._receiving, "rb") as pipe:
            content = pipe.read()
        _, status = os.waitpid(self._process, 0)
        if status != 0:
            return None
        return msgspec.msgpack.decode(content, type=list[bytes | None])
