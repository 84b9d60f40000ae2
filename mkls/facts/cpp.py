"""Read what a C++ file of ATen states about stubs and host functions, without parsing it.

Anchors are found by regular expressions that begin with fixed characters and by `str.find`, so
that all of `aten/src/ATen/native` takes a few tens of milliseconds.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from string import ascii_letters, digits
from typing import NamedTuple

from mkls.facts.host import host_facts
from mkls.facts.host_libraries import impls_of
from mkls.facts.host_stubs import calls_with_device
from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import (
    Function,
    FunctionKind,
    HostFacts,
    Invocation,
    Item,
    ItemFacts,
    LibraryImpl,
    Macro,
    StubDeclaration,
    StubDevice,
    StubRegistration,
    StubUse,
)
from mkls.facts.model.name import Name
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.directives import define_of
from mkls.text.span import Span

_OBJECTIVE = (
    *("MetalShaderLibrary", "<metal_stdlib>", "scalarToMetalTypeString", "id<MTLCompute"),
    *("getPipelineStateForFunc", "newFunctionWithName", ".exec_unary_kernel", ".exec_binary_kernel"),
)
_STUB = re.compile(
    r"D(?:ECLARE_DISPATCH\((?P<type>(?:[^();]|\((?:[^();]|\([^();]*\))*\))*?),\s*(?P<declared>\w+)\s*\)"
    r"|EFINE_DISPATCH\(\s*(?P<defined>\w+)\s*\))"
)
_REGISTER = re.compile(
    r"REGISTER_(MPS|NO_CPU)_DISPATCH\(\s*(\w+)(?:\s*,\s*&?\s*(?:\w+::)*(\w+))?\s*\)"
)
_LIST = r"\([^();{}]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^();{}]*)*\)"
_FUNCTION = re.compile(
    r"\n([A-Za-z_][^\n(;{}=#]*)(?=\()" + _LIST + r"(?:\s*" + _LIST + r")?[^;{}()]*\{"
)
_IMPL_NAME = re.compile(r"\s*(\w+)\s*\)")
_TYPE = re.compile(r"\n(?:struct|class) (?:\w+_API )?(\w+)[^;{}()]*\{")
_MACRO = re.compile(r"#\s*define\s+\w+\((?:[^\n\\]|\\.)*", re.DOTALL)
_LIBRARY_IMPL = re.compile(r"\nTORCH_LIBRARY_IMPL\(\s*\w+\s*,\s*\w*MPS\s*,\s*\w+\s*\)\s*\{")
_NOT_FUNCTIONS = frozenset("if for while switch catch namespace return".split())
_MAKES = ("TORCH_IMPL_FUNC", "_stub", "_DISPATCH")
_HELPER_NAME = re.compile(r"(?:_impl|_helper|_internal|_template|_common|_kernel)_?\Z")


def cpp_facts(text: str) -> CppFacts:
    """Return what the C++ `text` states; broken text states less."""
    if any(mark in text for mark in _OBJECTIVE):
        return CppFacts(host=host_facts(text), objective=True)
    facts = _Scan(text).facts()
    return CppFacts(host=facts)


class _Header(NamedTuple):
    """A function's header in column 0: what precedes its name, where that stands, the body's start."""

    start: int
    before: str
    name: str
    name_start: int
    body: int


def _header(match: re.Match[str]) -> _Header:
    head, (start, end) = match[1], match.span()
    bare = head.rstrip()
    before = bare.rstrip(_WORD_CHARACTERS)
    return _Header(start, before, bare[len(before) :], start + 1 + len(before), end)


class _Scan:
    """One pass over a C++ file."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.stubs = list(_stubs(text)) if "_DISPATCH(" in text else []
        self.headers = [_header(match) for match in _FUNCTION.finditer(text)]
        self.starts = [header.start for header in self.headers]

    def facts(self) -> HostFacts:
        text = self.text
        macros = tuple(self._macros()) if "TORCH_IMPL_FUNC" in text and "#define" in text else ()
        uses = self._uses()
        stated = ItemFacts(
            functions=(*self._functions(uses), *self._types(uses)),
            defined=tuple(
                _name(text, header)
                for index, header in enumerate(self.headers)
                if index not in uses and header.name not in _NOT_FUNCTIONS
            ),
            registrations=tuple(_registrations(text)) if "_DISPATCH(" in text else (),
            stubs=tuple(self.stubs),
            impls=tuple(_impls(text)) if "TORCH_LIBRARY_IMPL" in text else (),
            invocations=tuple(self._invocations(macros)),
        )
        empty = stated == ItemFacts()
        return HostFacts(items=() if empty else (Item(0, stated),), macros=macros)

    def _macros(self) -> Iterator[Macro]:
        for match in _MACRO.finditer(self.text):
            if not any(word in match[0] for word in _MAKES):
                continue
            if define := define_of(self.text, *match.span()):
                name = Name(self.text[slice(*define.name)], Span(*define.name))
                yield Macro(name, define.parameters, define.body, Span(*match.span()))

    def _invocations(self, macros: tuple[Macro, ...]) -> Iterator[Invocation]:
        for macro in macros:
            pattern = re.compile(rf"\n({macro.name.text})\(([^()]*)\)")
            for match in pattern.finditer(self.text):
                yield Invocation(
                    Name(match[1], Span(*match.span(1))),
                    tuple(_split(self.text, *match.span(2))),
                    Span(match.start(1), match.end()),
                )

    def _uses(self) -> dict[int, list[StubUse]]:
        """Return what leads to stubs, by the index of the function that names it.

        A type counts as a function; its index is -1 - its offset.
        """
        uses: dict[int, list[StubUse]] = {}
        for use in self._direct():
            uses.setdefault(self._owner(use.name.span.start), []).append(use)
        helpers = {name for owner in uses if (name := self._helper_name(owner))}
        done: set[str] = set()
        while helpers := helpers - done:
            done |= helpers
            found: set[str] = set()
            for name in sorted(helpers):
                for use in self._mentions(name):
                    owner = self._owner(use.name.span.start)
                    if owner != _NOWHERE and self._name(owner) != name:
                        uses.setdefault(owner, []).append(use)
                        found |= {self._helper_name(owner)} - {""}
            helpers = found
        return uses

    def _direct(self) -> Iterator[StubUse]:
        text = self.text
        seen: set[int] = set()
        calls = "device_type()" in text or ").type()" in text
        for use in calls_with_device(text, 0, len(text)) if calls else ():
            if not _in_comment(text, use.name.span.start):
                seen.add(use.name.span.start)
                yield use
        odd = [
            stub.stub.text for stub in self.stubs if stub.defines and "_stub" not in stub.stub.text
        ]
        for use in (*_stub_words(text), *(use for name in odd for use in self._mentions(name))):
            if use.name.span.start not in seen:
                yield use

    def _mentions(self, name: str) -> Iterator[StubUse]:
        text = self.text
        at = text.find(name)
        while at >= 0:
            end = at + len(name)
            if not (_is_word(text[at - 1 : at]) or _is_word(text[end : end + 1])) and (
                not _in_comment(text, at)
            ):
                yield StubUse(Name(name, Span(at, end)), called=False)
            at = text.find(name, end)

    def _owner(self, at: int) -> int:
        """Return the index of the function around `at`, that of a type, or `_NOWHERE`."""
        index = bisect_right(self.starts, at) - 1
        if index >= 0:
            body = self.headers[index].body
            if body <= at <= _body_end(self.text, body):
                return index
        start = self.text.rfind("\nstruct ", 0, at)
        if start >= 0 and (match := _TYPE.match(self.text, start)):
            if match.end() <= at <= _body_end(self.text, match.end()):
                return -1 - start
        return _NOWHERE

    def _name(self, owner: int) -> str:
        if owner == _NOWHERE:
            return ""
        if owner >= 0:
            return self.headers[owner].name
        match = _TYPE.match(self.text, -1 - owner)
        return match[1] if match else ""

    def _helper_name(self, owner: int) -> str:
        """Return the name of a function or type that others of this file go through, or ""."""
        name = self._name(owner)
        if owner < 0:
            return name
        head = self.headers[owner].before
        helps = "static" in head or "inline" in head or _HELPER_NAME.search(name) is not None
        return name if helps or self._is_template(owner) else ""

    def _is_template(self, owner: int) -> bool:
        start = self.headers[owner].start
        line = self.text[self.text.rfind("\n", 0, start) + 1 : start]
        return line.startswith("template")

    def _functions(self, uses: dict[int, list[StubUse]]) -> Iterator[Function]:
        for index, found in uses.items():
            if index >= 0:
                yield _function(self.text, self.headers[index], tuple(found))

    def _types(self, uses: dict[int, list[StubUse]]) -> Iterator[Function]:
        for owner, found in uses.items():
            if owner < 0 and (match := _TYPE.match(self.text, -1 - owner)):
                yield Function(
                    name=Name(match[1], Span(*match.span(1))),
                    kind=FunctionKind.TYPE,
                    qualifier="",
                    internal=True,
                    parameters=(),
                    span=Span(match.start() + 1, _body_end(self.text, match.end())),
                    uses=tuple(found),
                )


_NOWHERE = -1
_WORD_CHARACTERS = ascii_letters + digits + "_"


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _body_end(text: str, start: int) -> int:
    """Return the end of the body that opens at `start` in column-0 style."""
    end = text.find("\n}", start)
    return len(text) if end < 0 else end + 2


def _is_no_code(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at].lstrip()
    return line.startswith(("#", "*")) or "//" in line


def _in_comment(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return "//" in line or line.lstrip().startswith("*")


def _function(text: str, header: _Header, uses: tuple[StubUse, ...]) -> Function:
    impl = header.name == "TORCH_IMPL_FUNC"
    return Function(
        name=_name(text, header),
        kind=FunctionKind.TORCH_IMPL if impl else FunctionKind.FREE,
        qualifier="",
        internal="static" in header.before,
        parameters=(),
        span=Span(header.start + 1, _body_end(text, header.body)),
        uses=uses,
    )


def _name(text: str, header: _Header) -> Name:
    start, end = header.name_start, header.name_start + len(header.name)
    if header.name == "TORCH_IMPL_FUNC" and (impl := _IMPL_NAME.match(text, end + 1)):
        return Name(impl[1], Span(*impl.span(1)))
    return Name(header.name, Span(start, end))


def _stubs(text: str) -> Iterator[StubDeclaration]:
    for match in _STUB.finditer(text):
        defined = match["defined"] is not None
        group = "defined" if defined else "declared"
        if _is_no_code(text, match.start()):
            continue
        yield StubDeclaration(
            stub=Name(match[group], Span(*match.span(group))),
            type="" if defined else " ".join(match["type"].split()),
            defines=defined,
            span=Span(*match.span()),
        )


def _registrations(text: str) -> Iterator[StubRegistration]:
    for match in _REGISTER.finditer(text):
        if not _is_no_code(text, match.start()):
            yield StubRegistration(
                stub=Name(match[2], Span(*match.span(2))),
                function=Name(match[3], Span(*match.span(3))) if match[3] else None,
                device=StubDevice.MPS if match[1] == "MPS" else StubDevice.NO_CPU,
                span=Span(*match.span()),
            )


def _impls(text: str) -> Iterator[LibraryImpl]:
    for match in _LIBRARY_IMPL.finditer(text):
        end = _body_end(text, match.end())
        code = Code(text[:end])
        yield from impls_of(code, match.start() + 1, (match.end(), end))


def _split(text: str, start: int, end: int) -> Iterator[Name]:
    for part in text[start:end].split(","):
        stripped = part.strip()
        begin = start + part.find(stripped)
        yield Name(stripped, Span(begin, begin + len(stripped)))
        start += len(part) + 1


def _stub_words(text: str) -> Iterator[StubUse]:
    at = text.find("_stub")
    while at >= 0:
        before = text[max(0, at - 80) : at]
        start, end = at - len(before) + len(before.rstrip(_WORD_CHARACTERS)), at + 5
        if not _is_word(text[end : end + 1]) and not _in_comment(text, start):
            yield StubUse(Name(text[start:end], Span(start, end)), called=False)
        at = text.find("_stub", end)
