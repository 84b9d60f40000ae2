"""Read what a Python file does with `compile_shader`: libraries, kernels asked for, launches."""

import ast
import re
from collections.abc import Iterable, Iterator

from mkls.facts.model.shader_calls import (
    KernelReference,
    PythonLibrary,
    PythonShader,
    ShaderCalls,
    ShaderFile,
    ShaderLaunch,
)
from mkls.facts.python_arguments import Arguments
from mkls.facts.python_evaluation import Compiled, Evaluation
from mkls.facts.python_launches import launch_of
from mkls.facts.python_scopes import Module, Scope, expects_failure
from mkls.facts.python_values import FileText, KernelOf
from mkls.syntax.python.chunks import Chunk, chunks_of
from mkls.text.source_text import SourceText

_CHANGES_DEFAULT = ("set_default_dtype", "set_default_tensor_type")
_MOST = 4000
"""So many places are looked at in one file."""


def shader_calls(text: str) -> ShaderCalls:
    """Return what `text` does with Metal shaders."""
    if "compile_shader" not in text:
        return ShaderCalls()
    module = Module(chunks_of(text))
    evaluation = Evaluation(module, text)
    default = "" if any(it in text for it in _CHANGES_DEFAULT) else "float32"
    reader = _Reader(evaluation, Arguments(evaluation, default_dtype=default))
    for chunk in _relevant(module.chunks):
        reader.read(chunk)
    return ShaderCalls(
        libraries=tuple(map(_library, evaluation.libraries)),
        references=tuple(reader.references),
        launches=tuple(reader.launches),
    )


def _relevant(chunks: list[Chunk]) -> list[Chunk]:
    """Return the statements that can have to do with shaders.

    They say `compile_shader`, or the name of something that such a statement defines.
    """
    found: dict[int, Chunk] = {}
    waiting = [it for it in chunks if "compile_shader" in it.text]
    known: set[str] = set()
    while waiting:
        chunk = waiting.pop()
        if chunk.start in found:
            continue
        found[chunk.start] = chunk
        for name in _defined(chunk) - known:
            known.add(name)
            word = re.compile(rf"\b{re.escape(name)}\b")
            waiting += [it for it in chunks if name in it.text and word.search(it.text)]
    return [found[start] for start in sorted(found)]


def _defined(chunk: Chunk) -> frozenset[str]:
    """Return the names by which other statements can come to what `chunk` holds."""
    return chunk.globals.union((chunk.name,) if chunk.name else _assigned(chunk.statements))


def _assigned(nodes: Iterable[ast.stmt]) -> Iterator[str]:
    for statement in nodes:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield node.name
            elif isinstance(node, ast.Import | ast.ImportFrom):
                yield from (it.asname for it in node.names if it.asname)


class _Reader:
    """Walks through statements, and gathers references and launches."""

    def __init__(self, evaluation: Evaluation, arguments: Arguments) -> None:
        self.references: list[KernelReference] = []
        self.launches: list[ShaderLaunch] = []
        self._evaluation = evaluation
        self._arguments = arguments
        self._seen = 0

    def read(self, chunk: Chunk) -> None:
        self._all(chunk.statements, Scope(chunk))

    def _all(self, nodes: Iterable[ast.AST], scope: Scope) -> None:
        for node in nodes:
            self._node(node, scope)

    def _node(self, node: ast.AST, scope: Scope) -> None:
        if expects_failure(node):
            return
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            outer = scope if scope.function else None
            self._all(node.decorator_list, scope)
            self._all(node.body, Scope(scope.chunk, scope.owner, node, outer))
            return
        if isinstance(node, ast.ClassDef):
            self._all(node.body, Scope(scope.chunk, node))
            return
        if isinstance(node, ast.Try) and _probes(node):
            self._all((*node.orelse, *node.finalbody), scope)
            return
        self._expression(node, scope)
        self._all(ast.iter_child_nodes(node), scope)

    def _expression(self, node: ast.AST, scope: Scope) -> None:
        if not isinstance(node, ast.Attribute | ast.Call) or self._seen > _MOST:
            return
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            return
        self._seen += 1
        value = self._evaluation.value(node, scope)
        # `self.kernel` is a kernel, too; it is named where that comes from.
        if isinstance(value, KernelOf) and scope.span(node).covers(value.name.span):
            self.references.append(KernelReference(value.library, value.name))
        if isinstance(node, ast.Call):
            kernel = self._evaluation.value(node.func, scope)
            if isinstance(kernel, KernelOf):
                self.launches.append(launch_of(node, kernel, scope, self._arguments))


def _probes(node: ast.Try) -> bool:
    """Whether `node` only asks whether a kernel is there."""
    only = node.body[0] if node.handlers and len(node.body) == 1 else None
    return isinstance(only, ast.Expr) and isinstance(only.value, ast.Attribute)


def _library(it: Compiled) -> PythonLibrary:
    shader = file = None
    if isinstance(it.source, SourceText):
        shader = PythonShader(*it.source)
    elif isinstance(it.source, FileText):
        file = ShaderFile(it.source.path.path, it.source.path.beside)
    return PythonLibrary(it.span, shader, file, it.of_torch)
