"""The variants that torchgen makes of a signature (`torchgen.native_function_generation`)."""

from collections.abc import Iterator, Mapping

import msgspec

from mkls.facts.model.native_functions import COMPOSITE_IMPLICIT
from mkls.index.operators import OperatorIndex, Row
from mkls.index.snapshot import Snapshot
from mkls.syntax.native_functions.schema import SchemaKind
from mkls.text.document import Uri

_TENSORS = ("Tensor", "Tensor?", "Tensor[]", "Tensor?[]")
_NO_VIEWS = frozenset(("resize_", "resize_as_"))


class WrongAutogen(msgspec.Struct, frozen=True):
    """A group of variants whose `autogen` lines do not say what torchgen makes.

    `row` is the first whose line has a wrong name, else the first that has such a line; `found` and
    `expected` are those of the whole group, sorted.
    """

    row: Row
    found: tuple[str, ...]
    expected: tuple[str, ...]


def wrong_autogens(snapshot: Snapshot) -> Mapping[Uri, tuple[WrongAutogen, ...]]:
    """Return the groups that torchgen would reject for their `autogen`, by document."""
    return snapshot.once(_wrong_autogens)


def _wrong_autogens(snapshot: Snapshot) -> Mapping[Uri, tuple[WrongAutogen, ...]]:
    found: dict[Uri, list[WrongAutogen]] = {}
    for wrong in _wrong(snapshot.operators):
        found.setdefault(wrong.row.uri, []).append(wrong)
    return {uri: tuple(wrongs) for uri, wrongs in found.items()}


def _wrong(operators: OperatorIndex) -> Iterator[WrongAutogen]:
    for rows in operators.by_base.values():
        listing = [row for row in rows if row.entry.autogen]
        # Names alone mostly tell that nothing is wrong, which spares reading most schemas.
        if all(_lists_the_usual(operators, row) for row in listing):
            continue
        for group in _groups(rows):
            wrong = _judged(group)
            # `duplicate-operator` tells of names that are rows already.
            if wrong is not None and operators.by_name.keys().isdisjoint(wrong.found):
                yield wrong


def _lists_the_usual(operators: OperatorIndex, row: Row) -> bool:
    functional, out = _names(row)
    usual = (functional, out) if row.entry.is_inplace else (out,)
    listed = tuple(sorted(name.text for name in row.entry.autogen))
    return listed == tuple(sorted(usual)) and not any(name in operators.by_name for name in usual)


def _names(row: Row) -> tuple[str, str]:
    """Return the names of the functional and of the out variant that torchgen would make."""
    overload = row.name.partition(".")[2]
    functional = f"{row.entry.base}.{overload}" if overload else row.entry.base
    return functional, f"{functional}_out" if overload else f"{functional}.out"


def _groups(rows: list[Row]) -> Iterator[Mapping[SchemaKind, Row]]:
    """Yield the groups of variants with an `autogen` line among rows of one base name."""
    groups: dict[str, dict[SchemaKind, Row]] = {}
    for row in rows:
        if row.entry.schema_problems or row.entry.problems:
            return
        groups.setdefault(row.entry.signature, {}).setdefault(row.entry.schema.kind, row)
    for group in groups.values():
        is_alone = len(group) == 1 and SchemaKind.OUT in group  # torchgen keeps a list of these
        listed = any(row.entry.autogen for row in group.values())
        if listed and not is_alone and SchemaKind.SCRATCH not in group:
            yield group


def _judged(group: Mapping[SchemaKind, Row]) -> WrongAutogen | None:
    rows = list(group.values())
    if all(row.entry.manual_cpp_binding for row in rows) or any(_is_view(row) for row in rows):
        return None
    found = sorted({name.text for row in rows for name in row.entry.autogen})
    if _is_decomposed(rows) and set(found) <= set(_names(_base(group))):
        return None  # torchgen makes nothing of these, in silence
    expected = sorted(_generated(group, _base(group)))
    if found == expected:
        return None
    if SchemaKind.OUT not in group and not expected:
        # Such a group is none to torchgen, and nobody compares: it makes nothing in silence.
        if SchemaKind.FUNCTIONAL not in group:
            return None
        expected = [_names(_base(group))[1]]
    listing = [row for row in rows if row.entry.autogen]
    wrong = [row for row in listing if any(it.text not in expected for it in row.entry.autogen)]
    listing = (wrong or listing)[0]
    return WrongAutogen(listing, tuple(found), tuple(expected))


def _is_decomposed(rows: list[Row]) -> bool:
    implicit = all(_is_implicit(row) for row in rows)
    return implicit and not any(tag.text == "core" for row in rows for tag in row.entry.tags)


def _base(group: Mapping[SchemaKind, Row]) -> Row:
    for kind in (SchemaKind.MUTABLE, SchemaKind.INPLACE, SchemaKind.OUT):
        if kind in group:
            return group[kind]
    return group[SchemaKind.FUNCTIONAL]


def _generated(group: Mapping[SchemaKind, Row], base: Row) -> Iterator[str]:
    schema = base.entry.schema
    functional, out = _names(base)
    needs_out = any("out" in it.text for it in base.entry.autogen)
    valid = schema.name.is_inplace or any(
        it.declaration.type_text in _TENSORS for it in schema.returns
    )
    makes_out = SchemaKind.OUT not in group and valid and needs_out
    if makes_out:
        yield out
    if SchemaKind.FUNCTIONAL not in group and (SchemaKind.OUT in group or makes_out):
        is_mutable = schema.kind is SchemaKind.MUTABLE
        base_name = base.entry.base
        yield (
            functional.replace(base_name, f"{base_name}_functional", 1)
            if is_mutable
            else functional
        )


def _is_implicit(row: Row) -> bool:
    return row.entry.composite == COMPOSITE_IMPLICIT


def _is_view(row: Row) -> bool:
    """Whether torchgen takes the row for a view (`NativeFunction.is_view_op`); `set_` is none."""
    schema = row.entry.schema
    if schema.name.function == "set_":
        return False
    if any(tag.text == "inplace_view" for tag in row.entry.tags):
        return schema.name.function not in _NO_VIEWS
    returned = [it.declaration for it in schema.returns if it.declaration.annotation]
    if any(not it.is_write for it in returned):
        return True
    return any("*" in (it.declaration.annotation or "") for it in schema.arguments)
