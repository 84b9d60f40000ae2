"""Open the workspace that a command is about."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from mkls.cli.main import UsageError
from mkls.cli.progress import ProgressBar
from mkls.cli.style import draws_progress
from mkls.rules import RULES
from mkls.session.config import Config, load_config
from mkls.session.discovery import find_root
from mkls.session.loading import load_workspace, read_source, uris_below
from mkls.session.state import Session
from mkls.text.document import Uri, language_of, uri_of


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
        UsageError: A path does not exist, or `root` is no folder.
    """
    named = [_existing(path) for path in paths] or [Path.cwd()]
    folder = _folder(root) if root else find_root(named[0])
    config = load_config(folder, RULES)
    for message in config.messages:
        print(f"mkls: {message}", file=sys.stderr)
    bar = ProgressBar("reading", draws_progress())
    session = load_workspace(folder, config, bar)
    bar.clear()
    _load_strays(session, named)
    snapshot = session.snapshot()
    wanted = uris_below((it for it in snapshot.sources if it not in snapshot.library), named)
    return Workspace(folder, config, session, wanted)


def _existing(path: str) -> Path:
    found = Path(path)
    if not found.exists():
        raise UsageError(f"{path}: no such file or folder")
    return found.resolve()


def _folder(path: str) -> Path:
    found = Path(path)
    if not found.is_dir():
        raise UsageError(f"--root {path}: no such folder")
    return found.resolve()


def _load_strays(session: Session, named: Iterable[Path]) -> None:
    """Read files that were named outright although the workspace does not count them."""
    known = session.snapshot().sources
    for path in named:
        if path.is_dir() or uri_of(str(path)) in known:
            continue
        if language_of(uri_of(str(path))) is None:
            print(f"mkls: {path.name}: not a file that mkls reads; skipped", file=sys.stderr)
        elif source := read_source(str(path)):
            session.load([source])
        else:
            raise UsageError(f"{path}: cannot be read")
