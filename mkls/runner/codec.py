"""Dataclasses to JSON values and back, with the standard library alone."""

import dataclasses
import types
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


def to_json(value: Any) -> Any:
    """Return `value`, a dataclass or a container of them, as what `json.dumps` takes."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {it.name: to_json(getattr(value, it.name)) for it in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): to_json(item) for key, item in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in cast("list[Any]", value)]
    return value


def from_json(kind: type[T], value: Any) -> T:
    """Return the `kind` that `value` stands for; unknown keys are ignored.

    Raises:
        TypeError: A field without a default is missing.
    """
    return cast("T", _convert(kind, value))


def _convert(kind: Any, value: Any) -> Any:
    if dataclasses.is_dataclass(kind):
        return _dataclass(cast("type[Any]", kind), value)
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        choices = [it for it in get_args(kind) if it is not type(None)]
        return None if value is None else _convert(choices[0], value)
    if origin is tuple:
        return tuple(_convert(get_args(kind)[0], item) for item in value)
    if origin is dict:
        return {key: _convert(get_args(kind)[1], item) for key, item in value.items()}
    return value


def _dataclass(kind: type[Any], value: Any) -> Any:
    hints = get_type_hints(kind)
    names = [it.name for it in dataclasses.fields(kind) if it.init and it.name in value]
    return kind(**{name: _convert(hints[name], value[name]) for name in names})
