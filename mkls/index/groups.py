"""Rows that belong together: the variants of one signature, the overloads of one base name."""

from collections.abc import Iterator

from mkls.facts.model.native_functions import COMPOSITES
from mkls.index.operators import MPS, OperatorIndex, Row
from mkls.index.resolution import has_native_kernel
from mkls.syntax.native_functions.schema import SchemaKind


def signature_groups(index: OperatorIndex) -> dict[str, dict[SchemaKind, Row]]:
    """Return the variants of each signature (torchgen's `pre_group_native_functions`)."""
    groups: dict[str, dict[SchemaKind, Row]] = {}
    for row in index.rows:
        group = groups.setdefault(row.entry.signature, {})
        group.setdefault(row.entry.schema.kind, row)
    return groups


def variants(index: OperatorIndex, row: Row) -> dict[SchemaKind, Row]:
    """Return the rows with the signature of `row`, itself included, by kind."""
    group: dict[SchemaKind, Row] = {}
    for it in index.rows_of_base(row.entry.base):
        if it.entry.signature == row.entry.signature:
            group.setdefault(it.entry.schema.kind, it)
    return group


def has_cpu_and_cuda(row: Row) -> bool:
    """Whether the row has a kernel of its own for the CPU and for CUDA.

    A row for CUDA alone, such as `mm.dtype`, is so by design and lacks nothing on MPS.
    """
    lines = row.entry.dispatch_lines
    return ("CPU" in lines and "CUDA" in lines) or bool(row.entry.ufunc_inner_loop)


def lacks_mps(index: OperatorIndex, row: Row) -> bool:
    """Whether `row` has kernels for CPU and CUDA, and nothing that would run on MPS.

    A row whose YAML is broken lacks nothing for certain: its MPS line may be the broken one, or
    one of its keys may be a misspelt MPS, or a row that delegates to it may list MPS in its place.
    """
    entry = row.entry
    return (
        bool(entry.dispatch)
        and MPS not in entry.dispatch_lines
        and has_cpu_and_cuda(row)
        and entry.structured_delegate is None
        and not entry.problems
        and COMPOSITES.isdisjoint(entry.dispatch_lines)
        and row.name not in index.library_impls
        and not has_unknown_key(index, row)
        and not any(it.line(MPS) for it in index.delegating.get(row.name, ()))
    )


def is_left_out(index: OperatorIndex, row: Row) -> bool:
    """Whether `row` lacks MPS while a row of its base name has it."""
    return lacks_mps(index, row) and sibling_with_mps(index, row) is not None


def has_unknown_key(index: OperatorIndex, row: Row) -> bool:
    """Whether a dispatch key of `row` may be a misspelt one."""
    return not row.entry.dispatch_lines.keys() <= index.accepted.known_dispatch_keys


def rows_needing_mps(index: OperatorIndex) -> Iterator[tuple[Row, Row]]:
    """Yield each row that lacks MPS while a row of its base name has it, and such a sibling."""
    for row in index.rows:
        if lacks_mps(index, row):
            sibling = sibling_with_mps(index, row)
            if sibling is not None:
                yield row, sibling


def sibling_with_mps(index: OperatorIndex, row: Row) -> Row | None:
    """Return the row of the same base name that runs on MPS: one that lists it, if there is."""
    siblings = index.rows_of_base(row.entry.base)
    with_mps = [it for it in siblings if it is not row and _is_example(index, it)]
    return next((it for it in with_mps if it.line(MPS) is not None), next(iter(with_mps), None))


def _is_example(index: OperatorIndex, row: Row) -> bool:
    # A delegating row that lists MPS is a mistake of its own, and no example for its siblings.
    is_misplaced = row.entry.structured_delegate is not None and row.line(MPS) is not None
    return not is_misplaced and has_native_kernel(index, row)


def migrated_sibling(index: OperatorIndex, row: Row) -> Row | None:
    """Return a row that already shares its kernel with CPU and CUDA, when `row` could as well.

    Only structured rows on TensorIterator count: they call a stub. A shared function of any other
    kind, such as `remainder.Scalar_Tensor`'s, calls another overload and is no migration.
    """
    if not row.entry.structured or not row.is_own_line() or not _shares_cpu_and_cuda(row):
        return None
    if row.entry.problems:
        return None
    for sibling in index.siblings(row):
        if sibling.is_shared_line() and _is_on_iterator(sibling) and _is_on_iterator(row):
            return sibling
    return None


def _shares_cpu_and_cuda(row: Row) -> bool:
    lines = row.entry.dispatch_lines
    return "CPU" in lines and lines["CPU"] is lines.get("CUDA")


def _is_on_iterator(row: Row) -> bool:
    inherits = row.entry.structured_inherits
    return inherits is not None and inherits.text == "TensorIteratorBase"


def repeated_signatures(index: OperatorIndex) -> Iterator[tuple[Row, Row]]:
    """Yield each row that differs from an earlier one in its overload's name alone, and that one.

    torchgen compares signatures, of which annotations are no part; this sees the plain case, and
    reads no schema for it.
    """
    for rows in index.by_base.values():
        if len(rows) == 1:
            continue
        seen: dict[tuple[bool, str], Row] = {}
        for row in rows:
            func = row.entry.func
            shape = func.text.partition("(")[2] if func else ""
            earlier = seen.setdefault((row.entry.is_inplace, shape), row)
            if earlier is not row and earlier.name != row.name:
                yield row, earlier
