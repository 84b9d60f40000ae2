"""C++ functions of rows that have one for MPS alone: their signature, and what can be written."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mkls.generation.host_text import WIDTH
from mkls.index.groups import variants
from mkls.index.implementation_parameters import precomputed_of
from mkls.index.operators import Row
from mkls.index.resolution import has_native_kernel
from mkls.index.snapshot import Snapshot
from mkls.syntax.native_functions.declaration import Declaration
from mkls.syntax.native_functions.schema import ArgumentKind, SchemaKind

_VALUES: Final = {
    "int": "int64_t",
    "float": "double",
    "bool": "bool",
    "str": "std::string_view",
    "ScalarType": "ScalarType",
    "Layout": "Layout",
    "Device": "Device",
    "MemoryFormat": "MemoryFormat",
    "Generator": "Generator",
    "QScheme": "QScheme",
    "Storage": "Storage",
    "Stream": "Stream",
    "DeviceIndex": "DeviceIndex",
    "Dimname": "Dimname",
}
_STRUCTURED: Final = {
    "Tensor": "const Tensor&",
    "Tensor?": "at::OptionalTensorRef",
    "Tensor[]": "const ITensorListRef&",
    "Scalar": "const Scalar&",
    "Scalar?": "at::OptionalScalarRef",
}
_NATIVE: Final = {
    "Tensor": "const Tensor&",
    "Tensor?": "const std::optional<Tensor>&",
    "Tensor[]": "TensorList",
    "Tensor?[]": "const c10::List<std::optional<Tensor>>&",
    "Scalar": "const Scalar&",
    "Scalar?": "const std::optional<Scalar>&",
    "Scalar[]": "ArrayRef<Scalar>",
    "str?": "std::optional<std::string_view>",
    "Generator?": "std::optional<Generator>",
    "float[]?": "std::optional<ArrayRef<double>>",
    "float[]": "ArrayRef<double>",
}
_RETURNS: Final = {
    "Tensor": "Tensor",
    "Tensor[]": "std::vector<Tensor>",
    "Scalar": "Scalar",
    "int": "int64_t",
    "float": "double",
    "bool": "bool",
    "SymInt": "c10::SymInt",
}


class CppParameter(NamedTuple):
    """A parameter: its type and its name."""

    type: str
    name: str


class CppFunction(NamedTuple):
    """A definition, and the headers `ATen/ops/…` that it needs; `is_whole` if it does the work."""

    text: str
    headers: tuple[str, ...]
    is_whole: bool


def parameters_of_row(row: Row, *, symint: bool) -> list[CppParameter]:
    """Return the parameters of the function that implements `row` (torchgen's `api.native`).

    For a structured row those of `TORCH_IMPL_FUNC`, `precomputed` applied.
    """
    return list(_parameters(row, symint))


def _parameters(row: Row, symint: bool) -> Iterator[CppParameter]:
    entry = row.entry
    nothing: Mapping[str, tuple[Declaration, ...]] = {}
    replaced = precomputed_of(entry) if entry.structured else nothing
    arguments = entry.schema.arguments
    for it in arguments:
        if it.kind is not ArgumentKind.OUT:
            for declaration in replaced.get(it.name or "", (it.declaration,)):
                yield _parameter(row, declaration, symint)
    for declaration in replaced.get("", ()):
        yield _parameter(row, declaration, symint)
    for it in arguments:
        if it.kind is ArgumentKind.OUT:
            yield _parameter(row, it.declaration, symint)


def _parameter(row: Row, declaration: Declaration, symint: bool) -> CppParameter:
    return CppParameter(_type(row, declaration, symint), declaration.name or "self")


def _type(row: Row, declaration: Declaration, symint: bool) -> str:
    text = declaration.type_text
    if declaration.is_write and not row.entry.structured:
        if text == "Tensor":
            by_const = row.entry.use_const_ref_for_mutable_tensors
            return "const Tensor&" if by_const else "Tensor&"
        return "TensorList"
    table = _STRUCTURED if row.entry.structured else _NATIVE
    if text in table:
        return table[text]
    return _plain_type(declaration, symint)


def _plain_type(declaration: Declaration, symint: bool) -> str:
    base, suffix = declaration.base, declaration.suffix
    is_symint = base == "SymInt" and symint
    if base in ("int", "SymInt") and suffix.startswith("["):
        if suffix.endswith("?"):
            return "at::OptionalSymIntArrayRef" if is_symint else "at::OptionalIntArrayRef"
        return "c10::SymIntArrayRef" if is_symint else "IntArrayRef"
    if base == "bool" and suffix.startswith("["):
        size = suffix[1 : suffix.index("]")]
        return f"std::array<bool, {size}>" if size else "ArrayRef<bool>"
    value = "c10::SymInt" if is_symint else _VALUES.get("int" if base == "SymInt" else base, base)
    if suffix == "?":
        return f"std::optional<{value}>"
    return f"ArrayRef<{value}>" if suffix else value


def returned_type(row: Row) -> str:
    """Return the type that the function of an unstructured `row` returns."""
    schema = row.entry.schema
    types = [_returned(it.declaration) for it in schema.returns]
    if not types:
        return "void"
    return types[0] if len(types) == 1 else f"std::tuple<{', '.join(types)}>"


def _returned(declaration: Declaration) -> str:
    text = declaration.type_text
    if declaration.is_write:
        return f"{text}&"
    return _RETURNS.get(text, _VALUES.get(declaration.base, text))


def function_of_row(snapshot: Snapshot, row: Row, name: str) -> CppFunction:
    """Return the function called `name` that implements `row` on MPS.

    Where a variant of the same signature runs on MPS, it is called; else what is to be computed is
    left for a person, under a check that says so.
    """
    parameters = parameters_of_row(row, symint="_symint" in name)
    body, headers = _forwarded(snapshot, row, parameters)
    if not body:
        message = f'"TODO: {name} computes nothing yet"'
        lines = [f"TORCH_CHECK_NOT_IMPLEMENTED(false, {message});"]
    else:
        lines = body
    statements = "".join(f"  {it}\n" for it in lines)
    return CppFunction(f"{_head(row, name, parameters)} {{\n{statements}}}\n", headers, bool(body))


def _head(row: Row, name: str, parameters: list[CppParameter]) -> str:
    listed = [f"{it.type} {it.name}" for it in parameters]
    if row.entry.structured:
        return _wrapped(f"TORCH_IMPL_FUNC({name})(", f"TORCH_IMPL_FUNC({name})\n(", listed)
    start = f"{returned_type(row)} {name}("
    return _wrapped(start, start, listed)


def _wrapped(start: str, broken_start: str, listed: list[str]) -> str:
    one_line = f"{start}{', '.join(listed)}) {{"
    if len(one_line) <= WIDTH:
        return one_line.removesuffix(" {")
    short = f"{broken_start}{', '.join(listed)}) {{"
    if broken_start != start and all(len(it) <= WIDTH for it in short.split("\n")):
        return short.removesuffix(" {")
    indent = " " * len(broken_start.rpartition("\n")[2])
    return f"{broken_start}{f',{chr(10)}{indent}'.join(listed)})"


def _forwarded(
    snapshot: Snapshot, row: Row, parameters: list[CppParameter]
) -> tuple[list[str], tuple[str, ...]]:
    """Return the statements that call another variant of the signature, () if none is on MPS."""
    if row.entry.structured:
        return [], ()
    group = variants(snapshot.operators, row)
    base = row.entry.base
    kind = row.entry.schema.kind
    functional, out = group.get(SchemaKind.FUNCTIONAL), group.get(SchemaKind.OUT)
    tensors = [it for it in row.entry.schema.returns if it.declaration.type_text == "Tensor"]
    if len(tensors) != 1 or len(row.entry.schema.returns) != 1:
        return [], ()
    names = [it.name for it in parameters]
    if kind is SchemaKind.INPLACE and out and _runs(snapshot, out):
        return [f"return at::{base}_outf({', '.join([*names, 'self'])});"], (f"{base}.h",)
    if kind is SchemaKind.OUT and functional and _runs(snapshot, functional):
        given, result = names[:-1], names[-1]
        return [
            f"const auto computed = at::{base}({', '.join(given)});",
            f"at::native::resize_output({result}, computed.sizes());",
            f"{result}.copy_(computed);",
            f"return {result};",
        ], (f"{base}.h",)
    if kind is SchemaKind.FUNCTIONAL and out and _runs(snapshot, out):
        return [
            "Tensor result = at::empty({0}, self.options());",
            f"return at::{base}_outf({', '.join([*names, 'result'])});",
        ], (f"{base}.h", "empty.h")
    return [], ()


def _runs(snapshot: Snapshot, row: Row) -> bool:
    return has_native_kernel(snapshot.operators, row)
