"""The table `run` of the configuration: how kernels are run from the editor."""

from collections.abc import Callable, Mapping
from typing import Any, cast

import msgspec

_BACKENDS = ("auto", "mps", "emulator")


class RunConfig(msgspec.Struct, frozen=True):
    """How to run kernels; None is what nobody has set.

    `python` is an interpreter with torch, `command` what starts it elsewhere (`("ssh", "mac")`),
    `timeout` the seconds that one launch may take.
    """

    enabled: bool | None = None
    python: str | None = None
    command: tuple[str, ...] | None = None
    backend: str | None = None
    check: bool | None = None
    timeout: float | None = None

    @property
    def names_programs(self) -> bool:
        """Whether it says which program to start."""
        return bool(self.python or self.command)

    def without_programs(self) -> "RunConfig":
        """Return what a workspace may say: opening a folder must not choose what is executed."""
        return msgspec.structs.replace(self, python=None, command=None)

    def over(self, stored: "RunConfig") -> "RunConfig":
        """Return `stored` with what this one sets; what either forbids stays forbidden."""
        values = {name: getattr(self, name) for name in self.__struct_fields__}
        own = {name: it for name, it in values.items() if it not in (None, "", ())}
        if stored.enabled is False:
            own["enabled"] = False
        return msgspec.structs.replace(stored, **own)


def run_config(value: object, where: str) -> tuple[RunConfig, tuple[str, ...]]:
    """Return what the table `value` says and what is wrong with it; `where` names it."""
    if value is None:
        return RunConfig(), ()
    if not isinstance(value, Mapping):
        return RunConfig(), (f"{where}: `run` expects a table; it is ignored",)
    found: dict[str, Any] = {}
    messages: list[str] = []
    for key, setting in cast("Mapping[str, object]", value).items():
        if key not in _READERS:
            known = ", ".join(_READERS)
            messages.append(f"{where}: unknown key `run.{key}`; known are {known}")
        elif setting is not None:
            read, expected = _READERS[key]
            found[key] = read(setting)
            if found[key] is None:
                messages.append(f"{where}: `run.{key}` expects {expected}; it is ignored")
    return RunConfig(**found), tuple(messages)


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _words(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    items = cast("list[object]", value)
    words = tuple(it for it in items if isinstance(it, str))
    return words if len(words) == len(items) else None


def _backend(value: object) -> str | None:
    return value if isinstance(value, str) and value in _BACKENDS else None


def _seconds(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if 0 < value <= 3600 else None


_READERS: Mapping[str, tuple[Callable[[object], object], str]] = {
    "enabled": (_flag, "true or false"),
    "python": (_text, "the path of an interpreter"),
    "command": (_words, "a list of strings"),
    "backend": (_backend, ", ".join(f"`{it}`" for it in _BACKENDS)),
    "check": (_flag, "true or false"),
    "timeout": (_seconds, "seconds, at most 3600"),
}
