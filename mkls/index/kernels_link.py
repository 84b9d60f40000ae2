"""Kernels as the host sees them: a host name, a function, arguments with their numbers."""

import re
from collections.abc import Iterable
from operator import is_
from typing import Final, NamedTuple

import msgspec

from mkls.facts.model.metal import Invocation, KernelArgument, MetalKernel
from mkls.index.kernels_walk import Registered
from mkls.index.place import Place
from mkls.syntax.metal.parameter import rendered
from mkls.syntax.metal.token import tokens_of
from mkls.text.document import Uri
from mkls.text.span import Span


class Kernel(msgspec.Struct, frozen=True):
    """A kernel that the host can ask for by `host_name`.

    `uri` and `span` are what registers it: what the literals of `host_name` hold, the function's
    name where it has no host name, or the macro invocation; in that case `name_span` is the
    argument that begins the host name, `macro` the macro and `macro_arguments` its arguments.
    `unit` is the source whose compilation makes the kernel. `primary` is the function's name in
    the template that it instantiates (or in its own definition). `versions` are the values of
    `__METAL_VERSION__` for which it exists.
    """

    host_name: str
    function: str
    uri: Uri
    span: Span
    unit: Uri
    name_span: Span | None
    macro: str
    macro_arguments: tuple[str, ...]
    template_arguments: tuple[str, ...]
    primary: Place | None
    arguments: tuple[KernelArgument, ...]
    versions: tuple[int, ...]


_PARAMETER: Final = re.compile(
    r"(?:\(\s*\*\s*([^\W\d]\w*)\s*\).*?|([^\W\d]\w*)\s*)(?:=\s*(.*))?\Z", re.DOTALL
)
_KEPT: Final = 50_000
_WORD: Final = re.compile(r"[^\W\d]\w*")


class Link(NamedTuple):
    """The template of a kernel among some candidates, and the arguments this gives it."""

    kernel: MetalKernel
    candidates: list[MetalKernel]
    chosen: int
    arguments: tuple[KernelArgument, ...]

    def holds(self, kernel: MetalKernel, candidates: list[Registered]) -> bool:
        """Whether linking `kernel` among `candidates` would give the same."""
        return (
            self.kernel is kernel
            and len(candidates) == len(self.candidates)
            and all(map(is_, self.candidates, [it.kernel for it in candidates]))
        )


class Links:
    """Links by the identity of their kernels, which they keep alive."""

    def __init__(self) -> None:
        """Start empty."""
        self._links: dict[int, Link] = {}

    def link(self, kernel: MetalKernel, candidates: list[Registered]) -> Link:
        """Return the link of `kernel` among `candidates`, made anew only when they changed."""
        link = self._links.get(id(kernel))
        if link is None or not link.holds(kernel, candidates):
            if len(self._links) > _KEPT:
                self._links.clear()
            link = _link(kernel, [it.kernel for it in candidates])
            self._links[id(kernel)] = link
        return link


class Linker:
    """Links registrations to the templates of one compilation."""

    def __init__(self, registered: Iterable[Registered], unit: Uri, links: Links) -> None:
        """Find templates and plain definitions among `registered`; `links` are known ones."""
        self.unit = unit
        self._links = links
        self._primaries: dict[str, list[Registered]] = {}
        for it in registered:
            if not it.kernel.explicit:
                self._primaries.setdefault(it.kernel.name.text, []).append(it)

    def kernel(self, it: Registered, versions: tuple[int, ...]) -> Kernel | None:
        """Return the kernel that `it` makes available, None when it makes none (a template)."""
        kernel = it.kernel
        host_name = _host_name(kernel)
        if host_name is None:
            return None
        primary, arguments = self._linked(it)
        return Kernel(
            host_name=host_name,
            function=kernel.name.text,
            uri=it.uri,
            span=_span(it),
            unit=self.unit,
            name_span=_name_span(host_name, it.invocation) if it.invocation else None,
            macro=it.invocation.name.text if it.invocation else "",
            macro_arguments=_macro_arguments(it.invocation),
            template_arguments=kernel.template_arguments or (),
            primary=_place(primary) if primary else None,
            arguments=arguments,
            versions=versions,
        )

    def _linked(self, it: Registered) -> tuple[Registered | None, tuple[KernelArgument, ...]]:
        kernel = it.kernel
        if not kernel.explicit and kernel.template is None:
            return it, kernel.arguments or ()
        candidates = self._primaries.get(kernel.name.text, [])
        link = self._links.link(kernel, candidates)
        return candidates[link.chosen] if link.chosen >= 0 else None, link.arguments


def _link(kernel: MetalKernel, candidates: list[MetalKernel]) -> Link:
    ranked = [(_likeness(kernel, it), -index) for index, it in enumerate(candidates)]
    best = max(ranked, default=(-1, 0))
    chosen = -best[1] if best[0] >= 0 else -1
    primary = candidates[chosen] if chosen >= 0 else None
    return Link(kernel, candidates, chosen, _arguments(kernel, primary))


def _host_name(kernel: MetalKernel) -> str | None:
    if kernel.host_name is not None:
        return kernel.host_name.text if kernel.explicit or not kernel.template else None
    named = any(it.startswith("host_name") for it in kernel.attributes)
    plain = not kernel.explicit and kernel.template is None and kernel.has_body
    return kernel.name.text if plain and not named else None


def _span(it: Registered) -> Span:
    if it.invocation is not None:
        return it.invocation.span
    return it.kernel.host_name.span if it.kernel.host_name else it.kernel.name.span


def _place(it: Registered) -> Place:
    span = it.invocation.span if it.invocation else it.kernel.name.span
    return Place(it.uri, span)


def _macro_arguments(invocation: Invocation | None) -> tuple[str, ...]:
    return tuple(it.text for it in invocation.arguments or ()) if invocation else ()


def _name_span(host_name: str, invocation: Invocation) -> Span | None:
    """Return the argument of `invocation` with which `host_name` begins."""
    for argument in invocation.arguments or ():
        rest = host_name.removeprefix(argument.text)
        whole = rest == "" or not rest[0].isalpha()
        if argument.text and rest != host_name and whole:
            return argument.span
    return None


def _likeness(kernel: MetalKernel, primary: MetalKernel) -> int:
    """Return how well `primary` fits as the template of `kernel`, negative when it cannot be."""
    if kernel.arguments is None:
        return int(primary.has_body)
    given = primary.arguments or ()
    if len(given) != len(kernel.arguments):
        return -1
    bindings = _bindings(kernel, primary)
    same = sum(
        _substituted(theirs.type, bindings) == ours.type
        for theirs, ours in zip(given, kernel.arguments, strict=True)
    )
    return 2 * same + int(primary.has_body)


def _bindings(kernel: MetalKernel, primary: MetalKernel) -> dict[str, str]:
    """Return what the template parameters of `primary` stand for in `kernel`."""
    values = kernel.template_arguments or ()
    bound: dict[str, str] = {}
    for index, parameter in enumerate(primary.template or ()):
        match = _PARAMETER.search(parameter)
        if match is None:
            continue
        value = values[index] if index < len(values) else match[3]
        if value is not None:
            bound[match[1] or match[2]] = value
    return bound


def _substituted(type_: str, bindings: dict[str, str]) -> str:
    if not bindings or bindings.keys().isdisjoint(_WORD.findall(type_)):
        return type_
    bound = _WORD.sub(lambda word: bindings.get(word[0], word[0]), type_)
    return rendered([token.text for token in tokens_of(bound)])


def _arguments(kernel: MetalKernel, primary: MetalKernel | None) -> tuple[KernelArgument, ...]:
    """Return the arguments: types as instantiated, all else as the template says it."""
    if primary is None or primary is kernel:
        return kernel.arguments or ()
    bindings = _bindings(kernel, primary)
    given = primary.arguments or ()
    spelled = kernel.arguments
    types = [it.type for it in spelled] if spelled and len(spelled) == len(given) else None
    return tuple(
        msgspec.structs.replace(it, type=types[index] if types else _substituted(it.type, bindings))
        for index, it in enumerate(given)
    )
