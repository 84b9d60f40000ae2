"""The kernels of a translation unit, macro-made instantiations included."""

import re
from collections.abc import Iterator

import msgspec

from mkls.emulator.attributes import Attribute, attributes_in
from mkls.emulator.declarations import Declaration
from mkls.emulator.tokens import Tokens, is_identifier

_STRING = re.compile(r'"((?:\\.|[^"\\])*)"')
_BUILTINS = frozenset(
    {
        "thread_position_in_grid",
        "thread_position_in_threadgroup",
        "thread_index_in_threadgroup",
        "thread_index_in_simdgroup",
        "simdgroup_index_in_threadgroup",
        "thread_index_in_quadgroup",
        "quadgroup_index_in_threadgroup",
        "threadgroup_position_in_grid",
        "threads_per_threadgroup",
        "dispatch_threads_per_threadgroup",
        "threads_per_grid",
        "grid_size",
        "grid_origin",
        "threadgroups_per_grid",
        "threads_per_simdgroup",
        "thread_execution_width",
        "simdgroups_per_threadgroup",
        "dispatch_simdgroups_per_threadgroup",
        "quadgroups_per_threadgroup",
        "dispatch_quadgroups_per_threadgroup",
    }
)
_TYPES_ALONE = re.compile(
    r"(?:u?(?:int|short|char|long)|half|bfloat|float|bool|size_t|u?int\d+_t)[2-4]?(?:x[2-4])?\Z"
)
_OPAQUE = re.compile(
    r"(?:metal *:: *)?(?:(?P<texture>texture|depth(?=\d|cube))|(?P<sampler>sampler\b))"
)
_READ_ONLY = re.compile(r"\b(?:const|constant)\b")
_BLANKED = re.compile(r"\[ \[ .*? \] \]")


class Argument(msgspec.Struct, frozen=True):
    """One parameter of a kernel.

    `kind` is `buffer`, `builtin`, `threadgroup`, `texture`, `sampler` or `unknown`; `index` counts
    within the kind, None where it is an expression that only the compiler can fold
    (`index_expression`); `access` is `read` or `read_write` for memory.
    """

    name: str
    type: str
    kind: str
    index: int | None = None
    access: str | None = None
    attribute: str | None = None
    index_expression: str | None = None


class KernelEntry(msgspec.Struct, frozen=True):
    """A kernel that the host can ask for. Offsets are those of the preprocessed text.

    `callee` is what C++ calls it (`f<float>`), `parameters` the text of its parameter types, None
    when the instantiation names none. `definition` has the body: it is `declaration` itself but for
    an instantiation.
    """

    host_name: str
    function: str
    callee: str
    parameters: str | None
    arguments: tuple[Argument, ...]
    declaration: Declaration
    definition: Declaration | None
    offset: int
    max_threads: int | None


def kernel_table(tokens: Tokens, all_declarations: list[Declaration]) -> list[KernelEntry]:
    """Kernels in source order. Templates that nobody instantiates are not among them."""
    definitions: dict[str, list[Declaration]] = {}
    kernels: list[KernelEntry] = []
    for declaration in all_declarations:
        if declaration.is_type or not _is_kernel(tokens, declaration):
            continue
        name = tokens.texts[declaration.name] if declaration.name >= 0 else ""
        if declaration.body >= 0:
            definitions.setdefault(name, []).append(declaration)
        if declaration.instantiation or (declaration.body >= 0 and not declaration.template):
            kernels.append(_entry(tokens, declaration, definitions.get(name, [])))
    return kernels


def _is_kernel(tokens: Tokens, declaration: Declaration) -> bool:
    limit = declaration.parameters if declaration.parameters >= 0 else declaration.last
    index = declaration.first
    while index < limit:
        text = tokens.texts[index]
        if text == "kernel":
            return True
        if tokens.is_attribute(index):
            names = {a.name for a in attributes_in(tokens, index, tokens.close(index) + 1)}
            if "kernel" in names:
                return True
            index = tokens.close(index)
        index += 1
    return False


def _entry(tokens: Tokens, declaration: Declaration, definitions: list[Declaration]) -> KernelEntry:
    own = _parameters(tokens, declaration)
    primary = _primary(tokens, definitions, None if own is None else len(own))
    declared = _parameters(tokens, primary) if primary else own
    attributes = _head_attributes(tokens, declaration)
    if primary is not None and primary is not declaration:
        attributes += _head_attributes(tokens, primary)
    function = tokens.texts[declaration.name]
    return KernelEntry(
        host_name=_host_name(attributes) or function,
        function=function,
        callee=_callee(tokens, declaration),
        parameters=None if own is None else ", ".join(_type_text(tokens, *p) for p in own),
        arguments=_arguments(tokens, own or declared or [], declared or []),
        declaration=declaration,
        definition=primary,
        offset=tokens.starts[declaration.name],
        max_threads=_max_threads(attributes),
    )


def _primary(
    tokens: Tokens, definitions: list[Declaration], count: int | None
) -> Declaration | None:
    for definition in reversed(definitions):
        parameters = _parameters(tokens, definition)
        if count is None or (parameters is not None and len(parameters) == count):
            return definition
    return None


def _parameters(tokens: Tokens, declaration: Declaration) -> list[tuple[int, int]] | None:
    if declaration.parameters < 0:
        return None
    first, last = declaration.parameters + 1, tokens.close(declaration.parameters)
    return [p for p in tokens.split_commas(first, last) if tokens.texts[p[0] : p[1]] != ["void"]]


def _callee(tokens: Tokens, declaration: Declaration) -> str:
    """The name with its template arguments: `::f<float, 4>`.

    The leading `::` keeps a kernel apart from a library function of the same name.
    """
    last = declaration.parameters if declaration.parameters >= 0 else declaration.last
    first = declaration.name
    while tokens.texts[first - 1] == "::":
        outer = tokens.texts[first - 2]
        if not is_identifier(outer) or outer in ("void", "kernel"):
            first -= 1
            break
        first -= 2
    qualified = declaration.scope or tokens.texts[first] == "::"
    return ("" if qualified else "::") + tokens.joined(first, last)


def _head_attributes(tokens: Tokens, declaration: Declaration) -> list[Attribute]:
    last = declaration.parameters if declaration.parameters >= 0 else declaration.last
    found = attributes_in(tokens, declaration.first, last)
    if declaration.parameters >= 0:  # `void f(…) [[max_total_threads_per_threadgroup(64)]]`
        behind = tokens.close(declaration.parameters) + 1
        found += attributes_in(tokens, behind, max(behind, declaration.body))
    return found


def _host_name(attributes: list[Attribute]) -> str | None:
    for attribute in attributes:
        if attribute.name == "host_name" and attribute.argument is not None:
            return "".join(_STRING.findall(attribute.argument))
    return None


def _max_threads(attributes: list[Attribute]) -> int | None:
    for attribute in attributes:
        if attribute.name == "max_total_threads_per_threadgroup":
            argument = attribute.argument or ""
            return int(argument) if argument.isdigit() else None
    return None


def _without_attributes(tokens: Tokens, first: int, last: int) -> Iterator[tuple[int, int]]:
    """The ranges of a parameter without attributes, `coherent` and a default value."""
    start = index = first
    while index < last and tokens.texts[index] != "=":
        if tokens.is_attribute(index) or tokens.texts[index] == "coherent":
            yield start, index
            index += tokens.texts[index : index + 2] == ["coherent", "("]
            index = tokens.close(index) if tokens.texts[index] in "([" else index
            start = index + 1
        index += 1
    yield start, index


def _type_text(tokens: Tokens, first: int, last: int) -> str:
    """A parameter as C++."""
    ranges = _without_attributes(tokens, first, last)
    return " ".join(tokens.joined(*span) for span in ranges).strip()


def _words(tokens: Tokens, first: int, last: int) -> list[str]:
    ranges = _without_attributes(tokens, first, last)
    return [word for span in ranges for word in tokens.texts[span[0] : span[1]]]


def _arguments(
    tokens: Tokens, own: list[tuple[int, int]], declared: list[tuple[int, int]]
) -> tuple[Argument, ...]:
    arguments: list[Argument] = []
    taken = {
        int(attribute.argument)
        for span in (*own, *declared)
        for attribute in attributes_in(tokens, *span)
        if attribute.name == "buffer" and attribute.argument and attribute.argument.isdigit()
    }
    free = 0
    for position, span in enumerate(own):
        spans = [span] if position >= len(declared) else [declared[position], span]
        argument = _argument(tokens, span, spans, position)
        if argument.kind == "buffer" and argument.index is None and not argument.index_expression:
            while free in taken:
                free += 1
            taken.add(free)
            argument = msgspec.structs.replace(argument, index=free)
        arguments.append(argument)
    return tuple(arguments)


def _argument(
    tokens: Tokens, own: tuple[int, int], spans: list[tuple[int, int]], position: int
) -> Argument:
    type_, name = _type_and_name(_words(tokens, *own))
    if spans[0] != own:
        name = _type_and_name(_words(tokens, *spans[0]))[1] or name
    name = name or f"argument_{position}"
    for attribute in [a for span in spans for a in attributes_in(tokens, *span)]:
        if attribute.name in _BUILTINS:
            return Argument(name, type_, "builtin", attribute=attribute.name)
        if attribute.name in ("buffer", "threadgroup", "texture", "sampler"):
            return _bound_argument(name, type_, attribute)
    if any(mark in type_ for mark in "*&["):  # `constant int shape[4]` is a pointer too
        kind = "threadgroup" if type_.startswith("threadgroup ") else "buffer"
        return Argument(name, type_, kind, access=_access(type_))
    found = _OPAQUE.match(type_)
    return Argument(name, type_, str(found.lastgroup) if found else "unknown")


def _bound_argument(name: str, type_: str, attribute: Attribute) -> Argument:
    text = attribute.argument or "0"
    index = int(text) if text.isdigit() else None
    access = _access(type_) if attribute.name in ("buffer", "threadgroup") else None
    expression = None if index is not None else text
    return Argument(name, type_, attribute.name, index, access, index_expression=expression)


def _access(type_: str) -> str:
    return "read" if _READ_ONLY.search(type_) else "read_write"


def _type_and_name(words: list[str]) -> tuple[str, str]:
    """Split `device float * out` into type and name; an unnamed parameter has name ``."""
    end = len(words)
    while end > 1 and words[end - 1] == "]":
        end = len(words) - words[::-1].index("[") - 1
    last = words[end - 1]
    if end > 1 and is_identifier(last) and not _TYPES_ALONE.match(last) and words[end - 2] != "::":
        before = words[end - 2]
        if before in ("*", "&", ">") or (is_identifier(before) and before not in _QUALIFIERS):
            return " ".join(words[: end - 1] + words[end:]), last
    return " ".join(words), ""


_QUALIFIERS = frozenset(
    {"const", "constant", "device", "thread", "threadgroup", "volatile", "typename", "unsigned"}
)
