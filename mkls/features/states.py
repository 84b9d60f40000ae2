"""How a row runs on MPS and how far it is migrated, in a few words."""

from mkls.features.dtype_sets import missing_dtypes
from mkls.index.kernels_link import Kernel
from mkls.index.mps_state import MpsState, State, mps_state
from mkls.index.operators import Row
from mkls.index.resolution import ResolutionKind
from mkls.index.snapshot import Snapshot

_WORDS = {
    State.METAL: "Metal",
    State.GRAPH: "MPSGraph",
    State.MIXED: "Metal + MPSGraph",
    State.HOST: "host code",
    State.UNREGISTERED: "stub not registered",
    State.LIBRARY: "TORCH_LIBRARY_IMPL",
    State.MISSING: "missing",
}


def state_words(found: MpsState) -> str:
    """Return what runs, in a word or two."""
    if found.state is State.COMPOSITE:
        return found.resolution.kind.value
    return _WORDS[found.state]


def row_words(snapshot: Snapshot, row: Row) -> str:
    """Return how `row` runs, for which dtypes, and how far it is migrated to shared functions."""
    found = mps_state(snapshot, row)
    parts = [f"MPS: {state_words(found)}"]
    dtypes = found.dtypes(snapshot)
    if dtypes:
        parts.append(" ".join(dtypes))
    if lacks := missing_dtypes(snapshot, kernels_of(snapshot, found)):
        parts.append(f"missing: {', '.join(lacks)}")
    parts += migration(snapshot, found)
    return " · ".join(parts)


def kernels_of(snapshot: Snapshot, found: MpsState) -> list[Kernel]:
    """Return the kernels that a row's look-ups may ask for."""
    tables = (snapshot.kernels.by_host_name, snapshot.inline_kernels.by_host_name)
    return [
        it for name in found.kernels(snapshot) for table in tables for it in table.get(name, ())
    ]


def migration(snapshot: Snapshot, found: MpsState) -> list[str]:
    """Return whether a row shares its function with other backends, or could."""
    if found.resolution.kind not in (ResolutionKind.EXPLICIT, ResolutionKind.DELEGATE):
        return []
    if found.shares:
        return [f"shared with {', '.join(found.shares)}"]
    target = found.resolution.row
    line = target.line("CPU")
    if line is None or line.function is None or line is not target.line("CUDA"):
        return ["own function"]
    stubs = snapshot.host.reaches(line.function.symbol)
    return [f"own function, could share {stubs[0].stub}"] if stubs else ["own function"]
