"""Compare the parameters of C++ functions as far as their text tells."""

import re
from functools import lru_cache

_TOKEN = re.compile(r"\w+|::|\S")
_WORD = re.compile(r"\w+")
_NAMESPACES = frozenset(("at", "c10", "std", "native", "mps", "torch"))
_BUILTIN = frozenset(
    ("int", "long", "char", "double", "unsigned", "signed", "short", "float", "bool", "const")
)
_KNOWN = _BUILTIN | frozenset(
    (
        *("int64_t", "int32_t", "size_t", "string", "string_view", "optional", "Tensor", "Scalar"),
        *("TensorIterator", "TensorIteratorBase", "Generator", "ScalarType", "ArrayRef"),
        *("OptionalTensorRef", "OptionalScalarRef", "ITensorListRef"),
        *("IntArrayRef", "TensorList", "OptionalIntArrayRef", "Layout", "Device", "MemoryFormat"),
    )
)
"""Words of types that are aliases of nothing else: the comparison is sure of these alone."""
_SAME = {
    "ArrayRef<int64_t>": "IntArrayRef",
    "ArrayRef<Tensor>": "TensorList",
    "int32_t": "int",
    "optional<IntArrayRef>": "OptionalIntArrayRef",
}
_PARAMETERS = re.compile(r"\(\s*\*\s*\w*\s*\)\s*\((.*)\)\s*\Z", re.DOTALL)


def parameters_of(function_type: str) -> list[str] | None:
    """Return the parameters' types in `void (*)(Tensor& a, int64_t b)`; None for any other type."""
    match = _PARAMETERS.search(function_type)
    if match is None:
        return None
    return [type_of(part) for part in _split(match[1])] if match[1].strip() else []


def _split(text: str) -> list[str]:
    parts, depth, start = list[str](), 0, 0
    for at, character in enumerate(text):
        depth += (character in "(<[{") - (character in ")>]}")
        if character == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def type_of(parameter: str) -> str:
    """Return the type in `const Tensor& self = {}`, as it is written."""
    declared = parameter.partition("=")[0].strip()
    tokens = _TOKEN.findall(declared)
    if len(tokens) < 2 or not tokens[-1].isidentifier() or tokens[-1] in _BUILTIN:
        return declared
    if tokens[-2] == "::" or tokens[-2] == "const":
        return declared
    return declared.removesuffix(tokens[-1]).rstrip()


def plain_type(text: str) -> str:
    """Return `text` in one spelling: without namespaces, `const` first, usual aliases resolved.

    `const` of what is passed by value does not count, as in C++.
    """
    tokens = _TOKEN.findall(text)
    kept = [
        token
        for index, token in enumerate(tokens)
        if token != "::" and not (token in _NAMESPACES and tokens[index + 1 : index + 2] == ["::"])
    ]
    is_constant = kept[:1] == ["const"] or _top_level_const(kept)
    base = "".join(token for token in kept if token not in ("const", "struct", "typename"))
    for written, same in _SAME.items():
        base = base.replace(written, same)
    return f"const {base}" if is_constant and base.endswith(("&", "*")) else base


@lru_cache(maxsize=8192)
def differ(one: str, other: str) -> bool:
    """Whether two types are certainly not the same: a word that is not known may be an alias."""
    first, second = plain_type(one), plain_type(other)
    if first == second:
        return False
    words = set(_WORD.findall(first)), set(_WORD.findall(second))
    return all(words) and (words[0] | words[1]) <= _KNOWN


def _top_level_const(tokens: list[str]) -> bool:
    depth = 0
    for token in tokens:
        depth += (token == "<") - (token == ">")
        if token == "const" and depth == 0:
            return True
    return False
