"""One compilation of one Metal file: includes followed, conditions decided, macros expanded."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import msgspec

from mkls.facts.metal_declarations import functors_among
from mkls.facts.metal_kernels import kernel_from
from mkls.facts.model.metal import (
    Functor,
    Include,
    Invocation,
    MetalDirective,
    MetalFacts,
    MetalKernel,
)
from mkls.index.kernels_includes import Includes, is_system_header
from mkls.index.kernels_program import Define, Direct, Event
from mkls.syntax.metal.condition import condition_value
from mkls.syntax.metal.declaration import declarator_of, heads_of
from mkls.syntax.metal.expansion import Expander
from mkls.syntax.metal.macro import Macro, macro_of
from mkls.syntax.metal.token import Token, placeless_tokens_of, tokens_of
from mkls.text.document import Uri
from mkls.text.span import Span

_PREDEFINED: Final = {
    "__METAL__": "1",
    "__METAL_MACOS__": "1",
    "__cplusplus": "201703L",
    "__clang__": "1",
    "__APPLE__": "1",
}
_LOUD: Final = ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef")
_DEPTH: Final = 64
_KEPT: Final = 20_000
_NOWHERE: Final = Span(0, 0)


class Expanded(NamedTuple):
    """What an invocation expands to, and the macros this holds for.

    It holds in any table that has exactly `used` and none of `unused`.
    """

    used: tuple[Macro, ...]
    unused: frozenset[str]
    kernels: tuple[MetalKernel, ...]
    functors: tuple[Functor, ...]

    def holds(self, macros: Mapping[str, Macro]) -> bool:
        """Whether expanding by `macros` would give the same."""
        return self.unused.isdisjoint(macros) and all(
            macros.get(macro.name) is macro for macro in self.used
        )


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


class Memo:
    """Expansions by text, programs by facts: what a change elsewhere leaves as it was."""

    def __init__(self, programs: Callable[[Uri, MetalFacts], tuple[Event, ...]]) -> None:
        """Take the events of a file from `programs`."""
        self.programs = programs
        self._expansions: dict[str, list[Expanded]] = {}

    def expansion(self, text: str, macros: Mapping[str, Macro]) -> Expanded:
        """Return the kernels that `text`, an invocation, expands to."""
        if len(self._expansions) > _KEPT:
            self._expansions.clear()
        known = self._expansions.setdefault(text, [])
        for expanded in known:
            if expanded.holds(macros):
                return expanded
        made = expand(text, macros)
        known.append(made)
        return made


def expand(text: str, macros: Mapping[str, Macro]) -> Expanded:
    """Return what `text`, an invocation, expands to by `macros`."""
    expander = Expander(macros)
    tokens = expander.expanded(placeless_tokens_of(text))
    used = tuple(dict.fromkeys(macros[name] for name in expander.consulted if name in macros))
    unused = frozenset(expander.consulted.difference(macros))
    kernels = tuple(kernels_among(tokens, _NOWHERE))
    defines = any(token.text == "operator" for token in tokens)
    return Expanded(used, unused, kernels, tuple(functors_among(tokens)) if defines else ())


def kernels_among(tokens: list[Token], place: Span) -> Iterator[MetalKernel]:
    """Yield the kernels that `tokens` declare, as if they stood at `place`."""
    for head, has_body in heads_of(tokens):
        if not any(token.text == "kernel" for token in head):
            continue
        declarator = declarator_of(head)
        if declarator is not None and declarator.is_kernel:
            yield kernel_from(declarator, "", place, place, has_body=has_body)


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
        self._trail: tuple[int, ...] = ()

    def visit(self, uri: Uri) -> None:
        """Walk the file at `uri`."""
        facts = self.documents.get(uri)
        if facts is None or uri in self._once or len(self._trail) > _DEPTH:
            return
        self.visited[uri] = facts
        self.functors += [Defined(uri, it, it.name.span) for it in facts.functors]
        conditions = _Conditions(self, uri)
        for event in self.memo.programs(uri, facts):
            if isinstance(event, MetalDirective):
                self._directive(event, uri, conditions)
            elif conditions.live:
                self._event(event, uri)

    def has_include(self, path: str, uri: Uri) -> bool:
        """Whether a file at `uri` could include `path`."""
        return is_system_header(path) or self.includes.resolve(path, True, uri) is not None

    def _directive(self, event: MetalDirective, uri: Uri, conditions: "_Conditions") -> None:
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


class _Conditions:
    """The conditional groups that are open in one file."""

    def __init__(self, walk: Walk, uri: Uri) -> None:
        self.walk = walk
        self.uri = uri
        self.live = True
        self._groups: list[tuple[bool, bool]] = []

    def take(self, directive: MetalDirective) -> bool:
        """Follow `directive` when it is a conditional one; return whether it is."""
        kind = directive.kind
        if kind in ("if", "ifdef", "ifndef"):
            outer = self.live
            self.live = outer and self._holds(kind, directive.argument)
            self._groups.append((outer, self.live))
        elif kind == "endif":
            self.live = self._groups.pop()[0] if self._groups else True
        elif kind in _LOUD or kind == "else":
            if self._groups:
                self._alternative(kind, directive.argument)
        else:
            return False
        return True

    def _alternative(self, kind: str, argument: str) -> None:
        outer, taken = self._groups[-1]
        self.live = outer and not taken and (kind == "else" or self._holds(kind, argument))
        self._groups[-1] = (outer, taken or self.live)

    def _holds(self, kind: str, argument: str) -> bool:
        macros = self.walk.macros
        if kind.endswith("def"):
            name = argument.split(" ", maxsplit=1)[0]
            return (name in macros) != (kind in ("ifndef", "elifndef"))
        return bool(condition_value(argument, macros, self._has_include))

    def _has_include(self, path: str) -> bool:
        return self.walk.has_include(path, self.uri)
