"""Includes of Metal sources that mean no file at hand."""

import posixpath
from collections.abc import Iterator

from mkls.facts.model.metal import Include, MetalFacts
from mkls.index.kernels_walk import Missing
from mkls.index.snapshot import Snapshot
from mkls.index.spelling import close_names
from mkls.text.document import Uri

_ATEN = "/aten/src/"


def unresolved_includes(snapshot: Snapshot, uri: Uri) -> Iterator[Include]:
    """Yield the includes of `uri` that are compiled and mean no file at hand.

    Outside of PyTorch, `<c10/metal/utils.h>` is certainly wrong only where c10 is at hand.
    """
    facts = snapshot.facts(MetalFacts).get(uri)
    if facts is None or not snapshot.kernels.incomplete:
        return
    missing = {it.span for it in _missing(snapshot) if it.uri == uri}
    for include in facts.includes:
        is_host = include.span not in missing or _is_host_header(snapshot, include)
        if not is_host and _is_at_hand(snapshot, include):
            yield include


def _is_host_header(snapshot: Snapshot, include: Include) -> bool:
    """Whether `include` means a header that is there, and that nothing tells to be Metal."""
    return any(uri.endswith(f"/{include.path}") for uri in snapshot.sources)


def _missing(snapshot: Snapshot) -> Iterator[Missing]:
    for missing in snapshot.kernels.incomplete.values():
        yield from missing


def _is_at_hand(snapshot: Snapshot, include: Include) -> bool:
    """Whether the library that `include` names by its first folder is at hand."""
    if include.quoted or snapshot.operators.rows:
        return True
    folder = f"/{include.path.partition('/')[0]}/"
    return any(folder in uri for uri in snapshot.facts(MetalFacts))


def close_headers(snapshot: Snapshot, uri: Uri, include: Include) -> list[str]:
    """Return how to write the headers whose paths are nearest to that of `include`."""
    headers = [it for it in snapshot.facts(MetalFacts) if it.endswith(".h") and it != uri]
    if include.quoted:
        folder = uri.rpartition("/")[0]
        known = [posixpath.relpath(header, folder) for header in headers]
    else:
        known = [_written(snapshot, header) for header in headers]
    return close_names(include.path, known)


def _written(snapshot: Snapshot, header: Uri) -> str:
    """Return how sources include `header`: by its path below the root that it is found by."""
    if _ATEN in header:
        return header.rpartition(_ATEN)[2]
    for root in snapshot.kernels.includes.roots:
        if header.startswith(f"{root}/"):
            return header[len(root) :].lstrip("/")
    return header.rpartition("/")[2]
