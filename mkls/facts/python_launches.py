"""Read one launch of a kernel: what it is given, and on how many threads."""

import ast
import re
from collections.abc import Sequence

from mkls.facts.model.name import Name
from mkls.facts.model.shader_calls import (
    ArgumentCast,
    ArgumentCasts,
    LaunchSize,
    ShaderLaunch,
)
from mkls.facts.python_arguments import Arguments
from mkls.facts.python_scopes import Scope
from mkls.facts.python_values import KernelOf
from mkls.text.span import Span

_AFTER_LAST = re.compile(r"(?:\s|#[^\n]*\n)*,?(?:\s|#[^\n]*\n)*\)\Z")


def launch_of(node: ast.Call, kernel: KernelOf, scope: Scope, arguments: Arguments) -> ShaderLaunch:
    """Return what the call `node` of `kernel` states."""
    keywords = {it.arg: it.value for it in node.keywords if it.arg}
    unknown = ["**"] if any(it.arg is None for it in node.keywords) else []
    starred = any(isinstance(it, ast.Starred) for it in node.args)
    group_nodes = _axes(keywords.get("group_size"), scope, arguments)
    thread_nodes = _axes(keywords.get("threads"), scope, arguments)
    sizes = {
        name: _size(keywords[name], nodes, scope, arguments)
        for name, nodes in (("threads", thread_nodes), ("group_size", group_nodes))
        if nodes is not None
    }
    casts = _casts(keywords.get("arg_casts"), scope)
    error = _index(keywords.get("error_buf_idx"))
    for name, value in keywords.items():
        known = name in sizes or (name == "arg_casts" and casts is not None)
        if not (known or _is_none(value) or (name == "error_buf_idx" and error is not None)):
            unknown.append(name)
    threads = sizes.get("threads")
    if threads and thread_nodes and group_nodes:
        divided = tuple(
            arguments.divides(axis, group, scope)
            for axis, group in zip(thread_nodes, group_nodes, strict=False)
        )
        threads = LaunchSize(threads.span, threads.axes, threads.spans, divided)
    return ShaderLaunch(
        library=kernel.library,
        kernel=kernel.name.text,
        function=scope.span(node.func),
        span=scope.span(node),
        arguments=None if starred else tuple(arguments.argument(it, scope) for it in node.args),
        threads=threads,
        group_size=sizes.get("group_size"),
        casts=casts,
        error_buffer=error,
        unknown=tuple(unknown),
        insertion=_insertion(node, scope),
    )


def _insertion(node: ast.Call, scope: Scope) -> int | None:
    """Return where a keyword can be added to the call `node`."""
    given = [*node.args, *(it.value for it in node.keywords)]
    if not given:
        return scope.span(node).end - 1
    at = max(scope.span(it).end for it in given)
    text = scope.chunk.part(at, scope.span(node).end)
    return at if _AFTER_LAST.match(text) else None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _index(node: ast.expr | None) -> int | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int) else None


def _axes(node: ast.expr | None, scope: Scope, arguments: Arguments) -> tuple[ast.expr, ...] | None:
    """Return the expressions of a size's axes, None where there is no size or it is not plain."""
    if node is None or _is_none(node):
        return None
    if isinstance(node, ast.List | ast.Tuple):
        return None if any(isinstance(it, ast.Starred) for it in node.elts) else tuple(node.elts)
    return (node,) if arguments.is_integer(node, scope) else None


def _size(
    node: ast.expr, axes: Sequence[ast.expr], scope: Scope, arguments: Arguments
) -> LaunchSize:
    return LaunchSize(
        span=scope.span(node),
        axes=tuple(arguments.whole_number(it, scope) for it in axes),
        spans=tuple(scope.span(it) for it in axes),
        divided=(),
    )


def _casts(node: ast.expr | None, scope: Scope) -> ArgumentCasts | None:
    if node is None or _is_none(node):
        return None
    span = scope.span(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        name = Name(node.value, Span(span.start + 1, span.end - 1))
        return ArgumentCasts(span, (ArgumentCast(None, name, span),), is_table=False)
    if not isinstance(node, ast.Dict):
        return None
    casts: list[ArgumentCast] = []
    for key, value in zip(node.keys, node.values, strict=True):
        if not (isinstance(key, ast.Constant) and isinstance(key.value, int)):
            return None
        if not (isinstance(value, ast.Constant) and isinstance(value.value, str)):
            return None
        quoted = scope.span(value)
        name = Name(value.value, Span(quoted.start + 1, quoted.end - 1))
        casts.append(ArgumentCast(key.value, name, scope.span(key)))
    return ArgumentCasts(span, tuple(casts), is_table=True)
