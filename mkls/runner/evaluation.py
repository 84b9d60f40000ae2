"""Interpret checked expressions over tensors (worker side)."""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any, cast

import torch

from mkls.runner.expression_names import CONSTANTS, DTYPES, FUNCTIONS, METHODS, PROPERTIES
from mkls.runner.expressions import Expression, ExpressionError, function_path

_MAX_BITS = 256
_MAX_ITEMS = 1 << 16

_OPERATIONS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def evaluate(expression: Expression, variables: Mapping[str, Any]) -> Any:
    """Return the value of `expression`: a tensor, a number, or a sequence of them.

    Raises:
        ExpressionError: A name is unknown, or torch refused.
    """
    return evaluate_node(expression.tree, variables)


def evaluate_node(node: ast.expr, variables: Mapping[str, Any]) -> Any:
    """Return the value of one node of a checked expression."""
    try:
        return _Evaluator(variables).value(node)
    except ExpressionError:
        raise
    except MemoryError:
        raise ExpressionError("there is not enough memory for this") from None
    except (RuntimeError, TypeError, ValueError, IndexError, ZeroDivisionError) as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise ExpressionError(_readable(lines[0])) from error
    except (OverflowError, AttributeError, RecursionError) as error:
        raise ExpressionError(str(error)) from error


def _readable(message: str) -> str:
    return "there is not enough memory for this" if "allocate memory" in message else message


class _Evaluator:
    def __init__(self, variables: Mapping[str, Any]) -> None:
        self._variables = variables

    def value(self, node: ast.expr) -> Any:
        return getattr(self, f"_{type(node).__name__.lower()}")(node)

    def _values(self, nodes: list[ast.expr]) -> list[Any]:
        return [self.value(node) for node in nodes]

    def _constant(self, node: ast.Constant) -> Any:
        return node.value

    def _name(self, node: ast.Name) -> Any:
        if node.id in self._variables:
            return self._variables[node.id]
        return self._word(node.id, node)

    def _word(self, word: str, node: ast.expr) -> Any:
        if word in DTYPES:
            return _dtype(word)
        if word in CONSTANTS:
            return CONSTANTS[word]
        known = ", ".join(f"`{name}`" for name in self._variables) or "none yet"
        raise ExpressionError(
            f"`{word}` is no argument with a value; those are {known}",
            node.col_offset,
            node.end_col_offset or 0,
        )

    def _attribute(self, node: ast.Attribute) -> Any:
        path = function_path(node)
        if path and (path in DTYPES or path in CONSTANTS):
            return self._word(path, node)
        value = self.value(node.value)
        if node.attr not in PROPERTIES or not isinstance(value, torch.Tensor):
            raise ExpressionError(f"only tensors have `.{node.attr}`")
        return getattr(value, node.attr)

    def _call(self, node: ast.Call) -> Any:
        arguments = self._values(node.args)
        keywords = {str(it.arg): self.value(it.value) for it in node.keywords}
        path = function_path(node.func)
        function = _function(path, arguments) if path else None
        if function is None:
            function = self._method(cast("ast.Attribute", node.func))
        result = function(*arguments, **keywords)
        if path in _WITHOUT_CONTENT:
            result.mkls_undefined = True
        return result

    def _method(self, node: ast.Attribute) -> Callable[..., Any]:
        value = self.value(node.value)
        if node.attr not in METHODS or not isinstance(value, torch.Tensor):
            raise ExpressionError(f"only tensors have `.{node.attr}()`")
        return getattr(value, node.attr)

    def _binop(self, node: ast.BinOp) -> Any:
        left, right = self.value(node.left), self.value(node.right)
        _guard(node.op, left, right)
        operation = getattr(operator, _OPERATIONS[type(node.op)])
        return operation(left, right)

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        return _UNARY[type(node.op)](self.value(node.operand))

    def _boolop(self, node: ast.BoolOp) -> Any:
        values = [bool(it) for it in self._values(node.values)]
        return all(values) if isinstance(node.op, ast.And) else any(values)

    def _compare(self, node: ast.Compare) -> Any:
        values = self._values([node.left, *node.comparators])
        results = [
            _COMPARISONS[type(test)](values[at], values[at + 1]) for at, test in enumerate(node.ops)
        ]
        if len(results) == 1:
            return results[0]
        return all(bool(torch.as_tensor(it).all()) for it in results)

    def _tuple(self, node: ast.Tuple) -> Any:
        return tuple(self._values(node.elts))

    def _list(self, node: ast.List) -> Any:
        return self._values(node.elts)

    def _subscript(self, node: ast.Subscript) -> Any:
        return self.value(node.value)[self.value(node.slice)]

    def _slice(self, node: ast.Slice) -> Any:
        parts = (node.lower, node.upper, node.step)
        return slice(*(None if it is None else self.value(it) for it in parts))


def _dtype(word: str) -> Any:
    name = DTYPES[word]
    if not hasattr(torch, name):
        raise ExpressionError(f"this torch has no `{name}`")
    return getattr(torch, name)


def _function(path: str, arguments: list[Any]) -> Callable[..., Any] | None:
    if path in ("min", "max") and len(arguments) > 1:
        tensors = any(isinstance(it, torch.Tensor) for it in arguments)
        torch_name = {"min": "minimum", "max": "maximum"}[path]
        return getattr(torch, torch_name) if tensors else {"min": min, "max": max}[path]
    if path in ("min", "max"):
        return getattr(torch, path)
    if path in _CONVERSIONS:
        return _CONVERSIONS[path]
    if path not in FUNCTIONS:
        return None
    found: Any = torch
    for part in FUNCTIONS[path].split("."):
        found = getattr(found, part, None)
        if found is None:
            raise ExpressionError(f"this torch has no `{path}`")
    return cast("Callable[..., Any]", found)


_WITHOUT_CONTENT = frozenset({"empty", "empty_like"})
_CONVERSIONS: dict[str, Callable[..., Any]] = {
    "float": float,
    "int": int,
    "bool": bool,
    "len": len,
}


def _guard(operation: ast.operator, left: Any, right: Any) -> None:
    """Refuse numbers that grow without bound: `10 ** 10 ** 10`, `[0] * 10 ** 10`."""
    sizes = [len(cast("list[Any]", it)) for it in (left, right) if isinstance(it, list | tuple)]
    if sizes:
        factor = next((abs(it) for it in (left, right) if isinstance(it, int)), 1)
        if max(sizes) * factor > _MAX_ITEMS:
            raise ExpressionError(f"a list of more than {_MAX_ITEMS} items is not allowed here")
        return
    if not (isinstance(left, int) and isinstance(right, int)):
        return
    bits = max(left.bit_length(), right.bit_length())
    if isinstance(operation, ast.Pow):
        bits = left.bit_length() * abs(right)
    elif isinstance(operation, ast.LShift):
        bits = left.bit_length() + max(right, 0)
    if bits > _MAX_BITS:
        raise ExpressionError(f"an integer of more than {_MAX_BITS} bits is not allowed here")
