"""Facts kept on disk from one run to the next, keyed by the text that they were read from.

A stale entry cannot be hit: the key is a digest of the text and of mkls's own readers. Several
processes may share the folder: a file is replaced in one step, and one that cannot be read counts
as empty.
"""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import msgspec

import mkls
from mkls.facts.extract import Facts, facts_of, facts_type
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.facts.native_functions import remember
from mkls.session.disk import home_folder
from mkls.text.document import Document

_CACHE_PLACES = {
    "linux": ("XDG_CACHE_HOME", ".cache", "mkls"),
    "darwin": ("MKLS_CACHE_DIR", "Library/Caches", "mkls"),
    "win32": ("LOCALAPPDATA", "", "mkls/cache"),
}
"""By platform: the variable that names the folder of all caches, where it lies below home if the
variable is not set, and our own folder in it."""

_READERS = ("facts", "syntax", "text")
_MOST_BYTES = 64 << 20


class FactsCache:
    """Facts of one workspace."""

    def __init__(self, path: Path | None) -> None:
        """Keep facts in the file at `path`; None keeps none."""
        self._path = path
        self._stored = _read(path) if path else {}
        self._used: dict[bytes, bytes] = {}

    def knows(self, document: Document) -> bool:
        """Whether `document` was read before."""
        return bool(self._stored) and _key(document) in self._stored

    def accept(self, document: Document, payload: bytes) -> Facts | None:
        """Take in facts of `document` that another process has encoded."""
        facts = _decoded(payload, document)
        if facts is not None and self._path is not None:
            self._used[_key(document)] = payload
        return facts

    def facts_of(self, document: Document) -> Facts:
        """Return the facts of `document`, read anew only when its text is new."""
        if self._path is None:
            return facts_of(document)
        key = _key(document)
        payload = self._stored.get(key)
        facts = _decoded(payload, document) if payload is not None else None
        if facts is None:
            facts = facts_of(document)
            payload = _payload(facts)
        if payload is not None:
            self._used[key] = payload
        return facts

    def save(self) -> None:
        """Write what this run used, when that differs from what is stored."""
        if self._path is None or self._used.keys() == self._stored.keys():
            return
        content = msgspec.msgpack.encode(self._used)
        if len(content) > _MOST_BYTES:
            return
        temporary = self._path.with_suffix(f".{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(content)
            temporary.replace(self._path)
        except OSError:
            with suppress(OSError):
                temporary.unlink()


NO_CACHE = FactsCache(None)


def workspace_cache(root: Path) -> FactsCache:
    """Return the cache of the workspace at `root`."""
    folder = cache_folder()
    if folder is None:
        return NO_CACHE
    name = blake2b(str(root).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
    return FactsCache(folder / "facts" / f"{name}-{_readers_version()}.msgpack")


def cache_folder() -> Path | None:
    """Return where this platform keeps what can be made again; `MKLS_CACHE_DIR` wins.

    None where no home folder is known, as for a user of a container that has only a number.
    """
    if given := os.environ.get("MKLS_CACHE_DIR"):
        return Path(given)
    variable, below_home, name = _CACHE_PLACES.get(sys.platform, _CACHE_PLACES["linux"])
    if folder := os.environ.get(variable):
        return Path(folder, name)
    home = home_folder()
    return home / below_home / name if home else None


def _readers_version() -> str:
    """Return a digest that changes with the code that reads facts."""
    digest = blake2b(mkls.__version__.encode(), digest_size=6)
    package = Path(mkls.__file__).parent
    for path in _modules(package / name for name in _READERS):
        stat = path.stat()
        digest.update(f"{path.name} {stat.st_mtime_ns} {stat.st_size}\n".encode())
    return digest.hexdigest()


def _modules(folders: Iterable[Path]) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def _read(path: Path) -> dict[bytes, bytes]:
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=dict[bytes, bytes])
    except (OSError, msgspec.DecodeError):
        return {}


def _key(document: Document) -> bytes:
    text = document.text.encode("utf-8", "surrogateescape")
    return blake2b(text, digest_size=16, person=document.language.value.encode()).digest()


def encoded(document: Document) -> bytes | None:
    """Read `document` and return its facts as a cache holds them, None when they cannot be."""
    return _payload(facts_of(document))


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
