"""Check messages against the meta-model of LSP 3.18, as lsprotocol's generated types state it.

Stricter than lsprotocol's own converter: an unknown property is a fault, so is a missing one, a
`null` for a property that may only be left out, and a value of another type.
"""

import types
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, cast, get_args, get_origin

import attrs
from lsprotocol import types as lsp

_TYPES: Mapping[str, tuple[Any, ...]] = cast(
    "dict[str, tuple[Any, ...]]",
    lsp.METHOD_TO_TYPES,  # pyright: ignore[reportUnknownMemberType]
)
_MESSAGE, _RESPONSE, _PARAMS, _OPTIONS = range(4)
_REPORTS = (lsp.WorkDoneProgressBegin, lsp.WorkDoneProgressReport, lsp.WorkDoneProgressEnd)


def faults_of_params(method: str, params: object) -> list[str]:
    """Return what is wrong with the parameters of a request or a notification."""
    kind = _TYPES[method][_PARAMS]
    if kind is None:
        return [] if params in (None, {}) else [f"{method} takes no parameters"]
    found = list(_faults(params, kind, method))
    if method == lsp.CLIENT_REGISTER_CAPABILITY and not found:
        found += _faults_of_registrations(cast("dict[str, Any]", params))
    return found


def _faults_of_registrations(params: Mapping[str, Any]) -> Iterator[str]:
    for it in params["registrations"]:
        options = _TYPES[it["method"]][_OPTIONS]
        if options is not None:
            yield from _faults(it.get("registerOptions"), options, it["method"])


def faults_of_result(method: str, result: object) -> list[str]:
    """Return what is wrong with the result of a request."""
    response = _TYPES[method][_RESPONSE]
    kind = attrs.fields_dict(_resolved(response))["result"].type
    if result is None and type(None) in get_args(kind):
        return []
    return list(_faults(result, kind, method))


def faults_of_error(error: object) -> list[str]:
    """Return what is wrong with an error."""
    return list(_faults(error, lsp.ResponseError, "error"))


def faults_of_progress(value: object, partial: str | None) -> list[str]:
    """Return what is wrong with the value of a `$/progress`, a part of the result of `partial`."""
    if partial == lsp.WORKSPACE_DIAGNOSTIC:
        return list(_faults(value, lsp.WorkspaceDiagnosticReportPartialResult, partial))
    if partial is not None:
        return faults_of_result(partial, value)
    return list(_faults(value, Union[_REPORTS], "$/progress"))  # noqa: UP007


def _faults(value: object, kind: Any, path: str) -> Iterator[str]:
    origin = get_origin(kind)
    if kind is Any or kind is object:
        return
    if origin in (Union, types.UnionType):
        yield from _of_union(value, get_args(kind), path)
    elif origin is Literal:
        if value not in get_args(kind):
            yield f"{path}: {value!r} is none of {get_args(kind)}"
    elif origin is tuple:
        yield from _of_list(value, get_args(kind)[0], path)
    elif origin is not None and issubclass(origin, Mapping):
        yield from _of_mapping(value, get_args(kind)[1], path)
    elif origin is not None and issubclass(origin, Sequence):
        yield from _of_list(value, get_args(kind)[0], path)
    elif attrs.has(kind):
        yield from _of_structure(value, kind, path)
    else:
        yield from _of_scalar(value, kind, path)


def _of_union(value: object, kinds: tuple[Any, ...], path: str) -> Iterator[str]:
    tried = [list(_faults(value, kind, path)) for kind in kinds if kind is not type(None)]
    if value is None or not all(tried):
        return
    # What fits at the top was meant.
    yield from min(tried, key=lambda it: (any(at.startswith(f"{path}:") for at in it), len(it)))


def _of_list(value: object, kind: Any, path: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{path}: expected an array, got {value!r}"
        return
    for index, item in enumerate(cast("list[object]", value)):
        yield from _faults(item, kind, f"{path}[{index}]")


def _of_mapping(value: object, kind: Any, path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path}: expected an object, got {value!r}"
        return
    for key, item in cast("dict[str, object]", value).items():
        yield from _faults(item, kind, f"{path}.{key}")


def _of_structure(value: object, kind: type[Any], path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path}: expected {kind.__name__}, got {value!r}"
        return
    given = cast("dict[str, object]", value)
    fields = {_json_name(it.name): it for it in attrs.fields(_resolved(kind))}
    for name in given.keys() - fields.keys():
        yield f"{path}: {kind.__name__} has no property {name!r}"
    for name, field in fields.items():
        if name not in given:
            if field.default is attrs.NOTHING:
                yield f"{path}: {kind.__name__} lacks {name!r}"
        elif given[name] is None and not _may_be_null(kind, field):
            yield f"{path}.{name}: null, where it may only be left out"
        else:
            yield from _faults(given[name], field.type, f"{path}.{name}")
            yield from _of_validator(given[name], field, f"{path}.{name}")


def _of_validator(value: object, field: "attrs.Attribute[Any]", path: str) -> Iterator[str]:
    """Yield what the type does not tell: literals, and the ranges of numbers."""
    if field.validator is not None and isinstance(value, (str, int)):
        try:
            field.validator(None, field, value)
        except (ValueError, TypeError) as error:
            yield f"{path}: {error.args[0]}"


def _may_be_null(kind: type[Any], field: "attrs.Attribute[Any]") -> bool:
    return lsp.is_special_property(kind, field.name) or field.type in (Any, lsp.LSPAny)


def _of_scalar(value: object, kind: type[Any], path: str) -> Iterator[str]:
    if issubclass(kind, Enum):
        if value not in [it.value for it in kind]:
            yield f"{path}: {value!r} is no {kind.__name__}"
    elif kind is float:
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            yield f"{path}: expected a number, got {value!r}"
    elif type(value) is not kind:
        yield f"{path}: expected {kind.__name__}, got {value!r}"


@cache
def _resolved(kind: type[Any]) -> type[Any]:
    return attrs.resolve_types(kind, dict(vars(lsp)), {})


def _json_name(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(it.capitalize() for it in rest)
