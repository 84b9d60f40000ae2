"""Read and write source files without losing a byte.

Bytes that are not UTF-8 travel as lone surrogates (PEP 383), so a fix of one line leaves the rest
of a Latin-1 file alone; a byte order mark is no part of the text, and is written back.
"""

import errno
import os
import stat
from pathlib import Path

_MARK = b"\xef\xbb\xbf"
# Opening a pipe must not wait for somebody who writes to it.
_READING = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


def read_text(path: str) -> str:
    """Return the text of the file at `path`.

    Raises:
        OSError: The file cannot be read, or is none: a folder, a pipe or a device.
    """
    descriptor = os.open(path, _READING)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        content = os.read(descriptor, status.st_size + 1)
        while more := os.read(descriptor, 1 << 20):
            content += more
    finally:
        os.close(descriptor)
    return content.removeprefix(_MARK).decode("utf-8", "surrogateescape")


def write_text(path: Path, text: str) -> None:
    """Replace the file at `path` in one step; its permissions and byte order mark stay.

    Raises:
        OSError: The file cannot be written.
    """
    import tempfile  # noqa: PLC0415  (5 ms that only a fix should cost)

    target = path.resolve()
    mark = _MARK if target.exists() and target.read_bytes().startswith(_MARK) else b""
    content = mark + text.encode("utf-8", "surrogateescape")
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        if target.exists():
            Path(temporary).chmod(target.stat().st_mode & 0o7777)
        Path(temporary).replace(target)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


def exists(path: Path) -> bool:
    """Whether there is something at `path`, as far as we may look."""
    try:
        return path.exists()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Whether there is a folder at `path`, as far as we may look."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_file(path: Path) -> bool:
    """Whether there is a file at `path`, as far as we may look."""
    try:
        return path.is_file()
    except OSError:
        return False


def home_folder() -> Path | None:
    """Return the user's home folder, if there is one."""
    try:
        return Path.home()
    except RuntimeError:
        return None
