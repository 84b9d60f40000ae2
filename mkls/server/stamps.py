"""Notice changes of the disk where the client does not watch files, as Neovim on Linux."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from mkls.server.turns import Turns

Stamps = Mapping[str, tuple[int, int]]
"""Modification time in nanoseconds and size of each file, by path."""


async def stamps_of(paths: Iterable[str]) -> Stamps:
    """Return the stamp of each of `paths` that exists."""
    turns = Turns()
    found: dict[str, tuple[int, int]] = {}
    for path in paths:
        try:
            status = Path(path).stat()
        except OSError:
            continue
        found[path] = status.st_mtime_ns, status.st_size
        await turns.give_way()
    return found


def changed(before: Stamps, after: Stamps) -> list[Path]:
    """Return the files that are new, gone or another."""
    return [
        Path(path) for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    ]
