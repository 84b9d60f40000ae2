"""Begin to read a PyTorch checkout before the command's own modules are imported."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from mkls.session.discovery import find_root
from mkls.session.disk import is_folder
from mkls.session.second_reader import SecondReader, is_worthwhile, start_second_reader

_begun: dict[Path, SecondReader] = {}


def begin(arguments: Sequence[str]) -> None:
    """Begin for `mkls check ARGUMENTS`, when the workspace can be told from them at a glance."""
    root = _root_of(arguments)
    if root is not None and is_worthwhile(root):
        _begun[root] = start_second_reader(root)


def take(root: Path) -> SecondReader | None:
    """Return the process that has begun to read `root`, once."""
    return _begun.pop(root, None)


def _root_of(arguments: Sequence[str]) -> Path | None:
    named = [it for it in arguments if not it.startswith("-") and is_folder(Path(it))]
    given = [after for it, after in pairwise(arguments) if it == "--root"]
    folder = Path(*(given or named or ["."])[:1])
    try:
        resolved = folder.resolve(strict=True)
        return resolved if given else find_root(resolved)
    except OSError:
        return None
