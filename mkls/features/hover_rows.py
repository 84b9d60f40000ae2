"""What there is to know about rows of `native_functions.yaml`."""

from collections.abc import Iterator

from mkls.features.dispatching import implementations
from mkls.features.hover_host import stubs_of
from mkls.features.markdown import listed, place, table
from mkls.features.meanings import DISPATCH_KEYS, ENTRY_KEYS
from mkls.features.subjects import DispatchedFunction, DispatchKey, EntryKey, Operator
from mkls.index.mps_state import State, mps_state
from mkls.index.operators import MPS, Row
from mkls.index.resolution import Resolution, ResolutionKind, resolution
from mkls.index.snapshot import Snapshot
from mkls.text.wording import counted

_MOST_ROWS = 40
_MOST_KERNELS = 12
RUNS = {
    State.METAL: "Metal",
    State.GRAPH: "MPSGraph",
    State.MIXED: "Metal, MPSGraph",
    State.HOST: "host code",
    State.UNREGISTERED: "no stub",
}
"""What a row of the backend's own runs, in a word."""
_NOTHING = "nothing: fails, or falls back to the CPU"


def hover_operator(snapshot: Snapshot, subject: Operator) -> str:
    """Tell how the row, and every other one of its base name, runs on MPS."""
    row = subject.row
    parts = [f"**`{row.name}`** on MPS: {_kernel(row, _on_mps(snapshot, row))}"]
    parts += _below(snapshot, row)
    parts += _kernels(snapshot, row)
    rows = snapshot.operators.rows_of_base(row.entry.base)
    if len(rows) > 1:
        parts.append(_overloads(snapshot, row, rows))
    return "\n\n".join(parts)


def _below(snapshot: Snapshot, row: Row) -> Iterator[str]:
    """Yield where the kernel is, and which stubs it calls."""
    found = _on_mps(snapshot, row)
    if found.function is None:
        return
    symbol = found.function.symbol
    functions = implementations(snapshot, found.row, symbol)
    if functions:
        places = (place(snapshot, it.uri, it.name_place.span) for it in functions)
        yield f"`{symbol}` is defined in {', '.join(places)}."
    yield from stubs_of(snapshot, symbol)


def _kernels(snapshot: Snapshot, row: Row) -> Iterator[str]:
    """Yield what the row's host functions run: kernels with their dtypes, or graphs."""
    found = mps_state(snapshot, row)
    names = found.kernels(snapshot)
    if names:
        dtypes = found.dtypes(snapshot)
        of = f" for {', '.join(dtypes)}" if dtypes else ""
        yield f"{counted(len(names), 'kernel')}{of}: {listed(names, _MOST_KERNELS)}"
    if found.state in (State.GRAPH, State.MIXED):
        yield "It builds an MPSGraph." if found.state is State.GRAPH else "It also uses MPSGraph."


def _overloads(snapshot: Snapshot, row: Row, rows: list[Row]) -> str:
    lines = [_overload(snapshot, it, it is row) for it in rows[:_MOST_ROWS]]
    if len(rows) > _MOST_ROWS:
        lines.append((f"{len(rows) - _MOST_ROWS} more", "", ""))
    return table((f"overloads of `{row.entry.base}`", "on MPS", "runs"), lines)


def _overload(snapshot: Snapshot, row: Row, here: bool) -> tuple[str, str, str]:
    found = mps_state(snapshot, row)
    runs = RUNS.get(found.state, "")
    dtypes = found.dtypes(snapshot)
    return (
        f"**`{row.name}`**" if here else f"`{row.name}`",
        _briefly(row, found.resolution),
        f"{runs}: {', '.join(dtypes)}" if dtypes else runs,
    )


def _on_mps(snapshot: Snapshot, row: Row) -> Resolution:
    return resolution(snapshot.operators, row, MPS)


def _kernel(row: Row, found: Resolution) -> str:
    function = f"`{found.function.text}`" if found.function else ""
    if found.kind is ResolutionKind.EXPLICIT:
        return f"{function or 'a kernel'}{_shared(found)}"
    if found.kind is ResolutionKind.DELEGATE:
        return f"`{found.row.name}` → {function}{_shared(found)}"
    if found.kind is ResolutionKind.LIBRARY:
        return "registered by `TORCH_LIBRARY_IMPL`"
    if found.kind is ResolutionKind.NOTHING:
        return _NOTHING
    if found.row is not row:
        return f"{_NOTHING}, in `{found.row.name}`, to which it delegates"
    return f"{function} ({found.kind.value})" if function else found.kind.value


def _briefly(row: Row, found: Resolution) -> str:
    """Return what `_kernel` does, for a cell of a table."""
    text = _kernel(row, found).replace(_NOTHING, "nothing").replace(", to which it delegates", "")
    shared = _shared(found)
    return text.replace(shared, ", shared") if shared else text


def _shared(found: Resolution) -> str:
    line = found.row.line(MPS)
    others = [key.text for key in line.keys if key.text != MPS] if line else []
    return f", shared with {', '.join(others)}" if others else ""


def hover_key(snapshot: Snapshot, subject: DispatchKey) -> str:
    """Tell what a dispatch key stands for, and whether this checkout takes it."""
    meaning = DISPATCH_KEYS.get(subject.key, "")
    accepted = subject.key in snapshot.operators.accepted.dispatch_keys
    refused = "" if accepted else "\n\nThis checkout's torchgen takes no kernels for it."
    return f"**`{subject.key}`** (dispatch key)\n\n{meaning}{refused}".rstrip()


def hover_entry_key(_snapshot: Snapshot, subject: EntryKey) -> str:
    """Tell what a key of an entry means."""
    meaning = ENTRY_KEYS.get(subject.key)
    return f"**`{subject.key}`**\n\n{meaning}" if meaning else ""


def hover_dispatched(snapshot: Snapshot, subject: DispatchedFunction) -> str:
    """Tell where the host function behind dispatch keys is, and which stubs it calls."""
    found = implementations(snapshot, subject.row, subject.function, subject.keys)
    head = f"**`{subject.function}`** for {', '.join(subject.keys)}"
    places = (f"- {place(snapshot, it.uri, it.name_place.span)}" for it in found)
    defined = "\n".join(("defined in", *places)) if found else "No file at hand defines it."
    return "\n\n".join((head, defined, *stubs_of(snapshot, subject.function)))
