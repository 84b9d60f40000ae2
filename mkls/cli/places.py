"""Places as users count them: paths below the root, lines and columns from 1."""

import os
from pathlib import Path
from typing import NamedTuple

from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri, path_of
from mkls.text.span import Span


class Place(NamedTuple):
    """Where a span of a document is; columns in Unicode code points, the end exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


def place(snapshot: Snapshot, uri: Uri, span: Span) -> Place:
    """Return where `span` of `uri` is."""
    start, end = snapshot.sources[uri].document.lines.range(span)
    path = relative_path(uri, Path(path_of(snapshot.root)))
    return Place(path, start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def relative_path(uri: Uri, root: Path) -> str:
    """Return the path of `uri` below `root` with forward slashes, or whole when it is elsewhere."""
    path = Path(path_of(uri))
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def shown_path(path: str, root: Path) -> str:
    """Return `path`, relative to `root`, as seen from the current folder."""
    here = current_folder()
    if root == here:
        return path
    absolute = root / path
    if here is None:
        return str(absolute)
    seen = os.path.relpath(absolute, here)
    return str(absolute) if Path(seen).parts[:2] == ("..", "..") else seen


def current_folder() -> Path | None:
    """Return the current folder, None when somebody has deleted it."""
    try:
        return Path.cwd()
    except OSError:
        return None
