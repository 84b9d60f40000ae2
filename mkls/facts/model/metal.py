"""What one Metal document states."""

import msgspec

from mkls.facts.model.metal_bodies import MetalBodies
from mkls.facts.model.name import Name
from mkls.syntax.problem import Problem
from mkls.text.span import Span


class Include(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`#include "path"` or `#include <path>`; `span` is the path's."""

    path: str
    quoted: bool
    span: Span


class MacroDefinition(msgspec.Struct, frozen=True, array_like=True):
    """`#define name(parameters) body`.

    `parameters` is None for an object-like macro; a variadic one ends in `...`. `body` is the
    replacement as written, continuations included, and starts at `body_span`.
    """

    name: Name
    parameters: tuple[str, ...] | None
    body: str
    body_span: Span
    span: Span


class MetalDirective(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A preprocessing directive, `#define` and `#include` too; `argument` has no comments."""

    kind: str
    argument: str
    span: Span


class Region(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The lines between two directives of one `#if … #endif`, and on what they depend."""

    directive: str
    condition: str
    span: Span


class Invocation(msgspec.Struct, frozen=True, array_like=True):
    """What may be a macro's invocation at namespace level.

    `arguments` are the parts between top-level commas, None without parentheses. `text` is the
    whole as written, without the semicolon that may end it.
    """

    name: Name
    arguments: tuple[Name, ...] | None
    text: str
    span: Span


class KernelArgument(msgspec.Struct, frozen=True):
    """One parameter of a kernel.

    `type` is spelled as C++ without the name (`device float *`); `space` is its address space or
    empty; `indirection` is `*`, `&` or empty. `kind` is buffer, threadgroup, texture, sampler,
    stage, builtin, function_constant or none (an explicit instantiation need not repeat
    attributes). `index` is the explicit number or the one the compiler gives: unnumbered
    arguments take the lowest free numbers of their kind in order (MSL 4, section 5.2.1).
    `attribute` is the attribute as written. `access` is read, write or read_write, for buffers.
    """

    name: Name
    type: str
    space: str
    is_const: bool
    indirection: str
    kind: str
    index: int | None
    explicit: bool
    attribute: str
    access: str
    span: Span
    optional: bool = False
    """Whether a function constant decides that it is there at all."""


class MetalKernel(msgspec.Struct, frozen=True):
    """A kernel function that the document writes down: template, definition or instantiation.

    `template` holds a template's parameters as written, None where there is no template and empty
    for `template <>`. `explicit` marks an explicit instantiation, whose template arguments are
    `template_arguments`. `host_name` is what the attribute's literals hold together; its span
    covers their contents. `signature` is the text before the body or the semicolon, at `head`.
    """

    name: Name
    qualified: str
    template: tuple[str, ...] | None
    template_arguments: tuple[str, ...] | None
    explicit: bool
    host_name: Name | None
    arguments: tuple[KernelArgument, ...] | None
    has_body: bool
    attributes: tuple[str, ...]
    signature: str
    head: Span
    span: Span
    cooperates: bool = False
    """Whether its threads share memory, wait for one another or exchange values."""

    @property
    def is_template(self) -> bool:
        """Whether it is a primary template, which registers nothing on its own."""
        return bool(self.template)


class FunctorCall(msgspec.Struct, frozen=True, array_like=True):
    """One `operator()`: `condition` is what its `enable_if` demands, empty without one."""

    template: tuple[str, ...]
    parameters: tuple[str, ...]
    returns: str
    condition: str
    span: Span


class Functor(msgspec.Struct, frozen=True, array_like=True):
    """A struct that can be called, and its overloads."""

    name: Name
    calls: tuple[FunctorCall, ...]
    span: Span


class MetalDeclaration(msgspec.Struct, frozen=True, array_like=True):
    """A struct, function, alias or constant at namespace level.

    `kind` is struct, enum, function, alias or constant. `scope` is the enclosing namespace.
    `function_constant` is what `[[function_constant(…)]]` holds, empty for anything else.
    """

    kind: str
    name: Name
    scope: str
    template: tuple[str, ...] | None
    function_constant: str
    span: Span


class MetalFacts(msgspec.Struct, frozen=True):
    """What one Metal document states, each kind in source order."""

    includes: tuple[Include, ...] = ()
    macros: tuple[MacroDefinition, ...] = ()
    directives: tuple[MetalDirective, ...] = ()
    regions: tuple[Region, ...] = ()
    invocations: tuple[Invocation, ...] = ()
    kernels: tuple[MetalKernel, ...] = ()
    functors: tuple[Functor, ...] = ()
    declarations: tuple[MetalDeclaration, ...] = ()
    problems: tuple[Problem, ...] = ()
    bodies: MetalBodies = MetalBodies()
