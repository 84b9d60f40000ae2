"""Small pieces of Markdown."""

from collections.abc import Iterable, Sequence

from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri, path_of
from mkls.text.span import Span


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; a bar within a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines
    )


def listed(names: Sequence[str], most: int) -> str:
    """Return code-formatted `names`, and how many are left out beyond `most`."""
    shown = ", ".join(f"`{name}`" for name in names[:most])
    rest = len(names) - most
    return f"{shown} and {rest} more" if rest > 0 else shown


def place(snapshot: Snapshot, uri: Uri, span: Span) -> str:
    """Return file name and line of a place, as people write them."""
    name = path_of(uri).rpartition("/")[2]
    source = snapshot.sources.get(uri)
    return f"{name}:{source.document.lines.line(span.start) + 1}" if source else name


def counted(count: int, noun: str) -> str:
    """Return `count` with `noun` in the right number."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
