"""Give rows a host function for MPS alone: which file takes it, and what it says."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from mkls.diagnostics.model import FileEdit
from mkls.facts.model.host import HostFacts
from mkls.generation.host_site import end_of_namespace
from mkls.generation.new_sources import MPS_FOLDER, uri_below
from mkls.generation.plan import NewFile, Step
from mkls.generation.row_edits import mps_function_name, own_line
from mkls.generation.schema_functions import CppFunction, function_of_row
from mkls.generation.source_edits import editable, include_edit, inserted, mind_balance
from mkls.index.links import implementations
from mkls.index.operators import MPS, Row
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

_NATIVE: Final = re.compile(r"^namespace at::native\s*\{", re.MULTILINE)
_OPS: Final = re.compile(r"^#include <ATen/ops/(\w+)\.h>[^\n]*\n", re.MULTILINE)
_FOLDER: Final = "/ATen/native/mps/operations/"
_NEW: Final = """\
#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
{headers}#include <ATen/native/mps/OperationUtils.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/Functions.h>
#include <ATen/NativeFunctions.h>
#else
{operators}#endif

namespace at::native {{

{functions}
}} // namespace at::native
"""
_PER_OPERATOR: Final = """\

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/Functions.h>
#include <ATen/NativeFunctions.h>
#else
{}#endif
"""


class OwnFunction(NamedTuple):
    """A function to write, and the row that names it."""

    row: Row
    name: str
    definition: CppFunction


def own_function(snapshot: Snapshot, row: Row, taken: Iterable[str]) -> OwnFunction:
    """Return the function that `row` is to name for MPS, by a name that nothing else has."""
    name = mps_function_name(row)
    used = frozenset(taken)
    while name in used or (snapshot.host.functions(name) and not _fits(row)):
        name = f"{row.name.replace('.', '_')}_mps" if "mps" in name else f"{name}_mps"
        if name in used:
            name = f"{name}_"
    return OwnFunction(row, name, function_of_row(snapshot, row, name))


def _fits(row: Row) -> bool:
    """Whether a function may share its name with one of another signature, as overloads do."""
    return not row.entry.structured


def own_function_steps(snapshot: Snapshot, functions: Sequence[OwnFunction]) -> list[Step]:
    """Return the steps that name and define `functions`.

    Raises:
        RefusedError: A file cannot be edited.
    """
    if not functions:
        return []
    names = ", ".join(f"`{it.name}`" for it in functions)
    lines = tuple(own_line(snapshot, it.row, it.name) for it in functions)
    steps = [Step(f"Add {names} as `MPS:` lines", lines, doubt="MPS runs a function of its own")]
    by_uri: dict[Uri | None, list[OwnFunction]] = {}
    for it in functions:
        by_uri.setdefault(_file_for(snapshot, it.row), []).append(it)
    return [*steps, *(_step(snapshot, uri, group) for uri, group in by_uri.items())]


def _file_for(snapshot: Snapshot, row: Row) -> Uri | None:
    """Return where functions of the operator's other rows are, None if nowhere."""
    for sibling in snapshot.operators.rows_of_base(row.entry.base):
        if sibling.is_own_line(MPS):
            for function in implementations(snapshot, sibling):
                if function.uri.endswith(".mm") and _takes_functions(snapshot, function.uri):
                    return function.uri
    header = f"#include <ATen/ops/{row.entry.base}_native.h>"
    for uri in snapshot.facts(HostFacts):
        is_operation = _FOLDER in uri and header in snapshot.sources[uri].document.text
        if is_operation and _takes_functions(snapshot, uri):
            return uri
    mine = _new_uri(snapshot, row)
    return mine if mine in snapshot.sources else None


def _takes_functions(snapshot: Snapshot, uri: Uri) -> bool:
    text = snapshot.sources[uri].document.text
    return uri not in snapshot.library and len(_NATIVE.findall(text)) == 1


def _new_uri(snapshot: Snapshot, row: Row) -> Uri:
    words = row.entry.base.strip("_").split("_")
    stem = "".join(word[:1].upper() + word[1:] for word in words)
    return uri_below(snapshot, f"{MPS_FOLDER}/operations/{stem}.mm")


def _step(snapshot: Snapshot, uri: Uri | None, group: Sequence[OwnFunction]) -> Step:
    left = ", ".join(f"`{it.name}`" for it in group if not it.definition.is_whole)
    doubt = f"The body of {left} is left to write" if left else ""
    names = ", ".join(f"`{it.name}`" for it in group)
    file = uri or _new_uri(snapshot, group[0].row)
    title = f"Define {names} in {file.rpartition('/')[2]}"
    if uri is None:
        return Step(title, files=(_new_file(snapshot, group),), doubt=doubt)
    return Step(title, tuple(_edits(snapshot, uri, group)), doubt=doubt)


def _operator_headers(group: Sequence[OwnFunction]) -> list[str]:
    native = {f"{it.row.entry.base}_native.h" for it in group}
    called = {header for it in group for header in it.definition.headers}
    return sorted({*native, *called})


def _other_headers(group: Sequence[OwnFunction]) -> list[str]:
    resizes = any("resize_output" in it.definition.text for it in group)
    return ["ATen/native/Resize.h"] if resizes else []


def _new_file(snapshot: Snapshot, group: Sequence[OwnFunction]) -> NewFile:
    operators = "".join(f"#include <ATen/ops/{it}>\n" for it in _operator_headers(group))
    headers = "".join(f"#include <{it}>\n" for it in _other_headers(group))
    functions = "\n".join(it.definition.text for it in group)
    text = _NEW.format(headers=headers, operators=operators, functions=functions)
    return NewFile(_new_uri(snapshot, group[0].row), text)


def _edits(snapshot: Snapshot, uri: Uri, group: Sequence[OwnFunction]) -> list[FileEdit]:
    text = editable(snapshot, uri)
    mind_balance(uri, text)
    edits = [it for path in _other_headers(group) if (it := include_edit(uri, text, path))]
    edits += _operator_edits(uri, text, _operator_headers(group))
    at = end_of_namespace(text)
    lines = "".join(f"{it.definition.text}\n" for it in group)
    blank = "" if text[:at].endswith(("\n\n", "\n\r\n", "{\n")) else "\n"
    return [*edits, inserted(uri, text, at, blank + lines)]


def _operator_edits(uri: Uri, text: str, headers: Sequence[str]) -> list[FileEdit]:
    """Return the edits that include `ATen/ops/…` headers among the file's others of that folder."""
    known = list(_OPS.finditer(text))
    new = [it for it in headers if all(f"{other[1]}.h" != it for other in known)]
    if not known:
        lines = _PER_OPERATOR.format("".join(f"#include <ATen/ops/{it}>\n" for it in new))
        includes = list(re.finditer(r"^#include [^\n]*\n", text, re.MULTILINE))
        return [inserted(uri, text, includes[-1].end() if includes else 0, lines)]
    by_place: dict[int, list[str]] = {}
    for header in new:
        before = [it for it in known if f"{it[1]}.h" < header]
        at = before[-1].end() if before else known[0].start()
        by_place.setdefault(at, []).append(f"#include <ATen/ops/{header}>\n")
    return [inserted(uri, text, at, "".join(lines)) for at, lines in by_place.items()]
