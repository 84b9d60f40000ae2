"""What the names of a Python file are bound to: in the module, in functions, in classes."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from mkls.syntax.python.chunks import Chunk
from mkls.text.span import Span

Function = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_INNER = (*_FUNCTIONS, ast.ClassDef)


class Scope(NamedTuple):
    """Where an expression stands: in `function`, a method of `owner`, of the statement `chunk`."""

    chunk: Chunk
    owner: ast.ClassDef | None = None
    function: Function | None = None
    outer: "Scope | None" = None

    def span(self, node: ast.expr) -> Span:
        """Return the place of `node`."""
        return self.chunk.places.span(node)


class Binding(NamedTuple):
    """What a name is given: an expression, a function, a class, or an import's dotted name.

    With nothing of that, it is something that cannot be told. `element` is that part of the
    expression which the name is given, as in `rows, columns = x.shape`.
    """

    scope: Scope
    value: ast.expr | None = None
    function: Function | None = None
    owner: ast.ClassDef | None = None
    imported: str = ""
    element: bool = False


class Module:
    """The names of one file; statements are parsed when somebody asks for what is in them."""

    def __init__(self, chunks: list[Chunk]) -> None:
        """Look at `chunks`."""
        self.chunks = chunks
        self._known: dict[str, tuple[Binding, ...]] = {}
        self._local: dict[int, Mapping[str, tuple[Binding, ...]]] = {}
        self._members: dict[int, Mapping[str, tuple[Binding, ...]]] = {}

    def bindings(self, name: str) -> tuple[Binding, ...]:
        """Return all that `name` is given at the top level, or in functions that say `global`."""
        if name not in self._known:
            self._known[name] = tuple(self._bindings(name))
        return self._known[name]

    def _bindings(self, name: str) -> Iterator[Binding]:
        for chunk in self.chunks:
            if chunk.name == name or (not chunk.name and name in chunk.text):
                yield from _of_name(name, bound(chunk.statements, Scope(chunk)))
            if name in chunk.globals:
                yield from self._through_global(name, chunk)

    def _through_global(self, name: str, chunk: Chunk) -> Iterator[Binding]:
        for scope in functions_of(chunk):
            function = scope.function
            if function and any(
                isinstance(it, ast.Global) and name in it.names for it in own_nodes(function.body)
            ):
                yield from _of_name(name, bound(function.body, scope))

    def members(self, owner: ast.ClassDef, chunk: Chunk) -> Mapping[str, tuple[Binding, ...]]:
        """Return what the attributes of a class, and of its instances, are given in the class."""
        if id(owner) not in self._members:
            self._members[id(owner)] = _grouped(_members(owner, chunk))
        return self._members[id(owner)]

    def local(self, scope: Scope) -> Mapping[str, tuple[Binding, ...]]:
        """Return what the function of `scope` binds; parameters and globals are not among it."""
        function = scope.function
        if function is None:
            return {}
        if id(function) not in self._local:
            found = _grouped(bound(function.body, scope))
            for it in own_nodes(function.body) if scope.chunk.globals else ():
                for name in it.names if isinstance(it, ast.Global) else ():
                    found.pop(name, None)
            self._local[id(function)] = found
        return self._local[id(function)]


def _grouped(bound_names: Iterable[tuple[str, Binding]]) -> dict[str, tuple[Binding, ...]]:
    found: dict[str, list[Binding]] = {}
    for name, binding in bound_names:
        found.setdefault(name, []).append(binding)
    return {name: tuple(group) for name, group in found.items()}


def _of_name(name: str, bound_names: Iterable[tuple[str, Binding]]) -> Iterator[Binding]:
    return (binding for own, binding in bound_names if own == name)


def functions_of(chunk: Chunk) -> Iterator[Scope]:
    """Yield the scope of every function of `chunk`, methods and inner ones included."""
    yield from _functions(chunk.statements, Scope(chunk))


def _functions(nodes: Iterable[ast.stmt], outer: Scope) -> Iterator[Scope]:
    for node in own_nodes(nodes):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            owner = outer.owner
            scope = Scope(outer.chunk, owner, node, outer if outer.function else None)
            yield scope
            yield from _functions(node.body, scope)
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, Scope(outer.chunk, node, None, None))


def own_nodes(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield `nodes` and all within them, but for what stands in functions and classes.

    Those are yielded themselves.
    """
    waiting = list(nodes)[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _INNER):
            waiting += list(ast.iter_child_nodes(node))[::-1]


def bound(nodes: Iterable[ast.stmt], scope: Scope) -> Iterator[tuple[str, Binding]]:
    """Yield each name that `nodes` bind, with what it is given."""
    for node in own_nodes(nodes):
        yield from _bound(node, scope)


def _bound(node: ast.AST, scope: Scope) -> Iterator[tuple[str, Binding]]:
    match node:
        case ast.Assign():
            for target in node.targets:
                yield from _assigned(target, node.value, scope)
        case ast.AnnAssign(value=ast.expr() as value):
            yield from _assigned(node.target, value, scope)
        case ast.NamedExpr():
            yield from _assigned(node.target, node.value, scope)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield node.name, Binding(scope, function=node)
        case ast.ClassDef():
            yield node.name, Binding(scope, owner=node)
        case ast.Import() | ast.ImportFrom():
            yield from _imported(node, scope)
        case _:
            yield from _given_otherwise(node, scope)


def _given_otherwise(node: ast.AST, scope: Scope) -> Iterator[tuple[str, Binding]]:
    match node:
        case ast.AugAssign() | ast.For() | ast.AsyncFor():
            yield from _unknown(node.target, scope)
        case ast.withitem(optional_vars=ast.expr() as target):
            yield from _assigned(target, node.context_expr, scope)
        case ast.ExceptHandler(name=str(name)):
            yield name, Binding(scope)
        case ast.Delete():
            for target in node.targets:
                yield from _unknown(target, scope)
        case _:
            pass


def _imported(node: ast.Import | ast.ImportFrom, scope: Scope) -> Iterator[tuple[str, Binding]]:
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield (
                alias.asname or alias.name,
                Binding(scope, imported=f"{'.' * node.level}{node.module or ''}.{alias.name}"),
            )
        elif alias.asname:
            yield alias.asname, Binding(scope, imported=alias.name)
        else:
            top = alias.name.partition(".")[0]
            yield top, Binding(scope, imported=top)


def _assigned(target: ast.expr, value: ast.expr, scope: Scope) -> Iterator[tuple[str, Binding]]:
    if isinstance(target, ast.Name):
        yield target.id, Binding(scope, value)
    elif isinstance(target, ast.Tuple | ast.List):
        parts = target.elts
        given = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        if len(given) == len(parts):
            for part, own in zip(parts, given, strict=True):
                yield from _assigned(part, own, scope)
            return
        for part in parts:
            if isinstance(part, ast.Name):
                yield part.id, Binding(scope, value, element=True)
            else:
                yield from _unknown(part, scope)


def _unknown(target: ast.expr, scope: Scope) -> Iterator[tuple[str, Binding]]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id, Binding(scope)


def _members(owner: ast.ClassDef, chunk: Chunk) -> Iterator[tuple[str, Binding]]:
    """Yield what the attributes of a class and of its instances are given in the class."""
    yield from bound(owner.body, Scope(chunk, owner))
    for method in owner.body:
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) and method.args.args:
            yield from _through_self(method, Scope(chunk, owner, method))


def _through_self(method: Function, scope: Scope) -> Iterator[tuple[str, Binding]]:
    own = method.args.args[0].arg
    for node in own_nodes(method.body):
        targets: list[ast.expr] = []
        value: ast.expr | None = None
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign | ast.AugAssign):
            targets, value = [node.target], node.value
        for target in targets:
            if (
                value is not None
                and isinstance(target, ast.Attribute)
                and isinstance(target.value, ast.Name)
                and target.value.id == own
            ):
                plain = not isinstance(node, ast.AugAssign)
                yield target.attr, Binding(scope, value if plain else None)


_GUARD = re.compile(r"assertRaises|raises\Z")


def expects_failure(node: ast.AST) -> bool:
    """Whether what is within `node` is meant to fail: `pytest.raises`, `assertRaises`."""
    if isinstance(node, ast.With | ast.AsyncWith):
        return any(expects_failure(it.context_expr) for it in node.items)
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return bool(_GUARD.match(name))
