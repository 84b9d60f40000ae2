"""What kind of value Python code passes to a kernel, where that is plain."""

import ast
from collections.abc import Sequence
from typing import Final

from mkls.facts.model.shader_calls import ArgumentKind, ShaderArgument
from mkls.facts.python_evaluation import Evaluation
from mkls.facts.python_group_counts import divides
from mkls.facts.python_scopes import Binding, Scope
from mkls.facts.python_values import Number

_DEPTH: Final = 8
_MADE: Final = frozenset(("empty", "zeros", "ones", "rand", "randn"))
"""Functions of torch whose tensors are float32 unless `dtype` says otherwise."""
_TYPED: Final = frozenset((*_MADE, "full", "arange", "tensor", "as_tensor", "linspace", "randint"))
_LIKE: Final = frozenset(("empty_like", "zeros_like", "ones_like", "rand_like", "randn_like"))
_CASTS: Final = {
    "half": "float16", "float": "float32", "bfloat16": "bfloat16", "int": "int32",
    "long": "int64", "double": "float64", "bool": "bool", "short": "int16", "byte": "uint8",
}  # fmt: skip
_KEEPS_DTYPE: Final = frozenset(
    ("contiguous", "reshape", "flatten", "clone", "detach", "mps", "cpu", "squeeze", "unsqueeze",
     "transpose", "permute", "t", "ravel", "expand", "zero_", "fill_", "copy_")
)  # fmt: skip
_INTEGER_METHODS: Final = frozenset(
    ("numel", "dim", "element_size", "nelement", "storage_offset", "bit_length", "ndimension")
)
_SIZES: Final = frozenset(("size", "stride"))
_NAMED_DTYPES: Final = {"half": "float16", "float": "float32", "double": "float64",
                        "long": "int64", "int": "int32", "short": "int16"}  # fmt: skip
_ANNOTATED: Final = {
    "int": ArgumentKind.INTEGER,
    "bool": ArgumentKind.INTEGER,
    "float": ArgumentKind.NUMBER,
    "torch.Tensor": ArgumentKind.TENSOR,
    "Tensor": ArgumentKind.TENSOR,
}


class Arguments:
    """Tells what kind of value expressions have."""

    def __init__(self, evaluation: Evaluation, *, default_dtype: str) -> None:
        """Look names up in `evaluation`; `default_dtype` is "" where the file may change it."""
        self._evaluation = evaluation
        self._default = default_dtype

    def argument(self, node: ast.expr, scope: Scope) -> ShaderArgument:
        """Return what `node` passes."""
        kind = self.kind(node, scope)
        value = self._evaluation.value(node, scope) if kind in _NUMBERS else None
        return ShaderArgument(
            span=scope.span(node),
            kind=kind,
            count=_count(node) if kind in _LISTS else None,
            zero=isinstance(value, Number) and value.value == 0,
            dtype=self.dtype(node, scope) if kind is ArgumentKind.TENSOR else "",
            literal=_is_literal(node),
        )

    def is_integer(self, node: ast.expr, scope: Scope) -> bool:
        """Whether `node` is one whole number, supposing that it is a number or several."""
        if isinstance(node, ast.UnaryOp):
            return True
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv | ast.Sub | ast.Mod):
            return True
        return self.kind(node, scope) is ArgumentKind.INTEGER

    def whole_number(self, node: ast.expr, scope: Scope) -> int | None:
        """Return the number that `node` is, if it is a constant."""
        value = self._evaluation.value(node, scope)
        whole = isinstance(value, Number) and isinstance(value.value, int)
        return int(value.value) if isinstance(value, Number) and whole else None

    def divides(self, node: ast.expr, group: ast.expr, scope: Scope) -> bool:
        """Whether `node`, or what the variable holds that it is, counts groups of `group`."""
        if isinstance(node, ast.Name):
            bindings = self._evaluation.bindings(node.id, scope)
            values = [it.value for it in bindings if it.value and not it.element]
            return len(bindings) == len(values) == 1 and divides(values[0], group)
        return divides(node, group)

    def kind(self, node: ast.expr, scope: Scope, depth: int = 0) -> ArgumentKind:
        """Return the kind of value that `node` is."""
        unknown = ArgumentKind.UNKNOWN
        if depth > _DEPTH:
            return unknown
        match node:
            case ast.Constant():
                return _kind_of_constant(node.value)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
                return self.kind(node.operand, scope, depth + 1)
            case ast.List() | ast.Tuple():
                return self._kind_of_list(node.elts, scope, depth)
            case ast.BinOp():
                return self._kind_of_operation(node, scope, depth)
            case ast.IfExp():
                kinds = {self.kind(it, scope, depth + 1) for it in (node.body, node.orelse)}
                return kinds.pop() if len(kinds) == 1 else unknown
            case ast.Name():
                return self._kind_of_name(node.id, scope, depth)
            case ast.Call():
                return self._kind_of_call(node, scope, depth)
            case _:
                return _kind_of_part(node)

    def _kind_of_list(self, elements: Sequence[ast.expr], scope: Scope, depth: int) -> ArgumentKind:
        kinds = {self.kind(it, scope, depth + 1) for it in elements}
        if kinds == {ArgumentKind.INTEGER}:
            return ArgumentKind.INTEGERS
        # torch looks at the first number: after a real one, integers are converted.
        is_real = bool(elements) and self.kind(elements[0], scope, depth + 1) is ArgumentKind.REAL
        if is_real and kinds <= {ArgumentKind.REAL, ArgumentKind.INTEGER}:
            return ArgumentKind.REALS
        return ArgumentKind.UNKNOWN

    def _kind_of_operation(self, node: ast.BinOp, scope: Scope, depth: int) -> ArgumentKind:
        kinds = {self.kind(it, scope, depth + 1) for it in (node.left, node.right)}
        if not kinds <= {ArgumentKind.INTEGER, ArgumentKind.REAL}:
            return ArgumentKind.UNKNOWN
        if isinstance(node.op, ast.Pow):
            return ArgumentKind.REAL if kinds == {ArgumentKind.REAL} else ArgumentKind.UNKNOWN
        if isinstance(node.op, ast.Div) or ArgumentKind.REAL in kinds:
            return ArgumentKind.REAL
        return ArgumentKind.INTEGER

    def _kind_of_name(self, name: str, scope: Scope, depth: int) -> ArgumentKind:
        annotation = _annotation(name, scope)
        if annotation is not None:
            local = self._evaluation.module.local(scope).get(name)
            return _ANNOTATED.get(annotation, ArgumentKind.UNKNOWN) if not local else _UNKNOWN
        bindings = self._evaluation.bindings(name, scope)
        kinds = {self._kind_of_binding(it, depth) for it in bindings}
        return kinds.pop() if len(kinds) == 1 else _UNKNOWN

    def _kind_of_binding(self, binding: Binding, depth: int) -> ArgumentKind:
        if binding.value is None:
            return _UNKNOWN
        kind = self.kind(binding.value, binding.scope, depth + 1)
        if not binding.element:
            return kind
        return ArgumentKind.INTEGER if kind is ArgumentKind.INTEGERS else _UNKNOWN

    def _kind_of_call(self, node: ast.Call, scope: Scope, depth: int) -> ArgumentKind:
        origin = self._evaluation.origin(node.func, scope)
        module, _, name = origin.rpartition(".")
        if module == "torch" and name in (*_TYPED, *_LIKE):
            return ArgumentKind.TENSOR
        if origin in ("int", "len", "math.ceil", "math.floor", "math.prod"):
            # A product of real numbers is one; that of sizes is not told apart.
            return _UNKNOWN if name == "prod" else ArgumentKind.INTEGER
        if origin == "float" or (module == "math" and name not in ("gcd", "lcm", "comb")):
            return ArgumentKind.REAL
        if origin in ("list", "tuple") and len(node.args) == 1:
            inner = self.kind(node.args[0], scope, depth + 1)
            return inner if inner in _LISTS else _UNKNOWN
        if origin in ("min", "max") and len(node.args) > 1:
            kinds = {self.kind(it, scope, depth + 1) for it in node.args}
            return kinds.pop() if len(kinds) == 1 else _UNKNOWN
        if not isinstance(node.func, ast.Attribute):
            return _UNKNOWN
        if name in _SIZES:
            return ArgumentKind.INTEGER if node.args else ArgumentKind.INTEGERS
        if name in _INTEGER_METHODS and not node.args:
            return ArgumentKind.INTEGER
        if name in (*_CASTS, *_KEEPS_DTYPE, "to", "view"):
            return self._kind_of_tensor(node.func.value, scope, depth)
        return _UNKNOWN

    def _kind_of_tensor(self, node: ast.expr, scope: Scope, depth: int) -> ArgumentKind:
        """A method of tensors is called: what is not known to be another thing is a tensor."""
        kind = self.kind(node, scope, depth + 1)
        return ArgumentKind.TENSOR if kind is ArgumentKind.TENSOR else _UNKNOWN

    def dtype(self, node: ast.expr, scope: Scope, depth: int = 0) -> str:
        """Return the dtype of the tensor `node`, "" where it is not plain."""
        if depth > _DEPTH:
            return ""
        if isinstance(node, ast.Name):
            return self._dtype_of_name(node.id, scope, depth)
        if not isinstance(node, ast.Call):
            return ""
        module, _, name = self._evaluation.origin(node.func, scope).rpartition(".")
        if module == "torch" and name in (*_TYPED, *_LIKE):
            return self._dtype_made(node, name, scope, depth)
        if not isinstance(node.func, ast.Attribute):
            return ""
        if name in _CASTS:
            return _CASTS[name]
        if name in _KEEPS_DTYPE:
            return self.dtype(node.func.value, scope, depth + 1)
        if name in ("to", "view"):
            return self._dtype_converted(node, node.func.value, scope, depth)
        return ""

    def _dtype_of_name(self, name: str, scope: Scope, depth: int) -> str:
        if _annotation(name, scope) is not None:
            return ""
        bindings = self._evaluation.bindings(name, scope)
        if any(it.value is None or it.element for it in bindings):
            return ""
        found = {self.dtype(it.value, it.scope, depth + 1) for it in bindings if it.value}
        return found.pop() if len(found) == 1 else ""

    def _dtype_made(self, node: ast.Call, name: str, scope: Scope, depth: int) -> str:
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg == "out":
                return ""
            if keyword.arg == "dtype":
                return self._named_dtype(keyword.value, scope)
        if name in _LIKE and node.args:
            return self.dtype(node.args[0], scope, depth + 1)
        return self._default if name in _MADE else ""

    def _dtype_converted(self, node: ast.Call, base: ast.expr, scope: Scope, depth: int) -> str:
        given = [*node.args, *(it.value for it in node.keywords if it.arg == "dtype")]
        dtypes = [self._named_dtype(it, scope) for it in given]
        if any(dtypes):
            return next(filter(None, dtypes))
        plain = all(
            self.kind(it, scope) is ArgumentKind.INTEGER
            or (isinstance(it, ast.Constant) and isinstance(it.value, str))
            for it in node.args
        ) and not any(it.arg == "dtype" for it in node.keywords)
        return self.dtype(base, scope, depth + 1) if plain else ""

    def _named_dtype(self, node: ast.expr, scope: Scope) -> str:
        module, _, name = self._evaluation.origin(node, scope).rpartition(".")
        if module != "torch":
            return ""
        name = _NAMED_DTYPES.get(name, name)
        return name if name[:3] in ("flo", "bfl", "int", "uin", "boo") else ""


_UNKNOWN: Final = ArgumentKind.UNKNOWN
_NUMBERS: Final = frozenset((ArgumentKind.INTEGER, ArgumentKind.REAL))
_LISTS: Final = frozenset((ArgumentKind.INTEGERS, ArgumentKind.REALS))


def _kind_of_constant(value: object) -> ArgumentKind:
    if value is None:
        return ArgumentKind.NONE
    if isinstance(value, int):
        return ArgumentKind.INTEGER
    return ArgumentKind.REAL if isinstance(value, float) else ArgumentKind.UNKNOWN


def _kind_of_part(node: ast.expr) -> ArgumentKind:
    """Return the kind of an attribute of a tensor, or of a part of its shape."""
    match node:
        case ast.Attribute(attr="shape"):
            return ArgumentKind.INTEGERS
        case ast.Attribute(attr="ndim" | "nbytes"):
            return ArgumentKind.INTEGER
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=index):
            return ArgumentKind.INTEGERS if isinstance(index, ast.Slice) else ArgumentKind.INTEGER
        case _:
            return ArgumentKind.UNKNOWN


def _count(node: ast.expr) -> int | None:
    if not isinstance(node, ast.List | ast.Tuple):
        return None
    return None if any(isinstance(it, ast.Starred) for it in node.elts) else len(node.elts)


def _is_literal(node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple):
        return all(_is_literal(it) for it in node.elts)
    if isinstance(node, ast.UnaryOp):
        return _is_literal(node.operand)
    return isinstance(node, ast.Constant)


def _annotation(name: str, scope: Scope) -> str | None:
    """Return how the parameter `name` is annotated, "" if it is not, None if there is none."""
    at: Scope | None = scope
    while at is not None and at.function is not None:
        arguments = at.function.args
        for it in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            if it.arg == name:
                return ast.unparse(it.annotation) if it.annotation else ""
        if name in (it.arg for it in (arguments.vararg, arguments.kwarg) if it):
            return ""
        at = at.outer
    return None
