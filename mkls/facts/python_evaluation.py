"""Work out what expressions of a Python file stand for, as far as that is certain.

A name counts when all that it is given is one value, `None` aside, which is how caches begin.
Functions are followed into what they return. Anything else is not told.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from mkls.facts.model.name import Name
from mkls.facts.python_paths import path_method, path_of_call
from mkls.facts.python_scopes import Binding, Module, Scope, own_nodes
from mkls.facts.python_strings import formatted, string_method
from mkls.facts.python_values import (
    FilePath,
    Instance,
    KernelOf,
    Library,
    Nothing,
    Number,
    Table,
    Value,
)
from mkls.syntax.python.literals import Hole, literal_parts, written_as
from mkls.text.source_text import SourceText, document_span, joined
from mkls.text.span import Span

_DEPTH: Final = 24
_TRANSPARENT: Final = frozenset(
    ("cache", "lru_cache", "cached_property", "property", "staticmethod", "classmethod",
     "no_grad", "inference_mode", "once")
)  # fmt: skip
_COMPILERS: Final = frozenset(("compile_shader", "_compile_shader"))

Environment = Mapping[str, Value]
_EMPTY: Final[Environment] = {}


class Compiled:
    """A call of `compile_shader` that was met, with its source."""

    def __init__(self, scope: Scope, call: ast.Call, source: Value, *, of_torch: bool) -> None:
        """Hold what was met."""
        self.span = scope.span(call.func)
        self.source = source
        self.of_torch = of_torch


class Evaluation:
    """Evaluates the expressions of one file, and gathers the libraries that it makes."""

    def __init__(self, module: Module, text: str) -> None:
        """Look at `module`, read from `text`."""
        self.module = module
        self.libraries: list[Compiled] = []
        self._text = text
        self._by_source: dict[tuple[int, object], int] = {}
        self._active: set[tuple[object, ...]] = set()
        self._names: dict[tuple[object, ...], Value] = {}

    def value(self, node: ast.expr | None, scope: Scope, given: Environment = _EMPTY) -> Value:
        """Return what `node` stands for in `scope`, whose parameters are as `given`."""
        if node is None or len(self._active) > _DEPTH:
            return None
        read = _READERS.get(type(node))
        return read(self, node, scope, given) if read else None

    def literal(self, node: ast.expr, scope: Scope, given: Environment) -> Value:
        """Read what is written out: a constant, a string, a dict, a choice between two."""
        match node:
            case ast.Constant():
                return self._constant(node, scope)
            case ast.JoinedStr():
                return self._format_string(node, scope, given)
            case ast.Dict():
                return self._table(node, scope, given)
            case ast.IfExp():
                return _only([self.value(it, scope, given) for it in (node.body, node.orelse)])
            case _:
                return None

    def computed(self, node: ast.expr, scope: Scope, given: Environment) -> Value:
        """Read an operation, or a part of something."""
        match node:
            case ast.BinOp():
                return self._operation(node, scope, given)
            case ast.UnaryOp(op=ast.USub()):
                value = self.value(node.operand, scope, given)
                return Number(-value.value) if isinstance(value, Number) else None
            case ast.Subscript():
                return self._subscript(node, scope, given)
            case ast.NamedExpr():
                return self.value(node.value, scope, given)
            case _:
                return None

    def named(self, node: ast.expr, scope: Scope, given: Environment) -> Value:
        """Read a name, an attribute or a call."""
        match node:
            case ast.Name():
                return self._name(node.id, scope, given)
            case ast.Attribute():
                return self._attribute(node, scope, given)
            case ast.Call():
                return self._call(node, scope, given)
            case _:
                return None

    def _constant(self, node: ast.Constant, scope: Scope) -> Value:
        value = node.value
        if value is None:
            return Nothing()
        if isinstance(value, int | float):
            return Number(value)
        if not isinstance(value, str):
            return None
        parts = literal_parts(self._text, scope.span(node))
        if parts is None or any(isinstance(it, Hole) for it in parts):
            return None
        text = joined(it for it in parts if isinstance(it, SourceText))
        return text if text.text == value else None

    def _format_string(self, node: ast.JoinedStr, scope: Scope, given: Environment) -> Value:
        parts = literal_parts(self._text, scope.span(node))
        found: list[SourceText] = []
        for part in parts or ():
            if isinstance(part, SourceText):
                found.append(part)
                continue
            told = not _has_string(part.expression)
            value = self.value(part.expression, scope, given) if told else None
            text = as_text(value, part.span)
            if text is None:
                return None
            found.append(text)
        return joined(found) if parts is not None else None

    def _operation(self, node: ast.BinOp, scope: Scope, given: Environment) -> Value:
        left = self.value(node.left, scope, given)
        if isinstance(left, SourceText) and isinstance(node.op, ast.Mod):
            values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            texts = [self.value(it, scope, given) for it in values]
            return formatted(left, texts)
        right = self.value(node.right, scope, given)
        if isinstance(left, SourceText) and isinstance(right, SourceText):
            return joined((left, right)) if isinstance(node.op, ast.Add) else None
        if isinstance(left, FilePath) and isinstance(right, SourceText | FilePath):
            return path_method(left, "/", [right])
        if isinstance(left, Number) and isinstance(right, Number):
            return _number(left.value, node.op, right.value)
        return None

    def _table(self, node: ast.Dict, scope: Scope, given: Environment) -> Value:
        items: dict[object, Value] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if not isinstance(key, ast.Constant):
                return None
            items[key.value] = self.value(value, scope, given)
        return Table(items)

    def _subscript(self, node: ast.Subscript, scope: Scope, given: Environment) -> Value:
        base = self.value(node.value, scope, given)
        if isinstance(base, Table) and isinstance(node.slice, ast.Constant):
            return base.items.get(node.slice.value)
        if isinstance(base, Library):
            return None
        return path_method(base, "[]", []) if isinstance(base, FilePath) else None

    def _name(self, name: str, scope: Scope, given: Environment) -> Value:
        if name in given:
            return given[name]
        at: Scope | None = scope
        while at is not None and at.function is not None:
            if at.owner and name == _self_name(at):
                return Instance(at.owner, at.chunk)
            if name in _parameters(at.function):
                return None
            local = self.module.local(at).get(name)
            if local:
                return self._bound(("local", id(at.function), name), local, given)
            at = at.outer
        if scope.function is None and scope.owner is not None:
            members = self.module.members(scope.owner, scope.chunk).get(name)
            if members:
                return self._bound(("member", id(scope.owner), name), members, _EMPTY)
        if name == "__file__":
            return FilePath("", beside=True, is_own=True)
        return self._bound(("module", name), self.module.bindings(name), _EMPTY)

    def _bound(
        self, key: tuple[object, ...], bindings: Iterable[Binding], given: Environment
    ) -> Value:
        """Return the one value that all of `bindings` give, `None` aside."""
        if key in self._names and not given:
            return self._names[key]
        if key in self._active:
            return Nothing()
        self._active.add(key)
        value = _only([self._value_of(it, given) for it in bindings])
        self._active.discard(key)
        if not given and not isinstance(value, Nothing):
            self._names[key] = value
        return value

    def _value_of(self, binding: Binding, given: Environment) -> Value:
        if binding.value is not None and not binding.element:
            return self.value(binding.value, binding.scope, given)
        if binding.owner is not None:
            return Instance(binding.owner, binding.scope.chunk)
        return None

    def _attribute(self, node: ast.Attribute, scope: Scope, given: Environment) -> Value:
        base = self.value(node.value, scope, given)
        if isinstance(base, Library):
            end = scope.span(node).end
            name = Name(node.attr, Span(end - len(node.attr), end))
            return None if node.attr.startswith("__") else KernelOf(base.number, name)
        if isinstance(base, FilePath):
            return path_method(base, node.attr, [])
        if isinstance(base, Instance):
            return self._member(base, node.attr)
        return None

    def _member(self, instance: Instance, name: str) -> Value:
        bindings = self.module.members(instance.owner, instance.chunk).get(name, ())
        for binding in bindings:
            function = binding.function
            if function is not None and _decorators(function) & {"property", "cached_property"}:
                return self._returned(binding, _EMPTY)
        return self._bound(("member", id(instance.owner), name), bindings, _EMPTY)

    def _call(self, node: ast.Call, scope: Scope, given: Environment) -> Value:
        origin = self.origin(node.func, scope)
        if _is_compiler(node.func, origin):
            return self._compiled(node, scope, given, of_torch="mkls" not in origin)
        if origin == "getattr":
            return self._getattr(node, scope, given)
        arguments = [self.value(it, scope, given) for it in node.args]
        if found := path_of_call(origin, arguments):
            return found
        if isinstance(node.func, ast.Attribute):
            base = self.value(node.func.value, scope, given)
            if isinstance(base, FilePath):
                return path_method(base, node.func.attr, arguments)
            if isinstance(base, SourceText):
                keywords = {
                    it.arg: self.value(it.value, scope, given) for it in node.keywords if it.arg
                }
                return string_method(base, node.func.attr, arguments, keywords)
        if origin in ("textwrap.dedent", "inspect.cleandoc", "str") and arguments:
            first = arguments[0]
            return (
                string_method(first, origin.rpartition(".")[2], [], {})
                if isinstance(first, SourceText)
                else None
            )
        return self._called(node, scope, arguments, given)

    def _called(
        self, node: ast.Call, scope: Scope, arguments: list[Value], given: Environment
    ) -> Value:
        """Follow a call into the function, when its arguments are plain."""
        function = self._function(node.func, scope, given)
        if function is None or function.function is None:
            return None
        spare = any(isinstance(it, ast.Starred) for it in node.args) or any(
            it.arg is None for it in node.keywords
        )
        names = list(_parameters(function.function))
        if function.owner is not None and "staticmethod" not in _decorators(function.function):
            names = names[1:]
        if spare or len(arguments) > len(names):
            return None
        bound: dict[str, Value] = dict(zip(names, arguments, strict=False))
        for keyword in node.keywords:
            if keyword.arg:
                bound[keyword.arg] = self.value(keyword.value, scope, given)
        for name, default in _defaults(function.function):
            bound.setdefault(name, self.value(default, function.scope))
        return self._returned(function, bound)

    def _function(self, node: ast.expr, scope: Scope, given: Environment) -> Binding | None:
        """Return the one function that `node` names."""
        bindings: tuple[Binding, ...] = ()
        if isinstance(node, ast.Name):
            bindings = self.bindings(node.id, scope)
        elif isinstance(node, ast.Attribute):
            base = self.value(node.value, scope, given)
            if isinstance(base, Instance):
                found = self.module.members(base.owner, base.chunk).get(node.attr, ())
                bindings = tuple(
                    Binding(it.scope, function=it.function, owner=base.owner) for it in found
                )
        if len(bindings) != 1 or bindings[0].function is None:
            return None
        return bindings[0] if _decorators(bindings[0].function) <= _TRANSPARENT else None

    def bindings(self, name: str, scope: Scope) -> tuple[Binding, ...]:
        """Return what `name` is given where `scope` sees it; nothing for a parameter."""
        at: Scope | None = scope
        while at is not None and at.function is not None:
            if name in _parameters(at.function):
                return ()
            if local := self.module.local(at).get(name):
                return local
            at = at.outer
        return self.module.bindings(name)

    def _returned(self, binding: Binding, given: Environment) -> Value:
        function = binding.function
        if function is None:
            return None
        key = ("call", id(function), tuple(sorted(given)), *map(repr, given.values()))
        if key in self._active:
            return Nothing()
        inside = Scope(binding.scope.chunk, binding.owner, function, _outer(binding.scope))
        nodes = list(own_nodes(function.body))
        if any(isinstance(it, ast.Yield | ast.YieldFrom) for it in nodes):
            return None
        self._active.add(key)
        values = [
            self.value(it.value, inside, given)
            for it in nodes
            if isinstance(it, ast.Return) and it.value is not None
        ]
        self._active.discard(key)
        return _only(values)

    def _getattr(self, node: ast.Call, scope: Scope, given: Environment) -> Value:
        if len(node.args) != 2:
            return None
        base, name = (self.value(it, scope, given) for it in node.args)
        if not isinstance(base, Library) or not isinstance(name, SourceText):
            return None
        span = document_span(name.runs, Span(0, len(name.text)))
        return KernelOf(base.number, Name(name.text, span)) if span else None

    def _compiled(
        self, node: ast.Call, scope: Scope, given: Environment, *, of_torch: bool
    ) -> Value:
        written = node.args[0] if node.args else None
        for keyword in node.keywords:
            written = keyword.value if keyword.arg == "source" else written
        source = self.value(written, scope, given)
        key = (id(node), repr(source))
        if key not in self._by_source:
            self._by_source[key] = len(self.libraries)
            self.libraries.append(Compiled(scope, node, source, of_torch=of_torch))
        return Library(self._by_source[key])

    def origin(self, node: ast.expr, scope: Scope) -> str:
        """Return the dotted name of `node`, with what was imported spelled out."""
        if isinstance(node, ast.Attribute):
            base = self.origin(node.value, scope)
            return f"{base}.{node.attr}" if base else f".{node.attr}"
        if not isinstance(node, ast.Name):
            return ""
        bindings = self.bindings(node.id, scope)
        if not bindings:
            return node.id
        if len({it.imported for it in bindings}) == 1 and bindings[0].imported:
            return bindings[0].imported
        first = bindings[0]
        if len(bindings) == 1 and isinstance(first.value, ast.Attribute) and not first.element:
            return self.origin(first.value, first.scope)
        return ""


_Reader = Callable[[Evaluation, ast.expr, Scope, Environment], Value]
_READERS: Final[Mapping[type[ast.expr], _Reader]] = {
    **dict.fromkeys((ast.Constant, ast.JoinedStr, ast.Dict, ast.IfExp), Evaluation.literal),
    **dict.fromkeys((ast.BinOp, ast.UnaryOp, ast.Subscript, ast.NamedExpr), Evaluation.computed),
    **dict.fromkeys((ast.Name, ast.Attribute, ast.Call), Evaluation.named),
}


def as_text(value: Value, span: Span) -> SourceText | None:
    """Return what `value` is in a format string, whose hole is at `span`."""
    if isinstance(value, Number):
        return written_as(str(value.value), span)
    return value if isinstance(value, SourceText) else None


def _only(values: list[Value]) -> Value:
    """Return the one value among `values`, `None` aside; nothing is known where one is not."""
    told = [it for it in values if not isinstance(it, Nothing)]
    if not told:
        return Nothing() if values else None
    first = told[0]
    return first if all(it is not None and it == first for it in told) else None


def _number(left: float, operator: ast.operator, right: float) -> Value:
    whole = isinstance(left, int) and isinstance(right, int)
    match operator:
        case ast.Add():
            return Number(left + right)
        case ast.Sub():
            return Number(left - right)
        case ast.Mult():
            return Number(left * right)
        case ast.FloorDiv() if right:
            return Number(left // right)
        case ast.Div() if right:
            return Number(left / right)
        case ast.Mod() if right:
            return Number(left % right)
        case ast.LShift() if whole and 0 <= right < 64:
            return Number(int(left) << int(right))
        case _:
            return None


def _is_compiler(function: ast.expr, origin: str) -> bool:
    """Whether `function` is torch's or our own `compile_shader`.

    `self.torch.mps.compile_shader` ends in what counts.
    """
    module, _, name = origin.rpartition(".")
    if name not in _COMPILERS:
        return False
    return module in ("torch.mps", "mkls", "mkls.shaders") or (
        isinstance(function, ast.Attribute) and module.endswith(".mps")
    )


def _outer(scope: Scope) -> Scope | None:
    return scope if scope.function is not None else None


def _self_name(scope: Scope) -> str:
    """Return what the method of `scope` calls its object or class."""
    function, owner = scope.function, scope.owner
    if function is None or owner is None or function not in owner.body:
        return ""
    if "staticmethod" in _decorators(function):
        return ""
    return function.args.args[0].arg if function.args.args else ""


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    arguments = function.args
    for it in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        yield it.arg
    for it in (arguments.vararg, arguments.kwarg):
        if it:
            yield it.arg


def _defaults(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
) -> Iterator[tuple[str, ast.expr]]:
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    given = arguments.defaults
    for parameter, default in zip(positional[len(positional) - len(given) :], given, strict=True):
        yield parameter.arg, default
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            yield parameter.arg, default


def _decorators(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    names: set[str] = set()
    for it in function.decorator_list:
        node = it.func if isinstance(it, ast.Call) else it
        names.add(node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "?"))
    return names


def _has_string(node: ast.expr) -> bool:
    """Whether there is a string in `node`, whose place would count from the hole."""
    return any(isinstance(it, ast.Constant) and isinstance(it.value, str) for it in ast.walk(node))
