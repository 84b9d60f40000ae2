"""Which host function serves a row, and which rows a host function serves."""

from collections.abc import Collection, Iterator

from mkls.index.host_documents import HostFunction
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot

_METAL_KEYS = frozenset((MPS, "SparseMPS", "QuantizedMPS", "NestedTensorMPS"))


def implementations(
    snapshot: Snapshot, row: Row, function: str, keys: Collection[str] = (MPS,)
) -> tuple[HostFunction, ...]:
    """Return the definitions of host function `function`, which `row` names for `keys`.

    Functions of one name may be found in several backends; those that a key of `keys` means and
    that are of the row's kind (`TORCH_IMPL_FUNC` for a structured row) go before all others.
    """
    found = snapshot.host.functions(function)
    likely = [it for it in found if it.is_torch_impl == row.entry.structured] or found
    if _METAL_KEYS.issuperset(keys):
        likely = [it for it in likely if it.uri.endswith(".mm")] or likely
    return tuple(likely)


def rows_dispatching_to(snapshot: Snapshot, function: str) -> Iterator[Row]:
    """Yield the rows that name host function `function` behind some dispatch key."""
    for row in snapshot.operators.rows:
        for line in row.entry.dispatch:
            if line.function and line.function.symbol == function:
                yield row
                break
