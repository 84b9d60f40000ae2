"""Dispatch names that nothing defines, and the functions that they may mean."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import NamedTuple

from mkls.facts.model.native_functions import HostFunctionName
from mkls.index.links import MPS_KEYS, has_host_code, named_functions
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri


class UndefinedName(NamedTuple):
    """A name in a dispatch line of `row`.

    `close` are functions that no row names and that may be meant, the nearest first; of a line
    that other backends share, those may define the name, and nothing is guessed.
    """

    row: Row
    name: HostFunctionName
    is_shared: bool
    close: tuple[str, ...]


def undefined_names(snapshot: Snapshot, uri: Uri) -> tuple[UndefinedName, ...]:
    """Return the names of MPS keys in `uri` that have no definition."""
    return snapshot.once(_undefined).get(uri, ())


def meant_functions(snapshot: Snapshot) -> frozenset[str]:
    """Return the functions that some undefined name probably means."""
    return frozenset(
        it.close[0] for found in snapshot.once(_undefined).values() for it in found if it.close
    )


def _undefined(snapshot: Snapshot) -> Mapping[Uri, tuple[UndefinedName, ...]]:
    if not has_host_code(snapshot):
        return {}
    found: dict[Uri, list[UndefinedName]] = {}
    for row in snapshot.operators.rows:
        # That a row delegates, or says a key twice, is a mistake of its own.
        delegates = row.entry.structured_delegate is not None
        for line in () if row.entry.problems or delegates else row.entry.dispatch:
            name = line.function
            for_mps = any(key.text in MPS_KEYS for key in line.keys)
            if for_mps and name and name.symbol and not snapshot.host.functions(name.symbol):
                close = _close_names(snapshot, name.symbol)
                it = UndefinedName(row, name, line.is_shared, close)
                found.setdefault(row.uri, []).append(it)
    return {uri: tuple(names) for uri, names in found.items()}


def _close_names(snapshot: Snapshot, symbol: str) -> tuple[str, ...]:
    named = named_functions(snapshot)
    free = [it for it in snapshot.host.names if it not in named]
    return tuple(get_close_matches(symbol, free, n=3, cutoff=0.75))
