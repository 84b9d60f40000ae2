"""A second process that reads files while this one still imports, and then reads the others.

Reading is pure Python, so that a thread would not help. On a cold start of `mkls check` on PyTorch,
the fork takes the host files and some of the C++; what it found comes back through a pipe, as the
cache on disk holds it. Where it fails, or a file has changed since, the file is read again.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import msgspec

from mkls.session.cache_place import facts_file
from mkls.session.discovery import is_pytorch, workspace_files
from mkls.session.disk import read_text
from mkls.text.document import Language, language_of, language_of_text, uri_of
from mkls.text.line_ends import with_newlines

_OPERATIONS = "aten/src/ATen/native/mps/operations"
_WORTHWHILE = 30
"""With fewer host files, a process costs more than it saves."""

Stamp = tuple[int, int]
"""A file's size and time of change, by which one knows that two processes read the same."""


class Reading(NamedTuple):
    """The facts of a file, encoded."""

    stamp: Stamp
    payload: bytes


class SecondReader:
    """A process that reads."""

    def __init__(self, process: int, receiving: int) -> None:
        """Wait for `process` to write into the pipe `receiving`."""
        self._process = process
        self._receiving = receiving

    def readings(self) -> Mapping[str, Reading]:
        """Wait, and return what was read by path; nothing when the process has failed."""
        with os.fdopen(self._receiving, "rb") as pipe:
            content = pipe.read()
        _, status = os.waitpid(self._process, 0)
        if status != 0:
            return {}
        return msgspec.msgpack.decode(content, type=dict[str, Reading])


def is_shared(path: str) -> bool:
    """Whether the second process reads the file at `path`: about half of the work is."""
    language = language_of(uri_of(path))
    if language is Language.CPP:
        return crc32(path.encode("utf-8", "surrogateescape")) % 2 == 0
    return language is Language.HOST


def is_worthwhile(root: Path) -> bool:
    """Whether much must be read anew at `root`, on a machine where a fork is safe and useful."""
    can_fork = hasattr(os, "fork") and sys.platform != "darwin" and (os.cpu_count() or 1) > 1
    if not can_fork or not is_pytorch(root):
        return False
    kept = facts_file(root)
    if kept is not None and kept.exists():
        return False
    try:
        return sum(1 for _ in (root / _OPERATIONS).iterdir()) >= _WORTHWHILE
    except OSError:
        return False


def start_second_reader(root: Path) -> SecondReader:
    """Fork a process that reads its share of the files below `root`."""
    receiving, sending = os.pipe()
    process = os.fork()
    if process == 0:
        _serve(sending, root)
    os.close(sending)
    return SecondReader(process, receiving)


def _serve(sending: int, root: Path) -> None:
    """Read, send and end: the fork never returns to what its parent was doing."""
    try:
        readings = dict(_readings(root))
        with os.fdopen(sending, "wb") as pipe:
            pipe.write(msgspec.msgpack.encode(readings))
        os._exit(0)
    finally:
        os._exit(1)


def _readings(root: Path) -> Iterator[tuple[str, Reading]]:
    # Only what this process needs: importing the other readers would take as long as their work.
    from mkls.facts.cpp import cpp_facts  # noqa: PLC0415
    from mkls.facts.host import host_facts  # noqa: PLC0415

    readers = {Language.HOST: host_facts, Language.CPP: cpp_facts}
    for path in filter(is_shared, workspace_files(root)):
        try:
            stamp = stamp_of(path)
            text = read_text(path)
            read = readers.get(language_of_text(uri_of(path), text) or Language.METAL)
            if read:
                yield path, Reading(stamp, msgspec.msgpack.encode(read(with_newlines(text))))
        except (OSError, UnicodeEncodeError):
            continue


def stamp_of(path: str) -> Stamp:
    """Return the stamp of the file at `path`. Raises OSError when there is none."""
    status = Path(path).stat()
    return status.st_size, status.st_mtime_ns
