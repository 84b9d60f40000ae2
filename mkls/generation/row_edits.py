"""Edits of rows: MPS into the shared line, or on a line of its own."""

from mkls.diagnostics.model import FileEdit
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.generation.plan import Reason, RefusedError
from mkls.index.dispatch_edits import listing, new_line, unlisting
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot
from mkls.text.edit import Edit


def readable(row: Row) -> None:
    """Refuse a row that is half-typed.

    Raises:
        RefusedError: Its YAML or its schema has problems.
    """
    if row.entry.problems or row.entry.schema_problems or not row.entry.func:
        problem = (*row.entry.problems, *row.entry.schema_problems)
        what = f": {problem[0].message}" if problem else ""
        raise RefusedError(Reason.BROKEN_ROW, f"the entry of `{row.name}` cannot be read{what}")


def sharing(row: Row) -> list[FileEdit]:
    """Return the edits that list MPS beside the CPU, and take away its own line if there is one."""
    shared = row.line("CPU") or row.line("CUDA")
    if shared is None:
        return []
    edits = [FileEdit(row.uri, listing(row, shared, MPS))]
    own = unlisting(row, MPS) if row.line(MPS) is not None else None
    if own is not None:
        edits.append(FileEdit(row.uri, own))
    return edits


def own_line(snapshot: Snapshot, row: Row, function: str) -> FileEdit:
    """Return the edit that gives MPS a line of its own for `function`."""
    facts = snapshot.facts(NativeFunctionsFacts)[row.uri]
    edit: Edit = new_line(row, MPS, function, facts.newline)
    return FileEdit(row.uri, edit)


def mps_function_name(row: Row) -> str:
    """Return what PyTorch's habit calls the row's MPS function: `x_out_mps`, `x_mps_`."""
    other = row.function("CUDA") or row.function("CPU")
    if other is None:
        return row.name.replace(".", "_") + "_mps"
    plain = other.symbol.removesuffix("_symint")
    symint = "_symint" if other.symbol.endswith("_symint") else ""
    for backend in ("cuda", "cpu"):
        if backend in plain.split("_"):
            return "_".join("mps" if it == backend else it for it in plain.split("_")) + symint
    inplace = "_" if plain.endswith("_") else ""
    return f"{plain.removesuffix('_')}_mps{inplace}{symint}"
