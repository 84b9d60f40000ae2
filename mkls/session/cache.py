"""Facts kept on disk from one run to the next, keyed by the text that they were read from.

A stale entry cannot be hit: the key is a digest of the text and of mkls's own readers. Several
processes may share the folder: a file is replaced in one step, and one that cannot be read counts
as empty.
"""

import os
import sys
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import msgspec

from mkls.facts.extract import Facts, facts_of, facts_type
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.facts.native_functions import remember
from mkls.session.cache_place import facts_file
from mkls.text.document import Document

_MOST_BYTES = 64 << 20


class FactsCache:
    """Facts of one workspace."""

    def __init__(self, path: Path | None) -> None:
        """Keep facts in the file at `path`; None keeps none."""
        self._path = path
        self._stored = _read(path) if path else {}
        self._used: dict[bytes, bytes] = {}
        self._new: list[tuple[Document, Facts | bytes]] = []

    def accept(self, document: Document, payload: bytes) -> Facts | None:
        """Take in facts of `document` that another process has encoded."""
        facts = _decoded(payload, document)
        if facts is not None:
            self._keep(document, payload)
        return facts

    def facts_of(self, document: Document) -> Facts:
        """Return the facts of `document`, read anew only when its text is new."""
        facts = self._known(document) if self._stored else None
        if facts is None:
            facts = facts_of(document)
            self._keep(document, facts)
        return facts

    def _known(self, document: Document) -> Facts | None:
        key = _key(document)
        payload = self._stored.get(key)
        facts = _decoded(payload, document) if payload is not None else None
        if payload is not None and facts is not None:
            self._used[key] = payload
        return facts

    def _keep(self, document: Document, facts: Facts | bytes) -> None:
        # Digest and encoding wait for `save`: they are of no use to this run.
        if self._path is not None:
            self._new.append((document, facts))

    def save(self) -> None:
        """Write what this run used, when that differs from what is stored."""
        if self._path is None or (not self._new and self._used.keys() == self._stored.keys()):
            return
        for document, facts in self._new:
            payload = facts if isinstance(facts, bytes) else _payload(facts)
            if payload is not None:
                self._used[_key(document)] = payload
        self._new = []
        content = msgspec.msgpack.encode(self._used)
        if len(content) <= _MOST_BYTES:
            _replace(self._path, content)

    def save_aside(self) -> None:
        """Save in a process of its own, for which nobody waits, where the platform can."""
        if not self._new or not hasattr(os, "fork") or sys.platform == "darwin":
            self.save()
        elif os.fork() == 0:
            try:
                _let_go_of_streams()
                self.save()
            finally:
                os._exit(0)


def _let_go_of_streams() -> None:
    """Let whoever reads our output see its end although this process still works."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()


NO_CACHE = FactsCache(None)


def workspace_cache(root: Path) -> FactsCache:
    """Return the cache of the workspace at `root`."""
    return FactsCache(facts_file(root))


def _read(path: Path) -> dict[bytes, bytes]:
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=dict[bytes, bytes])
    except (OSError, msgspec.DecodeError):
        return {}


def _key(document: Document) -> bytes:
    text = document.text.encode("utf-8", "surrogateescape")
    return blake2b(text, digest_size=16, person=document.language.value.encode()).digest()


def _payload(facts: Facts) -> bytes | None:
    try:
        return msgspec.msgpack.encode(facts)
    except UnicodeEncodeError:
        return None  # the file is no UTF-8: its facts hold lone surrogates


def _decoded(payload: bytes, document: Document) -> Facts | None:
    try:
        facts = msgspec.msgpack.decode(payload, type=facts_type(document.language))
    except msgspec.DecodeError:
        return None
    if isinstance(facts, NativeFunctionsFacts):
        remember(document.text, facts)
    return facts
