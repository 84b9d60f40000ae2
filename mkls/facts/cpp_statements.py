"""What a C++ file states at its top level, found by scanning: stubs, registrations, macros."""

import re
from collections.abc import Iterator

import msgspec

from mkls.facts.cpp_text import body_end, in_comment, in_directive
from mkls.facts.host_libraries import impls_of
from mkls.facts.model.host import (
    Invocation,
    LibraryImpl,
    Macro,
    StubDeclaration,
    StubDevice,
    StubRegistration,
)
from mkls.facts.model.name import Name
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.directives import define_of
from mkls.text.span import Span

_STUB = re.compile(
    r"D(?:ECLARE_DISPATCH\((?P<type>(?:[^();]|\((?:[^();]|\([^();]*\))*\))*?),\s*(?P<declared>\w+)\s*\)"
    r"|EFINE_DISPATCH\(\s*(?P<defined>\w+)\s*\))"
)
_REGISTER = re.compile(
    r"REGISTER_(?:(MPS|NO_CPU)_)?DISPATCH\(\s*(\w+)(?:\s*,\s*&?\s*(?:\w+::)*(\w+))?\s*\)"
)
_DEVICES = {None: StubDevice.BY_FILE, "MPS": StubDevice.MPS, "NO_CPU": StubDevice.NO_CPU}
_LIBRARY = re.compile(
    r"^TORCH_LIBRARY(?:_IMPL(?:_EXPAND)?\(\s*aten\s*,\s*\w*MPS\s*,"
    r"|_IMPL(?:_EXPAND)?\(\s*(?!aten\b)\w+\s*,\s*(?:MPS|CPU|CUDA|Composite\w+)\s*,"
    r"|(?:_FRAGMENT)?(?:_EXPAND)?\(\s*(?!aten\b)\w+\s*,)\s*\w+\s*\)\s*\{",
    re.MULTILINE,
)
_MACRO = re.compile(r"#\s*define\s+\w+\((?:[^\n\\]|\\.)*", re.DOTALL)
_MAKES = ("TORCH_IMPL_FUNC", "_stub", "_DISPATCH", "_sparse")
"""What a macro must speak of to concern MPS; `##_sparse` makes what SparseMPS rows name."""


def stubs(text: str) -> Iterator[StubDeclaration]:
    """Yield the stubs that `text` declares and defines."""
    for match in _STUB.finditer(text) if "_DISPATCH(" in text else ():
        defined = match["defined"] is not None
        group = "defined" if defined else "declared"
        if in_directive(text, match.start()) or in_comment(text, match.start()):
            continue
        yield StubDeclaration(
            stub=Name(match[group], Span(*match.span(group))),
            type="" if defined else " ".join(match["type"].split()),
            defines=defined,
            span=Span(*match.span()),
        )


def registrations(text: str) -> Iterator[StubRegistration]:
    """Yield the registrations, but for those that name another device than MPS."""
    for match in _REGISTER.finditer(text) if "_DISPATCH(" in text else ():
        if in_directive(text, match.start()) or in_comment(text, match.start()):
            continue
        yield StubRegistration(
            stub=Name(match[2], Span(*match.span(2))),
            function=Name(match[3], Span(*match.span(3))) if match[3] else None,
            device=_DEVICES[match[1]],
            span=Span(*match.span()),
        )


def impls(text: str) -> Iterator[LibraryImpl]:
    """Yield what `TORCH_LIBRARY…` blocks register, for the keys that matter beside MPS.

    Of those for `aten`, that is MPS alone.
    """
    for match in _LIBRARY.finditer(text) if "TORCH_LIBRARY" in text else ():
        start, end = match.start(), body_end(text, match.end())
        block = Code(text[start:end])
        for it in impls_of(block, 0, (match.end() - start, end - start)):
            yield _moved(it, start)


def _moved(impl: LibraryImpl, by: int) -> LibraryImpl:
    return msgspec.structs.replace(
        impl,
        operator=_moved_name(impl.operator, by),
        function=_moved_name(impl.function, by) if impl.function else None,
        schema=_moved_name(impl.schema, by) if impl.schema else None,
        span=impl.span.shifted(by),
    )


def _moved_name(name: Name, by: int) -> Name:
    return Name(name.text, name.span.shifted(by))


def macros(text: str) -> Iterator[Macro]:
    """Yield the function-like macros that make functions or deal with stubs."""
    if "##" not in text and "TORCH_IMPL_FUNC" not in text:
        return
    for match in _MACRO.finditer(text):
        makes = any(word in match[0] for word in _MAKES)
        if makes and (define := define_of(text, *match.span())):
            name = Name(text[slice(*define.name)], Span(*define.name))
            yield Macro(name, define.parameters, define.body, Span(*match.span()))


def invocations(text: str, name: str) -> Iterator[Invocation]:
    """Yield the invocations of macro `name` in column 0."""
    for match in re.finditer(rf"\n({name})\(([^()]*)\)", text):
        yield Invocation(
            Name(match[1], Span(*match.span(1))),
            tuple(_arguments(text, *match.span(2))),
            Span(match.start(1), match.end()),
        )


def _arguments(text: str, start: int, end: int) -> Iterator[Name]:
    for part in text[start:end].split(","):
        stripped = part.strip()
        begin = start + part.find(stripped)
        yield Name(stripped, Span(begin, begin + len(stripped)))
        start += len(part) + 1
