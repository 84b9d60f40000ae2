"""Read a workspace from the disk."""

import importlib.util
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from mkls.index.snapshot import Source
from mkls.session.config import Config
from mkls.session.discovery import is_pytorch, workspace_files
from mkls.session.disk import read_text
from mkls.session.state import Session, source_of
from mkls.text.document import Document, Language, Uri, language_of, uri_of

Progress = Callable[[int, int], None]
"""Called with how many files are read, and how many there are."""


def _quiet(_done: int, _total: int) -> None: ...


def load_workspace(root: Path, config: Config, progress: Progress = _quiet) -> Session:
    """Return a session that holds every file below `root` that mkls reads."""
    session = Session(uri_of(str(root)))
    paths = [path for path in workspace_files(root) if not _excluded(path, root, config.exclude)]
    session.load(read_sources(paths, progress))
    if not is_pytorch(root):
        session.load(read_sources(library_headers(root, config.include_dirs)), library=True)
    return session


def read_sources(paths: Iterable[str], progress: Progress = _quiet) -> Iterator[Source]:
    """Yield the source of each of `paths` that can be read."""
    listed = sorted(paths)
    for done, path in enumerate(listed):
        if source := read_source(path):
            yield source
        progress(done + 1, len(listed))


def read_source(path: str, language: Language | None = None) -> Source | None:
    """Return the source at `path`, or None when mkls does not read it or cannot."""
    uri = uri_of(path)
    language = language or language_of(uri)
    if language is None:
        return None
    try:
        text = read_text(path)
    except OSError:
        return None
    return source_of(Document(uri, language, text))


def library_headers(root: Path, include_dirs: Iterable[str]) -> list[str]:
    """Return the Metal headers that sources outside PyTorch include: torch's own.

    They are looked for in `include_dirs` (relative to `root`), then in the installed torch, which
    is found without being imported.
    """
    folders = [root / folder for folder in include_dirs]
    if torch := _torch_include():
        folders.append(torch)
    patterns = ("c10/metal/*.h", "ATen/native/mps/kernels/*.h")
    return [
        str(path) for folder in folders for pattern in patterns for path in folder.glob(pattern)
    ]


def _torch_include() -> Path | None:
    try:
        spec = importlib.util.find_spec("torch")
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / "include"


def _excluded(path: str, root: Path, patterns: Iterable[str]) -> bool:
    relative = path.removeprefix(f"{root}/")
    return any(fnmatchcase(relative, pattern) for pattern in patterns)


def uris_below(session_uris: Iterable[Uri], paths: Iterable[Path]) -> list[Uri]:
    """Return those of `session_uris` that are one of `paths` or lie below one."""
    wanted = [uri_of(str(path)) for path in paths]
    return [
        uri
        for uri in session_uris
        if any(uri == want or uri.startswith(want.rstrip("/") + "/") for want in wanted)
    ]
