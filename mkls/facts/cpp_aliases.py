"""Read the names that C++ headers give to types of functions: `using unary_fn = void (*)(…);`."""

import re
from collections.abc import Iterator

from mkls.facts.model.cpp import FunctionTypeAlias

_POINTER = re.compile(r"\(\s*\*\s*(\w*)\s*\)\s*\(")
_BEFORE = re.compile(r"(?:using\s+(?P<used>\w+)\s*=|typedef)\s*(?P<result>[\w:<>&*,\s]*)\Z")
_REACH_BACK = 120
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def function_type_aliases(text: str) -> tuple[FunctionTypeAlias, ...]:
    """Return the aliases of types of functions that `text` declares."""
    return tuple(_aliases(text)) if "DISPATCH(" in text else ()


def _aliases(text: str) -> Iterator[FunctionTypeAlias]:
    for match in _POINTER.finditer(text):
        start = max(0, match.start() - _REACH_BACK)
        before = _BEFORE.search(text[start : match.start()])
        end = text.find(";", match.end())
        name = (before["used"] or match[1]) if before else ""
        if before and name and end >= 0:
            parameters = text[match.end() - 1 : end]
            written = _COMMENT.sub(" ", f"{before['result']} (*){parameters}")
            yield FunctionTypeAlias(name, " ".join(written.split()))
