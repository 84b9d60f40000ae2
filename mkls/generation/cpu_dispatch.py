"""The dtypes that the CPU kernel of a stub dispatches to, read from ATen/native/cpu/*.cpp."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from mkls.generation.dtypes import FLOATING, INTEGRAL, ordered
from mkls.index.dtype_words import SPELLINGS

_REGISTERED: Final = r"REGISTER_(?:ALL_CPU_)?DISPATCH\(\s*{}\s*,\s*&?(?:\w+::)*(\w+)"
_VML: Final = r"(?:STATIC_)?IMPLEMENT_(?:VML|ITERATOR|COMPLEX)_\w+\(\s*{}\s*[,)]"
_DISPATCH: Final = re.compile(r"\bAT_DISPATCH_(\w+)\s*\(")
_NAMED: Final = re.compile(r"\b(?:at::|c10::)?(?:ScalarType::|k)([A-Z]\w+)\b")
_GROUPS: Final = (
    ("ALL_TYPES", (*FLOATING, *INTEGRAL)),
    ("FLOATING_TYPES", FLOATING),
    ("FLOATING_AND_COMPLEX", FLOATING),
    ("REDUCED_FLOATING", FLOATING),
    ("INTEGRAL_TYPES", INTEGRAL),
    ("COMPLEX", ("float2", "half2")),
)
_V2: Final = re.compile(r"\bAT_(ALL_TYPES|FLOATING_TYPES|INTEGRAL_TYPES|COMPLEX_TYPES)\w*")


def cpu_dtypes(texts: Iterable[str], stub: str) -> tuple[str, ...] | None:
    """Return the dtypes, as Metal has them, that the CPU kernel of `stub` lists; None if unknown.

    Where the CPU has double, Metal has float; half and bfloat come with it, as in every kernel of
    MPS.
    """
    registered = re.compile(_REGISTERED.format(stub))
    for text in texts:
        found = registered.search(text)
        if found:
            return _of_function(text, found[1])
    return None


def _of_function(text: str, name: str) -> tuple[str, ...] | None:
    header = re.search(rf"\bvoid\s+{name}\s*\([^)]*\)\s*\{{", text)
    if header is None:
        stem = name.removesuffix("_kernel")
        is_vml = re.search(_VML.format(stem), text)
        return FLOATING if is_vml else None
    end = text.find("\n}", header.end())
    body = text[header.end() : end if end >= 0 else len(text)]
    found = frozenset(dtype for it in _DISPATCH.finditer(body) for dtype in _listed(body, it))
    return ordered(found) or None


def _listed(body: str, dispatch: "re.Match[str]") -> Iterator[str]:
    family = dispatch[1]
    end = _argument_end(body, dispatch.end())
    arguments = body[dispatch.end() : end]
    words = [family, *(it[1] for it in _V2.finditer(arguments))] if family == "V2" else [family]
    for word in words:
        for group, dtypes in _GROUPS:
            if group in word:
                yield from dtypes
    for named in _NAMED.findall(arguments.partition("[&]")[0]):
        spelt = SPELLINGS.get(named)
        if spelt:
            yield spelt


def _argument_end(text: str, start: int) -> int:
    depth = 1
    for at in range(start, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at
    return len(text)
