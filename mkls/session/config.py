"""Configuration: `mkls.toml` at the root, else `[tool.mkls]` in its `pyproject.toml`.

Unknown keys and values of the wrong kind become messages, never failures: the option keeps its
default.
"""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from mkls.diagnostics.model import Rule, Severity
from mkls.diagnostics.selection import Selection, unknown_names
from mkls.session.disk import is_file, is_folder
from mkls.session.run_config import RunConfig, run_config
from mkls.session.shown_config import CODE_LENS, INLAY_HINTS, hidden_kinds

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_T = TypeVar("_T")


MSL_CHOICES = ("changed", "all", "off")


class Config(msgspec.Struct, frozen=True):
    """What the user configured, and what was wrong with it."""

    selection: Selection = Selection()
    exclude: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    run: RunConfig = RunConfig()
    msl: str | None = None
    """Which Metal files the compiler judges: one of MSL_CHOICES, None what nobody has set."""
    hidden_hints: frozenset[str] = frozenset()
    hidden_lenses: frozenset[str] = frozenset()


def load_config(root: Path, rules: Iterable[Rule]) -> Config:
    """Read the configuration of the workspace at `root`."""
    for name in ("mkls.toml", "pyproject.toml"):
        path = root / name
        if not is_file(path):
            continue
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            return Config(messages=(f"{name}: {error}; the defaults apply",))
        if name == "mkls.toml":
            return _of_workspace(config_of(table, name, rules), root, name)
        tool = table.get("tool")
        if isinstance(tool, dict) and "mkls" in tool:
            where = f"{name} [tool.mkls]"
            own = cast("dict[str, Any]", tool["mkls"])
            return _of_workspace(config_of(own, where, rules), root, where)
    return Config()


def _of_workspace(config: Config, root: Path, where: str) -> Config:
    if missing := missing_folders(config, root, where):
        config = msgspec.structs.replace(config, messages=(*config.messages, *missing))
    if not config.run.names_programs:
        return config
    message = (
        f"{where}: `run.python` and `run.command` name a program, which a workspace may not; "
        "set them in the editor"
    )
    messages = (*config.messages, message)
    return msgspec.structs.replace(config, run=config.run.without_programs(), messages=messages)


def config_of(table: object, where: str, rules: Iterable[Rule]) -> Config:
    """Return the configuration that `table` holds; `where` names it in messages."""
    if not isinstance(table, dict):
        return Config(messages=(f"{where}: expected a table",))
    reader = _Reader(cast("dict[str, Any]", table), where)
    select = reader.take("select", _names)
    selection = Selection(
        select=select,
        ignore=reader.take("ignore", _names) or (),
        extend_select=reader.take("extend-select", _names) or (),
        severities=reader.take("severity", _severities) or {},
        per_file_ignores=reader.take("per-file-ignores", _lists) or {},
    )
    exclude = reader.take("exclude", _names) or ()
    include_dirs = reader.take("include-dirs", _folders) or ()
    msl = reader.take("msl", _choice)
    run, about_run = run_config(reader.take("run", _anything), where)
    hints = reader.take("inlay-hints", _anything)
    hidden_hints, about_hints = hidden_kinds(hints, "inlay-hints", INLAY_HINTS, where)
    lenses = reader.take("code-lens", _anything)
    hidden_lenses, about_lenses = hidden_kinds(lenses, "code-lens", CODE_LENS, where)
    reader.report_leftovers()
    unknown = unknown_names(_all_names(selection), rules)
    messages = (
        *reader.messages,
        *about_run,
        *about_hints,
        *about_lenses,
        *(f"{where}: `{name}` is no rule and no group; see `mkls rules`" for name in unknown),
    )
    shown = hidden_hints, hidden_lenses
    return Config(selection, exclude, include_dirs, messages, run, msl, *shown)


class _Reader:
    def __init__(self, table: dict[str, Any], where: str) -> None:
        self._rest = dict(table)
        self._where = where
        self.messages: list[str] = []

    def take(self, key: str, read: Callable[[object], _T]) -> _T | None:
        if key not in self._rest:
            return None
        try:
            return read(self._rest.pop(key))
        except _WrongKindError as error:
            self.messages.append(f"{self._where}: `{key}` expects {error}; it is ignored")
            return None

    def report_leftovers(self) -> None:
        known = (
            "select, ignore, extend-select, severity, per-file-ignores, exclude, include-dirs, "
            "msl, run, inlay-hints, code-lens"
        )
        for key in self._rest:
            self.messages.append(f"{self._where}: unknown key `{key}`; known are {known}")


class _WrongKindError(Exception):
    pass


def _anything(value: object) -> object:
    return value


def _choice(value: object) -> str:
    if isinstance(value, str) and value in MSL_CHOICES:
        return value
    raise _WrongKindError(" or ".join(f'"{it}"' for it in MSL_CHOICES))


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, list):
        items = cast("list[object]", value)
        names = tuple(item for item in items if isinstance(item, str))
        if len(names) == len(items):
            return names
    raise _WrongKindError("a list of strings")


def _folders(value: object) -> tuple[str, ...]:
    """Return paths with the user's home for `~`: no shell has seen them."""
    return tuple(os.path.expanduser(path) for path in _names(value))  # noqa: PTH111  (text stays)


def missing_folders(config: Config, root: Path, where: str) -> tuple[str, ...]:
    """Return a message for each folder of headers that does not exist below `root`."""
    return tuple(
        f"{where}: `include-dirs`: {path}: no such folder"
        for path in config.include_dirs
        if not is_folder(root / path)
    )


def _severities(value: object) -> Mapping[str, Severity]:
    levels = {level.value: level for level in Severity}
    if isinstance(value, dict):
        table = cast("dict[str, object]", value)
        if all(isinstance(level, str) and level in levels for level in table.values()):
            return {name: levels[str(level)] for name, level in table.items()}
    raise _WrongKindError(f"a table of names, each {', '.join(map(repr, levels))}")


def _lists(value: object) -> Mapping[str, tuple[str, ...]]:
    if isinstance(value, dict):
        return {path: _names(names) for path, names in cast("dict[str, object]", value).items()}
    raise _WrongKindError("a table from globs to lists of names")


def _all_names(selection: Selection) -> Iterable[str]:
    yield from selection.select or ()
    yield from selection.ignore
    yield from selection.extend_select
    yield from selection.severities
    for names in selection.per_file_ignores.values():
        yield from names
