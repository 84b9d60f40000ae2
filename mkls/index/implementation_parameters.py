"""What the C++ function behind a row must look like (torchgen's `api.structured`, `api.native`)."""

from collections.abc import Iterator, Mapping

import msgspec

from mkls.facts.model.host import Parameter
from mkls.facts.model.native_functions import Entry
from mkls.index.host_documents import HostFunction
from mkls.index.links import named_functions
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot
from mkls.syntax.host.function_type import differ
from mkls.syntax.native_functions.declaration import Declaration, read_declaration
from mkls.syntax.native_functions.schema import ArgumentKind
from mkls.text.document import Uri

_VALUES = {
    "int": "int64_t",
    "SymInt": "int64_t",
    "float": "double",
    "bool": "bool",
    "str": "string_view",
    "ScalarType": "ScalarType",
    "Layout": "Layout",
    "Device": "Device",
    "MemoryFormat": "MemoryFormat",
}
_STRUCTURED = {
    "Tensor": "const Tensor&",
    "Tensor?": "OptionalTensorRef",
    "Tensor[]": "const ITensorListRef&",
    "Scalar": "const Scalar&",
    "Scalar?": "OptionalScalarRef",
    "int[]": "IntArrayRef",
    "SymInt[]": "IntArrayRef",
    "int[]?": "OptionalIntArrayRef",
}
_NATIVE = {
    "Tensor": "const Tensor&",
    "Tensor?": "const optional<Tensor>&",
    "Tensor[]": "TensorList",
    "Scalar": "const Scalar&",
    "Scalar?": "const optional<Scalar>&",
    "int[]": "IntArrayRef",
    "int[]?": "OptionalIntArrayRef",
}


class Wrong(msgspec.Struct, frozen=True):
    """A definition that does not fit the row that names it.

    `is_kind` when one is structured and the other is not; else `expected` are the types of the
    parameters, "" where they are not known, and `index` is the first that differs, None where
    their number does.
    """

    row: Row
    function: HostFunction
    is_kind: bool
    expected: tuple[str, ...] = ()
    index: int | None = None

    @property
    def parameter(self) -> Parameter | None:
        """The parameter of the definition that differs."""
        if self.index is None or self.function.function is None:
            return None
        return self.function.function.parameters[self.index]


def wrong_implementations(snapshot: Snapshot, uri: Uri) -> Iterator[Wrong]:
    """Yield the definitions in the Metal document `uri` that fit none of the rows naming them.

    Of several definitions with one name, one that fits is enough.
    """
    document = snapshot.host.document(uri)
    if document is None or not document.objective:
        return
    rows_by_function = snapshot.once(_rows_by_function)
    for symbol in document.functions_by_name:
        rows = rows_by_function.get(symbol)
        functions = snapshot.host.functions(symbol) if rows else ()
        if rows and all(_is_read(snapshot, it) for it in functions):
            wrong = _wrong(rows, functions)
            if wrong and wrong.function.uri == uri:
                yield wrong


class Misnamed(msgspec.Struct, frozen=True):
    """A row that names a function which fits other rows that name it, but not this one.

    `wrong` says how it does not fit; `meant` are functions that no row names and that would fit.
    """

    wrong: Wrong
    meant: tuple[HostFunction, ...]


def misnamed_rows(snapshot: Snapshot, uri: Uri) -> tuple[Misnamed, ...]:
    """Return the rows of `uri` that name the function of another row."""
    return tuple(it for it in snapshot.once(_misnamed) if it.wrong.row.uri == uri)


def functions_meant_instead(snapshot: Snapshot) -> frozenset[str]:
    """Return the functions that misnamed rows probably mean."""
    return frozenset(it.meant[0].name.text for it in snapshot.once(_misnamed) if it.meant)


def _misnamed(snapshot: Snapshot) -> tuple[Misnamed, ...]:
    found: list[Misnamed] = []
    for symbol, rows in snapshot.once(_rows_by_function).items():
        functions = snapshot.host.functions(symbol) if len(rows) > 1 else ()
        if not functions or not all(_is_read(snapshot, it) for it in functions):
            continue
        wrong = {row.name: _wrong([row], functions) for row in rows}
        if None in wrong.values():
            found += [Misnamed(it, _meant(snapshot, it.row)) for it in wrong.values() if it]
    return tuple(found)


def _meant(snapshot: Snapshot, row: Row) -> tuple[HostFunction, ...]:
    """Return the functions that fit `row`, are called after its operator, and that no row names."""
    named = named_functions(snapshot)
    base = row.entry.base.strip("_")
    names = (it for it in snapshot.host.names if base in it and it not in named)
    functions = (it for name in names for it in snapshot.host.functions(name))
    return tuple(it for it in functions if _is_read(snapshot, it) and _mismatch(row, it) is None)


def _is_read(snapshot: Snapshot, function: HostFunction) -> bool:
    """Whether the parameters of `function` are known: of scanned C++ they are not."""
    document = snapshot.host.document(function.uri)
    return function.function is not None and document is not None and document.objective


def _may_be_delegated_to(snapshot: Snapshot, row: Row) -> bool:
    """Whether nothing delegates to the row unless it is structured: else that is the mistake."""
    return row.entry.structured or not snapshot.operators.delegating.get(row.name)


def _rows_by_function(snapshot: Snapshot) -> Mapping[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in snapshot.operators.rows:
        function = row.function(MPS)
        # A delegating row has no kernel of its own: `dispatch-on-delegate` says so.
        is_plain = row.entry.structured_delegate is None and _may_be_delegated_to(snapshot, row)
        if function and is_plain and not row.entry.schema_problems and not row.entry.problems:
            found.setdefault(function.symbol, []).append(row)
    return found


def _wrong(rows: list[Row], functions: tuple[HostFunction, ...]) -> Wrong | None:
    """Return the best-fitting of the pairs, when none fits."""
    found: list[Wrong] = []
    for row in rows:
        for function in functions:
            wrong = _mismatch(row, function)
            if wrong is None:
                return None
            found.append(wrong)
    return min(found, key=lambda it: (it.is_kind, it.index is None, -(it.index or 0)))


def fits(row: Row, function: HostFunction) -> bool:
    """Whether `function` may be what `row` dispatches to, as far as is known."""
    return _mismatch(row, function) is None


def _mismatch(row: Row, function: HostFunction) -> Wrong | None:
    if function.is_torch_impl != row.entry.structured:
        return Wrong(row, function, is_kind=True)
    expected = tuple(_expected(row.entry))
    own = function.function.parameters if function.function else ()
    if len(own) != len(expected):
        return Wrong(row, function, is_kind=False, expected=expected)
    for index, (parameter, wanted) in enumerate(zip(own, expected, strict=True)):
        if wanted and differ(parameter.type, wanted):
            return Wrong(row, function, is_kind=False, expected=expected, index=index)
    return None


def _expected(entry: Entry) -> Iterator[str]:
    """Yield the type of each parameter, "" where it is not known."""
    precomputed = precomputed_of(entry)
    arguments = entry.schema.arguments
    for it in arguments:
        if it.kind is not ArgumentKind.OUT:
            for declaration in precomputed.get(it.name or "", (it.declaration,)):
                yield _type(entry, declaration)
    for declaration in precomputed.get("", ()):
        yield _type(entry, declaration)
    for it in arguments:
        if it.kind is ArgumentKind.OUT:
            yield _type(entry, it.declaration)


def _type(entry: Entry, declaration: Declaration) -> str:
    text = declaration.type_text
    if entry.structured:
        table = _STRUCTURED
    else:
        table = _NATIVE
        if declaration.is_write:
            mutable = "const Tensor&" if entry.use_const_ref_for_mutable_tensors else "Tensor&"
            return mutable if text == "Tensor" else ""
        if declaration.base == "SymInt":
            return ""
    if declaration.suffix.startswith("[") and declaration.base == "int":
        text = "int[]" + declaration.suffix.partition("]")[2]
    if text in table:
        return table[text]
    value = _VALUES.get(declaration.base, "")
    return (
        f"optional<{value}>" if value and declaration.suffix == "?" else _plain(declaration, value)
    )


def _plain(declaration: Declaration, value: str) -> str:
    return "" if declaration.suffix else value


def precomputed_of(entry: Entry) -> Mapping[str, tuple[Declaration, ...]]:
    """Return what the meta function hands on instead of each argument; "" for what it adds."""
    found: dict[str, tuple[Declaration, ...]] = {}
    for item in entry.precomputed:
        argument, arrow, replacement = item.text.partition(" -> ")
        declared = (replacement if arrow else argument).split(",")
        found[argument.strip() if arrow else ""] = tuple(
            read_declaration(part.strip()) for part in declared
        )
    return found
