"""What includes have to say when a Metal source or a header is renamed."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from mkls.diagnostics.model import FileEdit
from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import HostFacts
from mkls.facts.model.metal import Include, MetalFacts
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.edit import Edit
from mkls.text.span import Span

_METALLIB = "_metallib.h"


def file_renames(snapshot: Snapshot, renamed: Sequence[tuple[Uri, Uri]]) -> list[FileEdit]:
    """Return the edits of includes that keep them right when each first file becomes the second.

    A folder stands for all that it holds. `X_metallib.h`, which the build makes of `X.metal`,
    follows its source; a moved file's own relative includes follow it.
    """
    moved = _moved(snapshot, renamed)
    if not moved:
        return []
    found = [*_in_metal(snapshot, moved), *_in_host(snapshot, moved)]
    return [it for it in dict.fromkeys(found) if it.uri not in snapshot.library]


def _moved(snapshot: Snapshot, renamed: Sequence[tuple[Uri, Uri]]) -> Mapping[Uri, Uri]:
    found: dict[Uri, Uri] = {}
    for old, new in renamed:
        if old in snapshot.sources:
            found[old] = new
        folder = old.rstrip("/") + "/"
        for uri in snapshot.sources:
            if uri.startswith(folder):
                found[uri] = Uri(new.rstrip("/") + "/" + uri[len(folder) :])
    return {old: new for old, new in found.items() if old != new}


def _in_metal(snapshot: Snapshot, moved: Mapping[Uri, Uri]) -> Iterator[FileEdit]:
    for uri, facts in snapshot.facts(MetalFacts).items():
        for include in facts.includes:
            target = snapshot.kernels.includes.resolve(include.path, include.quoted, uri)
            if target is not None and (target in moved or uri in moved):
                new = _path(include, uri, target, moved)
                if new and new != include.path:
                    yield FileEdit(uri, Edit(include.span, new))


def _path(include: Include, uri: Uri, target: Uri, moved: Mapping[Uri, Uri]) -> str | None:
    """Return how `include` of `uri` is to name `target` from now on."""
    here, there = moved.get(uri, uri), moved.get(target, target)
    folder = uri.rpartition("/")[0]
    if include.quoted and posixpath.normpath(f"{folder}/{include.path}") == posixpath.normpath(
        target
    ):
        return posixpath.relpath(there, here.rpartition("/")[0])
    return _below_root(include.path, target, there)


def _below_root(path: str, old: Uri, new: Uri) -> str | None:
    """Return `path`, by which `old` is found below some root, for `new`; None outside of it."""
    if not old.endswith("/" + path):
        return None
    root = old[: -len(path)]
    return new[len(root) :] if new.startswith(root) else None


def _in_host(snapshot: Snapshot, moved: Mapping[Uri, Uri]) -> Iterator[FileEdit]:
    libraries = {
        _stem(old) + _METALLIB: _stem(new) + _METALLIB
        for old, new in moved.items()
        if old.endswith(".metal") and new.endswith(".metal")
    }
    headers = {old: new for old, new in moved.items() if old.endswith(".h")}
    for uri, facts in _host_facts(snapshot):
        for include in facts.includes:
            path, span = include.path.text, include.path.span
            name = path.rpartition("/")[2]
            if name in libraries:
                start = span.end - len(name)
                yield FileEdit(uri, Edit(Span(start, span.end), libraries[name]))
            for old, new in headers.items():
                if old.endswith("/" + path) and (written := _below_root(path, old, new)):
                    yield FileEdit(uri, Edit(span, written))


def _stem(uri: Uri) -> str:
    return uri.rpartition("/")[2].removesuffix(".metal")


def _host_facts(snapshot: Snapshot) -> Iterator[tuple[Uri, HostFacts]]:
    yield from snapshot.facts(HostFacts).items()
    yield from ((uri, it.host) for uri, it in snapshot.facts(CppFacts).items())
