"""The expressions of directives: a closed subset of Python, checked before anything runs.

Nothing here evaluates; `evaluation.py` interprets what this module has let through.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from mkls.runner.expression_names import (
    CONSTANTS,
    DTYPES,
    FUNCTIONS,
    KEYWORDS,
    METHODS,
    PROPERTIES,
    PYTHON_FUNCTIONS,
    STRING_KEYWORDS,
)

MAX_LENGTH = 2000
_TOLERANCES = re.compile(r"\(\s*(?:(?:rtol|atol)\s*=\s*[^(),=]+,?\s*){1,2}\)\s*\Z")
_TOLERANCE = re.compile(r"(rtol|atol)\s*=\s*([^(),=]+)")
_SUBSCRIPTS = re.compile(r"[A-Za-z,.> \-]*\Z")
_WORD = re.compile(r"[a-z_]+\Z")
_LEAVES = (ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.expr_context)
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult,
              ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift, ast.UAdd, ast.USub,
              ast.Invert, ast.Not, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.And,
              ast.Or, ast.Load)  # fmt: skip


class ExpressionError(Exception):
    """An expression that is refused, or whose evaluation failed.

    `start` and `end` are code-point offsets into the expression's text.
    """

    def __init__(self, message: str, start: int = 0, end: int = 0) -> None:
        """Blame `text[start:end]`."""
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = max(end, start)


@dataclass(frozen=True)
class Expression:
    """A checked expression; `variables` are the kernel arguments that it reads."""

    text: str
    tree: ast.expr
    variables: tuple[str, ...]


@dataclass(frozen=True)
class Expectation:
    """A claim about outputs; tolerances that it does not name are None."""

    expression: Expression
    rtol: float | None = None
    atol: float | None = None


def parse_expectation(text: str) -> Expectation:
    """Parse `claim`, or `claim (rtol=…, atol=…)`.

    Raises:
        ExpressionError: It is not in the subset.
    """
    match = _TOLERANCES.search(text)
    if match is None:
        return Expectation(parse_expression(text))
    claim = text[: match.start()]
    given = {it[1]: _number(text, it) for it in _TOLERANCE.finditer(text, match.start())}
    return Expectation(parse_expression(claim), given.get("rtol"), given.get("atol"))


def _number(text: str, match: re.Match[str]) -> float:
    try:
        return float(match[2])
    except ValueError:
        start, end = match.span(2)
        message = f"`{text[start:end].strip()}` is no number"
        raise ExpressionError(message, start, end) from None


def parse_expression(text: str) -> Expression:
    """Parse `text` and check every part of it.

    Raises:
        ExpressionError: It is not Python, or not in the subset.
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            f"the expression is longer than {MAX_LENGTH} characters", 0, len(text)
        )
    indent = len(text) - len(text.lstrip())
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        start = min(indent + max((error.offset or 1) - 1, 0), len(text))
        raise ExpressionError(f"not an expression: {error.msg}", start, start + 1) from None
    except (ValueError, RecursionError, MemoryError):
        raise ExpressionError("not an expression", 0, len(text)) from None
    checker = _Checker(text, indent)
    checker.check(tree)
    return Expression(text, tree, tuple(dict.fromkeys(checker.variables)))


def function_path(node: ast.expr) -> str | None:
    """Return `nn.functional.relu` for `torch.nn.functional.relu` and `relu` for `relu`."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    if parts[-1] == "torch" and len(parts) > 1:
        parts.pop()
    if parts[-1] == "F" and len(parts) > 1:
        parts[-1:] = ["functional", "nn"]
    return ".".join(reversed(parts))


class _Checker:
    def __init__(self, text: str, indent: int) -> None:
        self._lines = text.strip().split("\n")
        self._indent = indent
        self.variables: list[str] = []

    def check(self, node: ast.AST) -> None:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if isinstance(node, _LEAVES) and isinstance(node, _OPERATORS):
            return
        if method is None:
            raise self._error(f"{_noun(node)} is not allowed here", node)
        method(node)

    def _each(self, *nodes: ast.AST) -> None:
        for node in nodes:
            self.check(node)

    def _children(self, node: ast.AST) -> None:
        self._each(*ast.iter_child_nodes(node))

    _binop = _unaryop = _boolop = _compare = _tuple = _list = _slice = _subscript = _children

    def _constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, int | float | complex | None) and node.value is not Ellipsis:
            raise self._error("only numbers may be written out", node)

    def _name(self, node: ast.Name) -> None:
        if node.id in DTYPES or node.id in CONSTANTS:
            return
        if node.id in FUNCTIONS or node.id in PYTHON_FUNCTIONS or node.id == "torch":
            # An argument may bear a function's name (`input`, `values`, `sum`): the worker tells.
            self.variables.append(node.id)
            return
        if node.id.startswith("__"):
            raise self._error(f"`{node.id}` is not allowed here", node)
        self.variables.append(node.id)

    def _attribute(self, node: ast.Attribute) -> None:
        path = function_path(node)
        if path in DTYPES or path in CONSTANTS:
            return
        if node.attr not in PROPERTIES:
            raise self._error(f"the attribute `{node.attr}` is not allowed here", node)
        self.check(node.value)

    def _call(self, node: ast.Call) -> None:
        self._callee(node)
        for position, argument in enumerate(node.args):
            if not (position == 0 and _is_einsum(node)):
                self.check(argument)
        for keyword in node.keywords:
            self._keyword(keyword)

    def _callee(self, node: ast.Call) -> None:
        path = function_path(node.func)
        if path in FUNCTIONS or path in PYTHON_FUNCTIONS:
            return
        if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value):
            if node.func.attr not in METHODS:
                raise self._error(f"the method `{node.func.attr}` is not allowed here", node.func)
            self.check(node.func.value)
            return
        raise self._error(f"the function `{path or '…'}` is not allowed here", node.func)

    def _keyword(self, keyword: ast.keyword) -> None:
        if keyword.arg not in KEYWORDS:
            raise self._error(f"the keyword `{keyword.arg or '**'}` is not allowed here", keyword)
        if keyword.arg in STRING_KEYWORDS and _is_word(keyword.value):
            return
        self.check(keyword.value)

    def _error(self, message: str, node: ast.AST) -> ExpressionError:
        place = node if hasattr(node, "lineno") else None
        if place is None:
            return ExpressionError(message)
        start = self._offset(getattr(node, "lineno", 1), getattr(node, "col_offset", 0))
        end = self._offset(getattr(node, "end_lineno", 1), getattr(node, "end_col_offset", 0))
        return ExpressionError(message, start, end)

    def _offset(self, line: int, column: int) -> int:
        """`ast` counts columns in bytes of UTF-8."""
        before = sum(len(it) + 1 for it in self._lines[: line - 1])
        points = len(self._lines[line - 1].encode()[:column].decode(errors="ignore"))
        return self._indent + before + points


def _is_module(node: ast.expr) -> bool:
    path = function_path(node)
    return path in ("torch", "special", "linalg", "nn", "nn.functional")


def _is_einsum(node: ast.Call) -> bool:
    first = node.args[0] if node.args else None
    return (
        function_path(node.func) == "einsum"
        and isinstance(first, ast.Constant)
        and isinstance(first.value, str)
        and _SUBSCRIPTS.match(first.value) is not None
    )


def _is_word(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and _WORD.match(node.value) is not None
    )


_NOUNS = {
    "Lambda": "a lambda", "ListComp": "a comprehension", "SetComp": "a comprehension",
    "DictComp": "a comprehension", "GeneratorExp": "a generator", "JoinedStr": "an f-string",
    "NamedExpr": "an assignment", "Dict": "a dictionary", "Set": "a set", "Starred": "`*`",
    "Await": "`await`", "Yield": "`yield`", "IfExp": "`if`", "In": "`in`", "NotIn": "`not in`",
    "Is": "`is`", "IsNot": "`is not`",
}  # fmt: skip


def _noun(node: ast.AST) -> str:
    return _NOUNS.get(type(node).__name__, type(node).__name__)


def conjuncts(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the parts of `a and b and c`."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for value in node.values:
            yield from conjuncts(value)
    else:
        yield node
