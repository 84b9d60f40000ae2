"""The CPU's kernels, which no check reads: only what is generated looks at their dtypes."""

from pathlib import Path

from mkls.session.disk import read_text

_FOLDER = "aten/src/ATen/native/cpu"


def cpu_kernel_texts(root: Path) -> tuple[str, ...]:
    """Return the texts of the sources of the CPU's kernels, as far as they can be read."""
    try:
        paths = sorted((root / _FOLDER).glob("*.cpp"))
    except OSError:
        return ()
    return tuple(text for path in paths for text in _text(path))


def _text(path: Path) -> tuple[str, ...]:
    try:
        return (read_text(str(path)),)
    except OSError:
        return ()
