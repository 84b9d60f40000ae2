"""Mistakes in the parameters of kernels, which the host binds."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mkls.text.span import Span
from tests.mutation.text import bare, closing, line, parts
from tests.support.mutation import Kind, Site, Tree


class Parameter(NamedTuple):
    """A parameter of a kernel, as its definition or an explicit instantiation writes it."""

    path: str
    text: str
    kernel: str
    signature: Span
    span: Span
    defines: bool
    is_template: bool
    in_macro: bool


_KERNEL = re.compile(r"(?:\bkernel|\[\[kernel\]\])\s+void[\s\\]+(?:::\s*)?([\w:\s\\]*?\w+)\s*(<)?")


def parameters(tree: Tree) -> tuple[Parameter, ...]:
    """Return every parameter of every kernel in mps/kernels."""
    return tuple(
        parameter
        for path, text in tree.matching(r"/mps/kernels/.*\.(metal|h)$")
        for parameter in _parameters(path, text)
    )


def _parameters(path: str, text: str) -> Iterator[Parameter]:
    plain = bare(text)
    for found in _KERNEL.finditer(plain):
        end = closing(plain, found.end() - 1) + 1 if found[2] else found.end()
        opening = plain.find("(", end)
        if end == 0 or opening < 0 or plain[end:opening].strip(" \n\\"):
            continue
        close = closing(plain, opening)
        after = plain[close + 1 : close + 40].lstrip(" \n\\")
        before = plain[max(0, found.start() - 200) : found.start()].rstrip(" \n\\")
        is_template = bool(re.search(r"template <[^;{}]*>\s*(?:\[\[[^;{}]*\]\]\s*)?$", before))
        in_macro = plain[line(plain, found.start()).start : found.start()].count("#define") > 0 or (
            line(plain, found.start()).of(plain).rstrip().endswith("\\")
        )
        for span in parts(plain, opening):
            yield Parameter(
                path,
                text,
                found[1].rpartition("::")[2].strip(" \n\\"),
                Span(found.start(), close + 1),
                span,
                after.startswith("{"),
                is_template,
                in_macro,
            )


def space_changed(tree: Tree) -> Iterator[Site]:
    """A number, which the host sets as bytes, becomes a `device` reference: bytes are constant."""
    for it in tree.once(parameters):
        found = re.match(r"(constant) [\w:<> ,]+?\s*& ?\w+", it.span.of(it.text))
        if it.defines and found:
            span = Span(it.span.start, it.span.start + len("constant"))
            yield Site(it.path, span, ("device",), it.span, (it.kernel,))


def space_dropped(tree: Tree) -> Iterator[Site]:
    """A pointer parameter loses its address space."""
    for it in tree.once(parameters):
        found = re.match(r"(?:constant|device) (?=[\w:<>]+\s*\*)", it.span.of(it.text))
        if it.defines and found:
            span = Span(it.span.start, it.span.start + len(found[0]))
            yield Site(it.path, span, ("",), it.span, (it.kernel,))


def buffer_renumbered(tree: Tree) -> Iterator[Site]:
    """A parameter's buffer number is one that the host does not bind, or that another has."""
    for it in tree.once(parameters):
        found = re.search(r"\[\[buffer\((\d+)\)\]\]", it.span.of(it.text))
        if it.defines and found:
            span = Span(*found.span(1)).shifted(it.span.start)
            numbers = tuple(str(n) for n in (int(found[1]) + 1, int(found[1]) + 7) if n < 31)
            yield Site(it.path, span, numbers, it.span, (it.kernel,))


_OTHER_BUILTIN = {
    "thread_position_in_grid": "threadgroup_position_in_grid",
    "threadgroup_position_in_grid": "thread_position_in_grid",
    "thread_position_in_threadgroup": "thread_position_in_grid",
    "threads_per_threadgroup": "threads_per_grid",
}


def builtin_exchanged(tree: Tree) -> Iterator[Site]:
    """An explicit instantiation gives a parameter another attribute than the template has."""
    for it in tree.once(parameters):
        found = re.search(r"\[\[(\w+)\]\]", it.span.of(it.text))
        if not it.defines and found and found[1] in _OTHER_BUILTIN:
            span = Span(*found.span(1)).shifted(it.span.start)
            yield Site(it.path, span, (_OTHER_BUILTIN[found[1]],), it.span, (it.kernel,))


def instantiation_retyped(tree: Tree) -> Iterator[Site]:
    """An explicit instantiation gives a number another type than the template has."""
    other = {"uint": "int", "long": "uint", "uint2": "uint3", "uint4": "uint3", "float": "uint"}
    for it in tree.once(parameters):
        found = re.match(r"constant (\w+)\s*&", it.span.of(it.text))
        if not it.defines and found and found[1] in other:
            span = Span(*found.span(1)).shifted(it.span.start)
            yield Site(it.path, span, (other[found[1]],), it.span, (it.kernel,))


KINDS = (
    Kind("space-changed", "binding", space_changed),
    Kind("space-dropped", "binding", space_dropped),
    Kind("buffer-renumbered", "binding", buffer_renumbered),
    Kind("builtin-exchanged", "binding", builtin_exchanged),
    Kind("instantiation-retyped", "binding", instantiation_retyped),
)
