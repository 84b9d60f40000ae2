"""Small pieces of Markdown."""

from collections.abc import Iterable, Sequence

from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri, path_of
from mkls.text.span import Span


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; a bar within a cell is escaped.

    Columns are aligned: some editors show the source as it is.
    """
    lines = [[cell.replace("|", "\\|") for cell in line] for line in (head, *rows)]
    widths = [max(3, *map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        f"| {' | '.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))} |"
        for line in lines
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
