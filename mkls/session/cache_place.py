"""Where this platform keeps what can be made again. Light to import: it decides what else is."""

import os
import sys
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

import mkls
from mkls.session.disk import home_folder

_CACHE_PLACES = {
    "linux": ("XDG_CACHE_HOME", ".cache", "mkls"),
    "darwin": ("MKLS_CACHE_DIR", "Library/Caches", "mkls"),
    "win32": ("LOCALAPPDATA", "", "mkls/cache"),
}
"""By platform: the variable that names the folder of all caches, where it lies below home if the
variable is not set, and our own folder in it."""

_READERS = ("facts", "syntax", "text")


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


def facts_file(root: Path) -> Path | None:
    """Return the file that keeps the facts of the workspace at `root`; see `mkls.session.cache`."""
    folder = cache_folder()
    if folder is None:
        return None
    name = blake2b(str(root).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
    return folder / "facts" / f"{name}-{_readers_version()}.msgpack"


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
