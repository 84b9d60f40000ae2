"""Open the workspace that a command is about."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from mkls.cli import head_start
from mkls.cli.main import UsageError
from mkls.cli.places import current_folder, shown_path
from mkls.cli.progress import ProgressBar
from mkls.cli.style import draws_progress
from mkls.rules import KNOWN_RULES
from mkls.session.config import Config, load_config
from mkls.session.discovery import find_root, is_project, is_pytorch
from mkls.session.disk import is_folder
from mkls.session.loading import load_workspace, read_source, uris_below
from mkls.session.state import Session
from mkls.text.document import Uri, language_of, path_of, uri_of


class Workspace:
    """A loaded workspace, its configuration, and the files that the call named."""

    def __init__(self, root: Path, config: Config, session: Session, wanted: list[Uri]) -> None:
        """Hold what was loaded."""
        self.root = root
        self.config = config
        self.session = session
        self.wanted = wanted


def open_workspace(paths: Sequence[str], root: str | None) -> Workspace:
    """Load the workspace of `paths`, by default of the current folder.

    Raises:
        UsageError: A path does not exist or belongs elsewhere, or `root` is no folder.
    """
    named = [_existing(path) for path in paths or ["."]]
    folder = _root_of(named) if root is None else _folder(root)
    config = load_config(folder, KNOWN_RULES)
    for message in config.messages:
        print(f"mkls: {message}", file=sys.stderr)
    bar = ProgressBar("reading", draws_progress())
    lost: dict[str, OSError] = {}
    second = head_start.take(folder)
    session = load_workspace(folder, config, bar, second, lost.__setitem__)
    bar.clear()
    _tell_of(lost, folder)
    _load_strays(session, named)
    snapshot = session.snapshot()
    wanted = uris_below((it for it in snapshot.sources if it not in snapshot.library), named)
    return Workspace(folder, config, session, wanted)


def _tell_of(lost: Mapping[str, OSError], root: Path) -> None:
    for path, error in lost.items():
        where = shown_path(path, root)
        print(f"mkls: {where}: cannot be read ({error.strerror}); skipped", file=sys.stderr)


def _existing(path: str) -> Path:
    if not path:
        raise UsageError("a PATH is empty; `.` is the current folder")
    if not Path(path).is_absolute() and current_folder() is None:
        raise UsageError("the current folder does not exist any more")
    try:
        found = Path(path).resolve(strict=True)
        if found.is_dir():
            next(found.iterdir(), None)
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links, before Python 3.13
        raise UsageError(f"{path}: {_reason(error)}") from error
    return found


def _reason(error: OSError | RuntimeError) -> str:
    if isinstance(error, FileNotFoundError | NotADirectoryError | RuntimeError):
        return "no such file or folder"
    return f"cannot be read ({error.strerror})"


def _folder(path: str) -> Path:
    found = Path(path)
    if not path or not is_folder(found):
        raise UsageError(f"--root {path}: no such folder")
    return found.resolve()


def _root_of(named: Sequence[Path]) -> Path:
    """Return the root around all of `named`: names are linked within one workspace alone."""
    roots = sorted({find_root(path) for path in named})
    if len(roots) == 1:
        return roots[0]
    around = find_root(Path(os.path.commonpath(named)))
    apart = not is_project(around) and any(is_project(root) for root in roots)
    if apart or around == Path(around.anchor) or any(is_pytorch(root) for root in roots):
        raise UsageError(
            f"the paths belong to several workspaces ({roots[0]}, {roots[1]}): "
            "check one after the other, or give --root"
        )
    return around


def _load_strays(session: Session, named: Iterable[Path]) -> None:
    """Read files that were named outright although the workspace does not count them."""
    known = session.snapshot().sources
    root = Path(path_of(session.root))
    for path in named:
        if path.is_dir():
            if not path.is_relative_to(root) and not root.is_relative_to(path):
                raise UsageError(f"{path}: lies outside of the root {root}")
            continue
        if uri_of(str(path)) in known:
            continue
        if language_of(uri_of(str(path))) is None:
            print(f"mkls: {path.name}: not a file that mkls reads; skipped", file=sys.stderr)
        elif source := read_source(str(path)):
            session.load([source])
        else:
            raise UsageError(f"{path}: cannot be read")
