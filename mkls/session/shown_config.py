"""The tables `inlay-hints` and `code-lens` of the configuration: what the editor shows."""

import re
from collections.abc import Mapping
from typing import Final, cast

INLAY_HINTS: Final = ("buffer-indices", "host-names", "resolution", "dtypes")
CODE_LENS: Final = ("run", "users", "dtypes", "rows")
_CAPITAL: Final = re.compile(r"(?<=[a-z])[A-Z]")


def hidden_kinds(
    value: object, section: str, known: tuple[str, ...], where: str
) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the kinds that `value` switches off, and what is wrong with it.

    `value` is a table from kinds to booleans, written as in `mkls.toml` or as editors write
    settings (`bufferIndices`), or one boolean for all kinds.
    """
    if value is None or value is True:
        return frozenset(), ()
    if value is False:
        return frozenset(known), ()
    if not isinstance(value, Mapping):
        return frozenset(), (f"{where}: `{section}` expects a table; it is ignored",)
    hidden: set[str] = set()
    messages: list[str] = []
    for key, shown in cast("Mapping[str, object]", value).items():
        kind = _CAPITAL.sub(lambda capital: f"-{capital[0].lower()}", key)
        if kind not in known:
            messages.append(f"{where}: unknown key `{section}.{key}`; known are {', '.join(known)}")
        elif shown is False:
            hidden.add(kind)
        elif shown is not True and shown is not None:
            messages.append(f"{where}: `{section}.{key}` expects true or false; it is ignored")
    return frozenset(hidden), tuple(messages)
