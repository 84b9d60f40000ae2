"""Which operators run on MPS, and how: the state of every row."""

from collections import Counter
from collections.abc import Mapping

import msgspec

from mkls.features.states import migration
from mkls.index.mps_state import State, mps_state
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri


class CoveredRow(msgspec.Struct, frozen=True):
    """A row and what it runs on MPS.

    `kind` is the dispatch key of a composite. `elsewhere` are the other GPUs and the CPU, as far
    as the row, or the one that it delegates to, lists kernels for them. `migration` says whether
    its function is shared with them. `line` counts from 1.
    """

    name: str
    base: str
    state: State
    kind: str
    function: str
    delegate: str
    elsewhere: tuple[str, ...]
    migration: str
    stubs: tuple[str, ...]
    kernels: tuple[str, ...]
    dtypes: tuple[str, ...]
    uri: Uri
    line: int


class Coverage(msgspec.Struct, frozen=True):
    """The state of all rows, in the order of the file."""

    rows: tuple[CoveredRow, ...]

    @property
    def counts(self) -> Mapping[State, int]:
        """How many rows are in each state, in the order of `State`."""
        counted = Counter(row.state for row in self.rows)
        return {state: counted[state] for state in State}

    @property
    def gaps(self) -> tuple[CoveredRow, ...]:
        """The rows that do not run on MPS although CPU and CUDA have kernels."""
        return tuple(
            row
            for row in self.rows
            if not row.state.runs and {"CPU", "CUDA"}.issubset(row.elsewhere)
        )


def coverage(snapshot: Snapshot) -> Coverage:
    """Return what every row of `native_functions.yaml` runs on MPS."""
    return Coverage(tuple(_covered(snapshot, row) for row in snapshot.operators.rows))


def _covered(snapshot: Snapshot, row: Row) -> CoveredRow:
    found = mps_state(snapshot, row)
    function = found.resolution.function
    lines = snapshot.sources[row.uri].document.lines
    return CoveredRow(
        name=row.name,
        base=row.entry.base,
        state=found.state,
        kind=found.resolution.kind.value if found.state is State.COMPOSITE else "",
        function=function.text if function else "",
        delegate=found.resolution.row.name if found.resolution.row is not row else "",
        elsewhere=_elsewhere(snapshot, row),
        migration="; ".join(migration(snapshot, found)),
        stubs=found.stubs,
        kernels=found.kernels(snapshot),
        dtypes=found.dtypes(snapshot),
        uri=row.uri,
        line=lines.line(row.name_span.start) + 1,
    )


def _elsewhere(snapshot: Snapshot, row: Row) -> tuple[str, ...]:
    target = snapshot.operators.delegate(row) or row
    keys = {**target.entry.dispatch_lines, **row.entry.dispatch_lines}
    return tuple(key for key in ("CPU", "CUDA", "XPU", "MTIA") if key in keys)
