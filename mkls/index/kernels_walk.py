"""One compilation of one Metal file: includes followed, conditions decided, macros expanded."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import msgspec

from mkls.facts.model.metal import (
    Functor,
    Include,
    Invocation,
    MetalDirective,
    MetalFacts,
    MetalKernel,
)
from mkls.index.kernels_conditions import Conditions
from mkls.index.kernels_includes import Includes, is_system_header
from mkls.index.kernels_memo import Memo, kernels_among
from mkls.index.kernels_program import Define, Direct, Event
from mkls.syntax.metal.expansion import Expander
from mkls.syntax.metal.macro import Macro, macro_of
from mkls.syntax.metal.token import tokens_of
from mkls.text.document import Uri
from mkls.text.span import Span

_PREDEFINED: Final = {
    "__METAL__": "1",
    "__METAL_MACOS__": "1",
    "__cplusplus": "201703L",
    "__clang__": "1",
    "__APPLE__": "1",
}
_VISITS: Final = 2_000
"""Files of one compilation: headers that include each other twice must not take forever."""


class Registered(NamedTuple):
    """A kernel met in a compilation; `invocation` is what made it, None when it stands there.

    `order` sorts by source order: the offsets of the includes that led to the file, its own, and
    its number within one invocation.
    """

    uri: Uri
    kernel: MetalKernel
    invocation: Invocation | None
    order: tuple[int, ...]


class Defined(NamedTuple):
    """A functor met in a compilation; `span` is its name or the invocation that makes it."""

    uri: Uri
    functor: Functor
    span: Span


class Missing(NamedTuple):
    """Something a compilation needs that is not at hand: a header, or a macro's definition."""

    uri: Uri
    name: str
    span: Span


class Walk:
    """Walks a file and what it includes, as a compiler for one language version would."""

    def __init__(
        self, documents: Mapping[Uri, MetalFacts], includes: Includes, memo: Memo, version: int
    ) -> None:
        """Walk `documents` with `__METAL_VERSION__` = `version` (310 means Metal 3.1)."""
        self.documents = documents
        self.includes = includes
        self.memo = memo
        self.macros = {name: macro_of(name, None, body) for name, body in _PREDEFINED.items()}
        self.macros["__METAL_VERSION__"] = macro_of("__METAL_VERSION__", None, str(version))
        if version >= 310:
            self.macros["__HAVE_BFLOAT__"] = macro_of("__HAVE_BFLOAT__", None, "1")
        self.registered: list[Registered] = []
        self.missing: list[Missing] = []
        self.functors: list[Defined] = []
        self.visited: dict[Uri, MetalFacts] = {}
        self.invoked: dict[str, Macro] = {}
        self._once: set[Uri] = set()
        self._open: set[Uri] = set()
        self._visits = 0
        self._trail: tuple[int, ...] = ()

    def visit(self, uri: Uri) -> None:
        """Walk the file at `uri`."""
        facts = self.documents.get(uri)
        if facts is None or uri in self._once or uri in self._open or self._visits >= _VISITS:
            return
        self._open.add(uri)
        self._visits += 1
        self.visited[uri] = facts
        self.functors += [Defined(uri, it, it.name.span) for it in facts.functors]
        conditions = Conditions(self.macros, lambda path: self.has_include(path, uri))
        for event in self.memo.programs(uri, facts):
            if isinstance(event, MetalDirective):
                self._directive(event, uri, conditions)
            elif conditions.live:
                self._event(event, uri)
        self._open.discard(uri)

    def has_include(self, path: str, uri: Uri) -> bool:
        """Whether a file at `uri` could include `path`."""
        return is_system_header(path) or self.includes.resolve(path, True, uri) is not None

    def _directive(self, event: MetalDirective, uri: Uri, conditions: Conditions) -> None:
        if conditions.take(event) or not conditions.live:
            return
        if event.kind == "undef":
            self.macros.pop(event.argument.split(" ")[0], None)
        elif event.kind == "pragma" and event.argument == "once":
            self._once.add(uri)

    def _event(self, event: Event, uri: Uri) -> None:
        if isinstance(event, Define):
            self.macros[event.macro.name] = event.macro
        elif isinstance(event, Include):
            self._include(event, uri)
        elif isinstance(event, Invocation):
            self.invocation(event, uri)
        elif isinstance(event, Direct):
            self._direct(event, uri)

    def _include(self, event: Include, uri: Uri) -> None:
        target = self.includes.resolve(event.path, event.quoted, uri)
        if target is not None:
            trail = self._trail
            self._trail = (*trail, event.span.start)
            self.visit(target)
            self._trail = trail
        elif not is_system_header(event.path):
            self.missing.append(Missing(uri, event.path, event.span))

    def invocation(self, event: Invocation, uri: Uri) -> None:
        """Expand `event` of the file at `uri`."""
        macro = self.macros.get(event.name.text)
        if macro is None:
            if event.arguments is not None:
                self.missing.append(Missing(uri, event.name.text, event.name.span))
            return
        expansion = self.memo.expansion(event.text, self.macros)
        if expansion.kernels:
            self.invoked[macro.name] = macro
        self._register(uri, expansion.kernels, event, event.span.start)
        self.functors += [Defined(uri, it, event.span) for it in expansion.functors]

    def _direct(self, event: Direct, uri: Uri) -> None:
        kernel = event.kernel
        if event.words.isdisjoint(self.macros):
            self._register(uri, (kernel,), None, kernel.span.start)
            return
        tokens = Expander(self.macros).expanded(tokens_of(kernel.signature, kernel.head.start))
        made = tuple(_merged(it, kernel) for it in kernels_among(tokens, kernel.head))
        self._register(uri, made, None, kernel.span.start)

    def _register(
        self, uri: Uri, kernels: Iterable[MetalKernel], invocation: Invocation | None, start: int
    ) -> None:
        for number, kernel in enumerate(kernels):
            order = (*self._trail, start, number)
            self.registered.append(Registered(uri, kernel, invocation, order))


def _merged(made: MetalKernel, written: MetalKernel) -> MetalKernel:
    """Return `made`, an expanded signature, with what only the text as written can tell."""
    arguments = made.arguments
    if arguments is not None and written.arguments is not None:
        access = {it.name.text: it.access for it in written.arguments}
        arguments = tuple(
            msgspec.structs.replace(it, access=access.get(it.name.text, it.access))
            for it in arguments
        )
    return msgspec.structs.replace(
        made, arguments=arguments, has_body=written.has_body, span=written.span
    )
