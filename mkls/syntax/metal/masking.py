"""Metal to C++ of the same length, for tree-sitter-cpp.

Keywords become C++ ones, and what the preprocessor would remove or expand becomes blank;
`[[attributes]]` are C++ already. One byte stands for one code point, so that the tree's byte
offsets are the document's code-point offsets.
"""

import re
from collections.abc import Collection, Iterable
from typing import Final

from mkls.syntax.metal.item import Item, Shape
from mkls.syntax.metal.structure import blanked

_KEYWORDS: Final = {
    "kernel": "inline",
    "device": "const ",
    "thread": "const ",
    "constant": "volatile",
    "threadgroup": "const      ",
    "threadgroup_imageblock": "const                 ",
    "object_data": "const      ",
    "ray_data": "const   ",
    "IF_CONSTEXPR": "constexpr   ",
    "METAL_FUNC": "inline    ",
}
# Not `[[kernel]]`, nor `[[threadgroup(0)]]`.
_KEYWORD: Final = re.compile(
    r"(?<!\[)\b(?:kernel|device|constant|thread|threadgroup|threadgroup_imageblock|object_data|ray_data)\b"
    r"(?!\s*\()|\bIF_CONSTEXPR\b|\bMETAL_FUNC\b"
)
_SPECIFIER: Final = re.compile(
    r"\b(?!IF_CONSTEXPR\b|METAL_FUNC\b)[A-Z][A-Z0-9_]*_[A-Z0-9_]+\b"
    r"(?=\s+[^\W\d]\w*(?:\s*(?:<(?!=)|[*&]|::)|\s+[^\W\d]))"
)
_LONELY: Final = re.compile(
    r"^[ \t]*(?:[A-Z][A-Z0-9_]{2,}|_Pragma\([^()\n]*\)|__pragma\([^()\n]*\))[ \t]*$"
    r"|^[ \t]*[A-Z][A-Z0-9_]{2,}\([^();{}]*\)[ \t]*$",
    re.MULTILINE,
)


def masked(clean: str, items: Iterable[Item] = (), specifiers: Collection[str] = ()) -> str:
    """Return `clean`, a text's structure with these items, as C++ of the same length.

    `specifiers` are object-like macros that stand for specifiers, beyond those whose look tells.
    """
    parts: list[str] = []
    end = 0
    for item in items:
        if item.shape is Shape.INVOCATION:
            parts += (clean[end : item.start], blanked(clean[item.start : item.end]))
            end = item.end
    bare = "".join((*parts, clean[end:]))
    bare = _LONELY.sub(_blank, _SPECIFIER.sub(_blank, bare))
    if specifiers:
        names = "|".join(re.escape(name) for name in sorted(specifiers))
        bare = re.sub(rf"\b(?:{names})\b", _blank, bare)
    return _KEYWORD.sub(_cpp, bare)


def _blank(match: re.Match[str]) -> str:
    return blanked(match[0])


def _cpp(match: re.Match[str]) -> str:
    return _KEYWORDS[match[0]]
