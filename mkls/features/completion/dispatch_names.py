"""Which host functions a row may name behind a dispatch key."""

from collections.abc import Iterable, Iterator

from mkls.facts.model.native_functions import Entry
from mkls.features.completion.item import Item, ItemKind
from mkls.index.host_documents import HostFunction
from mkls.index.kernel_users import METAL_KEYS
from mkls.index.links import named_functions
from mkls.index.snapshot import Snapshot
from mkls.text.span import Span


def fitting_functions(
    snapshot: Snapshot, entry: Entry, keys: tuple[str, ...], typed: str, span: Span
) -> Iterator[Item]:
    """Yield the functions that fit: of the row's kind, its name, and the keys' backend.

    First what the row names for other keys, if it runs for these as well; then functions with its
    name in theirs that no row names yet; then others.
    """
    is_metal = any(key in METAL_KEYS for key in keys)
    shared = {it.function.symbol for it in entry.dispatch if it.function}
    for name in sorted(shared - {typed}):
        rank = 0 if not is_metal or _runs_on_mps(snapshot, name) else 3
        detail = "shared with this row's keys"
        yield Item(name, ItemKind.HOST_FUNCTION, span, rank=rank, detail=detail)
    named = named_functions(snapshot)
    for function in _functions(snapshot, entry, is_metal):
        name = function.name.text
        related = bool(entry.base) and entry.base.strip("_") in name
        if not related and (name in named or not function.is_torch_impl):
            continue
        rank = (1 if name not in named else 2) if related else 6
        yield Item(name, ItemKind.HOST_FUNCTION, span, rank=rank, detail=_where(function))
    if is_metal and entry.base:
        name = f"{entry.base.strip('_')}{'_out' if entry.structured else ''}_mps"
        yield Item(name, ItemKind.HOST_FUNCTION, span, rank=4, detail="to be written")


def _runs_on_mps(snapshot: Snapshot, function: str) -> bool:
    """Whether a function of several backends calls a stub that is registered for MPS."""
    stubs = snapshot.host.stubs.by_name
    return any(stubs[it.stub].registered for it in snapshot.host.reaches(function))


def _functions(snapshot: Snapshot, entry: Entry, is_metal: bool) -> Iterable[HostFunction]:
    for document in snapshot.host.documents:
        if is_metal and not document.objective:
            continue
        for it in document.functions:
            if it.is_torch_impl == entry.structured and (it.function is not None or not is_metal):
                yield it


def _where(function: HostFunction) -> str:
    return function.uri.rpartition("/")[2]
