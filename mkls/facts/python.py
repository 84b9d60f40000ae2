"""Read what Python files say about MPS.

PyTorch's tests list the operators that are expected to fail, or to be complex:
`torch/testing/_internal/common_mps.py`, up to 2.6 `test/test_mps.py`. Any file may compile shaders.
"""

import ast
import re
from collections.abc import Iterator

from mkls.facts.model.name import Name
from mkls.facts.model.python import OperatorList, OperatorListKey, PythonFacts
from mkls.facts.model.shader_calls import ShaderCalls
from mkls.syntax.python.collections import Collection, Key, collections
from mkls.text.span import Span

_LIBRARY = "torch.library"
_OPERATOR = re.compile(r"""["'](?:\w+::)?(\w+(?:\.\w+)?)(?=["'(])""")
_LISTS = ("XFAILLIST", "SKIPLIST", "SUPPORTED_COMPLEX_OPS")


def python_facts(text: str) -> PythonFacts:
    """Return what `text` states; broken text states less."""
    return PythonFacts(
        tuple(
            OperatorList(Name(it.name, it.name_span), tuple(_keys(it, text)), _indent(it, text))
            for it in collections(text)
            if any(word in it.name for word in _LISTS)
        ),
        _shader_calls(text),
        tuple(sorted({it[1] for it in _OPERATOR.finditer(text)})) if _LIBRARY in text else (),
    )


def _shader_calls(text: str) -> ShaderCalls:
    if "compile_shader" not in text:
        return ShaderCalls()
    # Most workspaces have no use for it.
    from mkls.facts.python_shaders import shader_calls  # noqa: PLC0415

    return shader_calls(text)


def _keys(found: Collection, text: str) -> Iterator[OperatorListKey]:
    for key in found.keys:
        name = Name(key.text, key.span)
        yield OperatorListKey(name, _dtypes(key.value), _lines(key, text))


def _dtypes(value: ast.expr | None) -> tuple[str, ...] | None:
    """Return the dtypes that a list names; None where there is no list of them."""
    if not isinstance(value, ast.List | ast.Tuple):
        return None
    return tuple(it.attr for it in value.elts if isinstance(it, ast.Attribute))


def _lines(key: Key, text: str) -> Span | None:
    """Return the lines of `key`, when nothing else stands on them but its comma and a comment."""
    start = text.rfind("\n", 0, key.whole.start) + 1
    end = text.find("\n", key.whole.end)
    end = len(text) if end < 0 else end + 1
    after = text[key.whole.end : end].strip().removeprefix(",").lstrip()
    alone = not text[start : key.whole.start].strip() and (not after or after.startswith("#"))
    return Span(start, end) if alone else None


def _indent(found: Collection, text: str) -> str:
    for key in found.keys:
        start = text.rfind("\n", 0, key.whole.start) + 1
        before = text[start : key.whole.start]
        if not before.strip():
            return before
    return found.indent + "    "
