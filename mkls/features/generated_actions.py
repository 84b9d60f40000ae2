"""What an editor offers to generate where the cursor is: MPS lines, migrations, operators."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum

import msgspec

from mkls.features.subjects_of_rows import row_at
from mkls.generation.add_mps import plan_mps
from mkls.generation.migrate import plan_migration
from mkls.generation.new_operator import NewOperator, plan_new_operator
from mkls.generation.plan import Plan, Reason, Refusal
from mkls.generation.selection import legacy_rows, rows_without_mps
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot
from mkls.syntax.native_functions.schema import SchemaKind
from mkls.text.document import Uri
from mkls.text.span import Span


class Generator(Enum):
    """What makes the plan of an offer."""

    MIGRATE = "migrate"
    ADD_MPS = "add-mps"
    IMPLEMENT = "implement"


_MENDS = {
    Generator.MIGRATE: ("mixed-dispatch-group", "migration-candidate"),
    Generator.ADD_MPS: ("missing-sibling-dispatch",),
    Generator.IMPLEMENT: (),
}
_KINDS = {1: "unary", 2: "binary", 3: "ternary"}
_SILENT = (Reason.NOTHING_TO_DO, Reason.UNKNOWN_OPERATOR)


class Offer(msgspec.Struct, frozen=True):
    """Something to generate for `operator`, under an order as title.

    `mends` are the rules whose findings within `span`, the row that it is about, it takes away.
    """

    title: str
    generator: Generator
    operator: str
    mends: tuple[str, ...]
    span: Span


def offers(snapshot: Snapshot, uri: Uri, offset: int) -> list[Offer]:
    """Return what may be generated for what stands at `offset` of `uri`; see `planned`."""
    row = _row_around(snapshot, uri, offset)
    if row is not None:
        return list(_of_row(snapshot, row))
    return list(_of_function(snapshot, uri, offset))


def planned(snapshot: Snapshot, offer: Offer, cpu_sources: Sequence[str] = ()) -> Plan | Refusal:
    """Return the plan of `offer`, or why it is refused.

    `cpu_sources` are the texts of ATen/native/cpu/*.cpp.
    """
    if offer.generator is Generator.MIGRATE:
        return plan_migration(snapshot, offer.operator, cpu_sources)
    if offer.generator is Generator.ADD_MPS:
        return plan_mps(snapshot, offer.operator, cpu_sources)
    row = snapshot.operators.row(offer.operator)
    if row is None:
        return Refusal(Reason.UNKNOWN_OPERATOR, f"no row is called `{offer.operator}`")
    wanted = NewOperator(row.name, _KINDS[_tensors(row)])
    return plan_new_operator(snapshot, wanted, row)


def is_worth_telling(refusal: Refusal) -> bool:
    """Whether the user gains by hearing why there is no plan."""
    return refusal.reason not in _SILENT


def _row_around(snapshot: Snapshot, uri: Uri, offset: int) -> Row | None:
    rows = snapshot.operators.rows_in.get(uri, [])
    at = bisect_right(rows, offset, key=lambda it: it.start) - 1
    row = row_at(snapshot, uri, rows[at].start) if at >= 0 else None
    return row if row is not None and offset <= row.start + row.entry.end else None


def _of_row(snapshot: Snapshot, row: Row) -> Iterator[Offer]:
    group = snapshot.operators.rows_of_base(row.entry.base)
    yield from _migrations(group, row)
    yield from _additions(snapshot, group, row)
    if _is_bare(snapshot, row):
        title = f"Implement operator `{row.name}` for MPS"
        yield _offer(Generator.IMPLEMENT, title, row.name, row)


def _migrations(group: list[Row], row: Row | None) -> Iterator[Offer]:
    legacy = legacy_rows(group)
    delegates = row is not None and row.entry.structured_delegate is not None
    if not legacy or (row is not None and row not in legacy and not delegates):
        return
    base = legacy[0].entry.base
    yield _offer(Generator.MIGRATE, f"Migrate `{base}` to its dispatch stub", base, row)
    if row is not None and not delegates and len(legacy) > 1:
        title = f"Migrate `{row.name}` alone to its dispatch stub"
        yield _offer(Generator.MIGRATE, title, row.name, row)


def _additions(snapshot: Snapshot, group: list[Row], row: Row) -> Iterator[Offer]:
    lacking = rows_without_mps(snapshot, group)
    if not lacking or (row not in lacking and row.entry.structured_delegate is None):
        return
    base = row.entry.base
    yield _offer(Generator.ADD_MPS, f"Add MPS to `{base}`", base, row)
    if row in lacking and len(lacking) > 1:
        yield _offer(Generator.ADD_MPS, f"Add MPS to `{row.name}` alone", row.name, row)


def _offer(generator: Generator, title: str, operator: str, row: Row | None) -> Offer:
    span = row.place(Span(0, row.entry.end)) if row is not None else Span(0, 0)
    return Offer(title, generator, operator, _MENDS[generator], span)


def _is_bare(snapshot: Snapshot, row: Row) -> bool:
    """Whether `row` names an operator of which there is nothing yet but a schema."""
    entry = row.entry
    alone = len(snapshot.operators.rows_of_base(entry.base)) == 1
    says_more = entry.has_dispatch or entry.structured or entry.structured_delegate is not None
    if not alone or says_more or entry.schema_problems or row.name != entry.base:
        return False
    schema = entry.schema
    only_tensors = all(it.declaration.type_text == "Tensor" for it in schema.arguments)
    returns = [it.declaration.type_text for it in schema.returns]
    is_plain = schema.kind is SchemaKind.FUNCTIONAL and returns == ["Tensor"]
    known = snapshot.host.functions(row.name)
    return only_tensors and is_plain and _tensors(row) in _KINDS and not known


def _tensors(row: Row) -> int:
    return len(row.entry.schema.arguments)


def _of_function(snapshot: Snapshot, uri: Uri, offset: int) -> Iterator[Offer]:
    """Yield what may be done about the legacy function whose name stands at `offset`."""
    document = snapshot.host.document(uri)
    for function in document.functions if document else ():
        if offset in function.name_place.span:
            symbol = function.name.text
            for group in snapshot.operators.by_base.values():
                legacy = legacy_rows(group)
                if any(it.function("MPS") and _symbol(it) == symbol for it in legacy):
                    yield from _migrations(group, None)
            return


def _symbol(row: Row) -> str:
    function = row.function("MPS")
    return function.symbol if function else ""
