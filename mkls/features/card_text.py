"""Cards as Markdown."""

from collections.abc import Iterator, Sequence

from mkls.features.markdown import place, table
from mkls.features.operator_card import NamedPlace, OperatorCard
from mkls.index.snapshot import Snapshot

_MOST_KERNELS = 60


def card_markdown(snapshot: Snapshot, card: OperatorCard) -> str:
    """Return the card of an operator as a Markdown document."""
    parts = [f"# `{card.base}`", _rows(snapshot, card)]
    for title, found in (
        ("Host functions", card.functions),
        ("Stubs", card.stubs),
        (f"Kernels ({len({it.name for it in card.kernels})})", card.kernels),
        ("In the lists of MPS tests", card.tests),
    ):
        if found:
            parts += (f"## {title}", "\n".join(_places(snapshot, found)))
    return "\n\n".join(parts) + "\n"


def _rows(snapshot: Snapshot, card: OperatorCard) -> str:
    rows = [
        (
            f"`{it.name}`",
            f"{it.state}, shared" if it.shares else it.state,
            f"`{it.function}`" if it.function else "",
            " ".join(it.dtypes),
            place(snapshot, it.place.uri, it.place.span).rpartition(":")[2],
        )
        for it in card.rows
    ]
    return table(("row", "on MPS", "function", "dtypes", "line"), rows)


def _places(snapshot: Snapshot, found: Sequence[NamedPlace]) -> Iterator[str]:
    for it in found[:_MOST_KERNELS]:
        yield f"- `{it.name}` {it.role}: {place(snapshot, it.place.uri, it.place.span)}"
    rest = len(found) - _MOST_KERNELS
    if rest > 0:
        yield f"- and {rest} more"
