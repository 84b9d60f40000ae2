"""Kernels as the host sees them: a host name, a function, arguments with their numbers."""

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Final

import msgspec

from mkls.facts.model.metal import Invocation, KernelArgument, MetalKernel
from mkls.index.kernels_walk import Registered
from mkls.index.place import Place
from mkls.syntax.metal.parameter import rendered
from mkls.syntax.metal.token import tokens_of
from mkls.text.document import Uri
from mkls.text.span import Span


class Kernel(msgspec.Struct, frozen=True, dict=True, eq=False):
    """A kernel that the host can ask for by `host_name`.

    `uri` and `span` are what registers it: what the literals of `host_name` hold, the function's
    name where it has no host name, or the macro invocation; in that case `name_span` is the
    argument that begins the host name, `macro` the macro and `macro_arguments` its arguments.
    `unit` is the source whose compilation makes the kernel. `versions` are the values of
    `__METAL_VERSION__` for which it exists. Of most kernels nobody asks for more: the template
    and the arguments are found when they are asked for.
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
    versions: tuple[int, ...]
    registered: Registered
    linker: "Linker"

    @cached_property
    def _primary(self) -> Registered | None:
        return self.linker.primary(self.registered)

    @cached_property
    def primary(self) -> Place | None:
        """The function's name in the template that this instantiates, or in its definition."""
        return _place(self._primary) if self._primary else None

    @property
    def cooperates(self) -> bool:
        """Whether its threads share memory, wait for one another or exchange values."""
        return self._primary is not None and self._primary.kernel.cooperates

    @cached_property
    def arguments(self) -> tuple[KernelArgument, ...]:
        """The arguments: types as instantiated, all else as the template has it."""
        primary = self._primary
        return _arguments(self.registered.kernel, primary.kernel if primary else None)


_PARAMETER: Final = re.compile(
    r"(?:\(\s*\*\s*([^\W\d]\w*)\s*\).*?|([^\W\d]\w*)\s*)(?:=\s*(.*))?\Z", re.DOTALL
)
_WORD: Final = re.compile(r"[^\W\d]\w*")


class Linker:
    """Links registrations to the templates of one compilation."""

    def __init__(self, registered: Iterable[Registered], unit: Uri) -> None:
        """Find templates and plain definitions among `registered`."""
        self.unit = unit
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
            versions=versions,
            registered=it,
            linker=self,
        )

    def templates(self, function: str) -> list[Registered]:
        """Return the templates named `function`, those without a body last."""
        found = [it for it in self._primaries.get(function, ()) if it.kernel.is_template]
        return sorted(found, key=lambda it: not it.kernel.has_body)

    def primary(self, it: Registered) -> Registered | None:
        """Return the template of `it`, or `it` where it is a definition of its own."""
        if not it.kernel.explicit and it.kernel.template is None:
            return it
        candidates = self._primaries.get(it.kernel.name.text, [])
        ranked = [(_likeness(it.kernel, candidate.kernel), candidate) for candidate in candidates]
        likeness, best = max(ranked, key=lambda pair: pair[0], default=(-1, None))
        return best if likeness >= 0 else None


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


def bound_type(type_: str, kernel: MetalKernel, primary: MetalKernel) -> str:
    """Return `type_`, of a parameter of the template `primary`, as `kernel` instantiates it."""
    return _substituted(type_, _bindings(kernel, primary))


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
