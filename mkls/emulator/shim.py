"""The stand-in for Metal's standard library: its folder, its hash, empty headers of its names."""

import hashlib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from mkls.emulator.cache import Cache

_STUBBED_ALSO = ("simd/simd.h", "metal/metal_stdlib")


def include_directory() -> Path:
    """The folder with `metal_stdlib` and its parts."""
    return Path(str(files("mkls") / "msl" / "include"))


@lru_cache(maxsize=1)
def _files() -> tuple[Path, ...]:
    return tuple(sorted(path for path in include_directory().rglob("*") if path.is_file()))


def shim_hash() -> str:
    """Changes whenever any header of the shim does."""
    digest = hashlib.sha256()
    for path in _files():
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def empty_headers(cache: Cache) -> Path:
    """A folder in which every system header exists and is empty, for preprocessing."""
    root = include_directory()
    names = [path.relative_to(root).as_posix() for path in _files()]
    wanted = sorted({*(n for n in names if not n.startswith("mkls/")), *_STUBBED_ALSO})
    folder = cache.folder("headers-" + hashlib.sha256("\n".join(wanted).encode()).hexdigest()[:16])
    for name in wanted:
        header = folder / name
        if not header.exists():
            header.parent.mkdir(parents=True, exist_ok=True)
            header.touch()
    return folder
