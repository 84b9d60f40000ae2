"""Rename a host function or a stub."""

import re

from mkls.facts.model.host import FunctionKind
from mkls.features.occurrences import Occurrence, host_documents, in_host_code
from mkls.features.references_of_host import function_occurrences, is_file_local, private_files
from mkls.features.rename_plan import Group, Plan, Refusal, Written, plan_of, written
from mkls.index.host_documents import HostFunction
from mkls.index.links import MPS_KEYS
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

_AFTER_VARIABLE = re.compile(r"\s*(?:=(?!=)|;|\[|\.\w|->)")
_READ_KEYS = frozenset(MPS_KEYS)
_UNREAD = "sources of other backends, which mkls does not read, may name it"


def function_plan(
    snapshot: Snapshot, cursor: tuple[Uri, int], name: str, uri: Uri | None
) -> Plan | Refusal:
    """Return the plan for host function `name`, as it is meant in `uri`."""
    functions = _meant(snapshot.host.functions(name), uri)
    refusal = _unnameable(snapshot, name, functions)
    if refusal:
        return Refusal(refusal)
    found = list(function_occurrences(snapshot, name, uri))
    variable = next((it for it in found if _is_variable(snapshot, it)), None)
    if variable:
        file = variable.uri.rpartition("/")[2]
        return Refusal(f"`{name}` also seems to be a variable in `{file}`")
    places = [Written(it.uri, it.span, _group(it.uri)) for it in found]
    return plan_of(snapshot, cursor, name, places, _doubt(snapshot, name, functions))


def _meant(functions: tuple[HostFunction, ...], uri: Uri | None) -> list[HostFunction]:
    """Return those of `functions` of one name that the name means in `uri`."""
    private = private_files(functions)
    if uri is not None and uri in private:
        return [it for it in functions if it.uri == uri]
    return [it for it in functions if it.uri not in private]


def _is_variable(snapshot: Snapshot, it: Occurrence) -> bool:
    """Whether a name that is no definition is followed by what follows a variable's."""
    if it.declares or it.uri.endswith(".yaml"):
        return False
    text = snapshot.sources[it.uri].document.text
    named = text.endswith(("::", "&"), 0, it.span.start)
    return not named and _AFTER_VARIABLE.match(text, it.span.end) is not None


def _group(uri: Uri) -> Group:
    return Group.ROW if uri.endswith(".yaml") else Group.HOST


def _unnameable(snapshot: Snapshot, name: str, functions: list[HostFunction]) -> str:
    for it in functions:
        if it.function and it.function.kind in (FunctionKind.METHOD, FunctionKind.TYPE):
            return f"`{name}` is no free function: what uses it cannot be told from its name"
        spelled = it.name_place.span.of(snapshot.sources[it.uri].document.text)
        if it.macro and spelled != name:
            return f"macro `{it.macro}` makes the name `{name}` from `{spelled}`"
    structured = f"structured_{name}"
    makes_struct = not functions or any(it.is_torch_impl for it in functions)
    if makes_struct and any(
        True for _ in in_host_code(snapshot, structured, host_documents(snapshot))
    ):
        return f"code names the struct `{structured}`, which torchgen makes from `{name}`"
    keys = _keys(snapshot, name) - _READ_KEYS
    if keys and functions and all(it.uri.endswith(".mm") for it in functions):
        others = ", ".join(sorted(keys))
        return f"`{name}` is also the function of {others}, whose sources mkls does not read"
    return ""


def _keys(snapshot: Snapshot, name: str) -> set[str]:
    return {
        key.text
        for row in snapshot.operators.rows
        for line in row.entry.dispatch
        if line.function and line.function.symbol == name
        for key in line.keys
    }


def _doubt(snapshot: Snapshot, name: str, functions: list[HostFunction]) -> str:
    shared = _keys(snapshot, name) - _READ_KEYS
    outside = any(not is_file_local(it) and not it.uri.endswith(".mm") for it in functions)
    return f"`{name}`: {_UNREAD}" if shared or outside else ""


def stub_plan(snapshot: Snapshot, cursor: tuple[Uri, int], name: str) -> Plan | Refusal:
    """Return the plan for the stub `name`."""
    stub = snapshot.host.stubs.by_name[name]
    registered = [it.stub_place for it in stub.registered]
    places = [
        Written(it.uri, it.span, Group.HOST) for it in (*stub.declared, *stub.defined, *registered)
    ]
    places += written(in_host_code(snapshot, name, host_documents(snapshot)), Group.HOST)
    doubt = f"`{name}`: {_UNREAD}" if stub.declared or stub.defined else ""
    return plan_of(snapshot, cursor, name, places, doubt)
