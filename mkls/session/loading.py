"""Read a workspace from the disk."""

import importlib.util
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mkls.index.snapshot import Source
from mkls.session.baseline import baseline
from mkls.session.cache import NO_CACHE, FactsCache, workspace_cache
from mkls.session.config import Config
from mkls.session.discovery import Unreadable, is_pytorch, workspace_files
from mkls.session.disk import read_text
from mkls.session.second_reader import Reading, SecondReader, is_shared, stamp_of
from mkls.session.state import Session
from mkls.text.document import Document, Uri, language_of, language_of_text, uri_of

Progress = Callable[[int, int], None]
"""Called with how many files are read, and how many there are."""


Failed = Callable[[str, Exception], None]
"""Called with a path and what a reader raised there."""


def _quiet(_done: int, _total: int) -> None: ...


def _silent(_path: str, _reason: OSError) -> None: ...


def _raise(_path: str, error: Exception) -> None:
    raise error


def load_workspace(
    root: Path,
    config: Config,
    progress: Progress = _quiet,
    second: SecondReader | None = None,
    unreadable: Unreadable = _silent,
) -> Session:
    """Return a session that holds every file below `root` that mkls reads.

    `second` is a process that has begun to read its share of them; `unreadable` is told of files
    and folders that cannot be read.
    """
    session = Session(uri_of(str(root)))
    folders = [] if is_pytorch(root) else header_folders(root, config.include_dirs)
    session.look_in(uri_of(str(folder)) for folder in folders)
    cache = workspace_cache(root)
    paths = _own_files(root, config, unreadable)
    if second is None:
        session.load(read_sources(paths, cache, progress, unreadable=unreadable))
    else:
        _load_shared(session, paths, cache, _Told(progress, unreadable), second)
    session.load(read_sources(_metal_headers(folders), cache), library=True)
    session.compare_with(baseline(root, session.on_disk(), cache))
    # With a second process there is much to write, and a command that waits to go on.
    (cache.save_aside if second else cache.save)()
    return session


class _Told(NamedTuple):
    progress: Progress
    unreadable: Unreadable


def _load_shared(
    session: Session, paths: list[str], cache: FactsCache, told: _Told, second: SecondReader
) -> None:
    """Read what the second process does not, then take over what it has read."""
    mine = [path for path in paths if not is_shared(path)]
    advance = partial(_advance, told.progress, len(paths))
    session.load(read_sources(mine, cache, advance, unreadable=told.unreadable))
    # The other process is still at work. The table of kernels needs none of its files, and the
    # session remembers it.
    _ = session.snapshot().kernels.by_host_name
    shared = filter(is_shared, paths)
    session.load(_sources_of(shared, cache, second.readings(), told.unreadable))
    told.progress(len(paths), len(paths))


def _advance(progress: Progress, total: int, done: int, _total: int) -> None:
    progress(done, total)


def _sources_of(
    paths: Iterable[str],
    cache: FactsCache,
    readings: Mapping[str, Reading],
    unreadable: Unreadable,
) -> Iterator[Source]:
    for path in paths:
        if document := read_document(path, unreadable):
            yield _accepted(document, path, readings.get(path), cache)


def _accepted(document: Document, path: str, reading: Reading | None, cache: FactsCache) -> Source:
    """Take the facts that the second process read, if they are those of the text at hand."""
    facts = None
    if reading is not None and reading.stamp == stamp_of(path):
        facts = cache.accept(document, reading.payload)
    return Source(document, facts or cache.facts_of(document))


def load_steps(
    session: Session,
    root: Path,
    config: Config,
    progress: Progress = _quiet,
    failed: Failed = _raise,
) -> Iterator[None]:
    """Fill `session` file by file, so that a server can do other work in between.

    `failed` is told of a file at which a reader raised, which is a fault of mkls.
    """
    folders = [] if is_pytorch(root) else header_folders(root, config.include_dirs)
    session.look_in(uri_of(str(folder)) for folder in folders)
    cache = workspace_cache(root)
    for source in read_sources(_own_files(root, config), cache, progress, failed):
        session.load((source,))
        yield
    for source in read_sources(_metal_headers(folders), cache, failed=failed):
        session.load((source,), library=True)
        yield
    session.compare_with(baseline(root, session.on_disk(), cache))
    cache.save()


def read_sources(
    paths: Iterable[str],
    cache: FactsCache = NO_CACHE,
    progress: Progress = _quiet,
    failed: Failed = _raise,
    unreadable: Unreadable = _silent,
) -> Iterator[Source]:
    """Yield the source of each of `paths` that can be read."""
    listed = sorted(paths)
    for done, path in enumerate(listed):
        try:
            source = read_source(path, cache, unreadable)
        except Exception as error:
            failed(path, error)
            continue
        if source:
            yield source
        progress(done + 1, len(listed))


def _own_files(root: Path, config: Config, unreadable: Unreadable = _silent) -> list[str]:
    found = workspace_files(root, unreadable)
    return sorted(path for path in found if not excluded(path, root, config.exclude))


def read_source(
    path: str, cache: FactsCache = NO_CACHE, unreadable: Unreadable = _silent
) -> Source | None:
    """Return the source at `path`, or None when mkls does not read it or cannot."""
    document = read_document(path, unreadable)
    return Source(document, cache.facts_of(document)) if document else None


def read_document(path: str, unreadable: Unreadable = _silent) -> Document | None:
    """Return the document at `path`, or None when mkls does not read it or cannot."""
    uri = uri_of(path)
    if language_of(uri) is None:
        return None
    try:
        text = read_text(path)
    except OSError as error:
        unreadable(path, error)
        return None
    language = language_of_text(uri, text)
    return Document(uri, language, text) if language else None


def header_folders(root: Path, include_dirs: Iterable[str]) -> list[Path]:
    """Return the folders of headers that sources outside PyTorch include.

    They are `include_dirs` (relative to `root`), then the installed torch's own, which is found
    without being imported.
    """
    folders = [Path(os.path.normpath(root / folder)) for folder in include_dirs]
    torch = _torch_include()
    return [*folders, torch] if torch else folders


def _metal_headers(folders: Iterable[Path]) -> list[str]:
    patterns = ("c10/metal/*.h", "ATen/native/mps/kernels/*.h")
    return [str(it) for folder in folders for glob in patterns for it in folder.glob(glob)]


def _torch_include() -> Path | None:
    try:
        spec = importlib.util.find_spec("torch")
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / "include"


def excluded(path: str, root: Path, patterns: Iterable[str]) -> bool:
    """Whether one of the configured `patterns` matches `path` below `root`."""
    relative = path.removeprefix(f"{root}/")
    return any(fnmatchcase(relative, pattern) for pattern in patterns)


def uris_below(uris: Iterable[Uri], paths: Iterable[Path]) -> list[Uri]:
    """Return those of `uris` that are one of `paths` or lie below one."""
    wanted = [uri_of(str(path)) for path in paths]
    return [
        uri
        for uri in uris
        if any(uri == want or uri.startswith(want.rstrip("/") + "/") for want in wanted)
    ]
