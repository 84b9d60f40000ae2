"""Built files on disk: keyed by what they were made from, bounded, shared between processes.

A file appears under its final name by an atomic rename, so another process sees all of it or
nothing. Each use renews a file's time; when the folder outgrows its limit, the files that were not
used for longest go.
"""

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from mkls.emulator.settings import EmulatorSettings

_SUFFIX_OF_DIGEST = ".sha256"


class Cache:
    """The folder of built files."""

    def __init__(self, root: Path, limit_bytes: int) -> None:
        """Use `root`, made on first use, and keep it below `limit_bytes`."""
        self.root = root
        self._limit = limit_bytes

    def folder(self, name: str) -> Path:
        """A subfolder that exists; it does not count towards the limit."""
        path = self.root / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def get_or_build(self, name: str, build: Callable[[Path], None]) -> Path:
        """The file `name`, which `build` writes to a path it is given if it is not there intact."""
        path = self.root / name
        if self._intact(path):
            return path
        self.root.mkdir(parents=True, exist_ok=True)
        handle, scratch = tempfile.mkstemp(prefix=f"{name}.", suffix=".tmp", dir=self.root)
        os.close(handle)
        try:
            build(Path(scratch))
            self._publish(Path(scratch), path)
        finally:
            Path(scratch).unlink(missing_ok=True)
        self._evict(keep=path)
        return path

    def _publish(self, scratch: Path, path: Path) -> None:
        digest = Path(f"{scratch}{_SUFFIX_OF_DIGEST}")
        digest.write_text(_digest(scratch))
        scratch.chmod(0o644)
        scratch.replace(path)
        digest.replace(f"{path}{_SUFFIX_OF_DIGEST}")

    def _intact(self, path: Path) -> bool:
        try:
            expected = Path(f"{path}{_SUFFIX_OF_DIGEST}").read_text()
            if expected != _digest(path):
                return False
            os.utime(path)
        except OSError:
            return False
        return True

    def _evict(self, keep: Path) -> None:
        entries: list[tuple[float, int, Path]] = []
        for path in self.root.iterdir():
            with contextlib.suppress(OSError):
                if path.is_file():
                    status = path.stat()
                    entries.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= self._limit:
                break
            if path != keep and path.suffix != _SUFFIX_OF_DIGEST:
                total -= size
                with contextlib.suppress(OSError):
                    path.unlink()
                    Path(f"{path}{_SUFFIX_OF_DIGEST}").unlink()


def _digest(path: Path) -> str:
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()


def key_of(*parts: str) -> str:
    """A file name's worth of hash over `parts`, each of which matters."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()[:32]


def open_cache(settings: EmulatorSettings) -> Cache:
    """The cache that `settings` asks for."""
    chosen = settings.cache_directory or os.environ.get("MKLS_EMULATOR_CACHE")
    root = Path(chosen).expanduser() if chosen else _platform_cache() / "mkls" / "emulator"
    return Cache(root, settings.cache_bytes)


def _platform_cache() -> Path:
    if sys.platform != "darwin" and (chosen := os.environ.get("XDG_CACHE_HOME")):
        return Path(chosen)
    try:
        home = Path.home()
    except RuntimeError:  # a user without an entry, and without HOME
        return _folder_of_this_process()
    return home / "Library" / "Caches" if sys.platform == "darwin" else home / ".cache"


@lru_cache(maxsize=1)
def _folder_of_this_process() -> Path:
    """A folder that only this user can write: what lies in it is executed."""
    return Path(tempfile.mkdtemp(prefix="mkls-"))
