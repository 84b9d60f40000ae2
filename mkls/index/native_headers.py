"""Headers of operators that a host file includes and has no use for."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from mkls.facts.model.host import HostFacts
from mkls.index.links import MPS_KEYS, has_rows
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span

_NATIVE: Final = re.compile(r"ATen/ops/(\w+)_native\.h")


class LeftoverHeader(NamedTuple):
    """The include of an operator's native header; `line` is all of its line."""

    operator: str
    span: Span
    line: Span


def leftover_headers(snapshot: Snapshot, uri: Uri) -> Iterator[LeftoverHeader]:
    """Yield the includes in `uri` of operators of which it says no name, as far as rows tell."""
    facts = snapshot.facts(HostFacts).get(uri)
    if facts is None or not has_rows(snapshot):
        return
    text = snapshot.sources[uri].document.text
    for include in facts.includes:
        found = _NATIVE.fullmatch(include.path.text)
        names = _names(snapshot, found[1]) if found else frozenset[str]()
        if found and names and not any(_is_said(name, text) for name in names):
            span = include.path.span
            start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end) + 1
            yield LeftoverHeader(found[1], span, Span(start, end or len(text)))


def _names(snapshot: Snapshot, base: str) -> frozenset[str]:
    """Return what the operator's rows name for MPS, and its own names; none without such rows."""
    rows = snapshot.operators.rows_of_base(base)
    functions = {it.symbol for row in rows for key in MPS_KEYS if (it := row.function(key))}
    return frozenset({*functions, base, f"{base}_", f"{base}_out"}) if rows else frozenset()


def _is_said(name: str, text: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None
