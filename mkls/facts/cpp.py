"""Read what a C++ file of ATen states about stubs and host functions, without parsing it.

Anchors are found by regular expressions that begin with fixed characters and by `str.find`, so
that all of `aten/src/ATen/native` takes a few tens of milliseconds.
"""

import re
from collections.abc import Iterator
from functools import partial

from mkls.facts import cpp_statements
from mkls.facts.cpp_aliases import function_type_aliases
from mkls.facts.cpp_text import WORD_CHARACTERS
from mkls.facts.cpp_uses import DEVICES, Definition, helps, using_functions
from mkls.facts.host import host_facts
from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import FunctionKind, HostFacts, Item, ItemFacts
from mkls.facts.model.name import Name
from mkls.text.span import Span

_OBJECTIVE = (
    *("MetalShaderLibrary", "<metal_stdlib>", "id<MTLCompute", "getPipelineStateForFunc"),
    "[[thread_position_in_grid]]",
)
"""What tells a file that deals with Metal: few and long, as every C++ file is searched."""
_LIST = r"\([^();{}]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^();{}]*)*\)"
_HEADER = r"([A-Za-z_][^\n(;{}=#]*)(?=\()" + _LIST + r"(?:\s*" + _LIST + r")?[^;{}()]*\{"
_FUNCTION = re.compile(r"\n" + _HEADER)
_FIRST_FUNCTION = re.compile(_HEADER)
_IMPL_NAME = re.compile(r"\s*(\w+)\s*\)")
_NOT_FUNCTIONS = frozenset({"if", "for", "while", "switch", "catch", "namespace", "return"})


def cpp_facts(text: str) -> CppFacts:
    """Return what the C++ `text` states; broken text states less."""
    if any(mark in text for mark in _OBJECTIVE):
        return CppFacts(host_facts(text), objective=True, aliases=function_type_aliases(text))
    return CppFacts(host=_scanned(text), aliases=function_type_aliases(text))


def _scanned(text: str) -> HostFacts:
    macros = tuple(cpp_statements.macros(text))
    stubs = list(cpp_statements.stubs(text))
    headers = list(_FUNCTION.finditer(text))
    if first := _FIRST_FUNCTION.match(text):
        headers.insert(0, first)
    functions = ()
    if any(mark in text for mark in ("_stub", *DEVICES)) or any(it.defines for it in stubs):
        define = partial(_definition, text)
        functions = tuple(using_functions(text, headers, define, stubs))
    stated = ItemFacts(
        functions=functions,
        defined=tuple(_others(text, headers, {it.name.span.start for it in functions})),
        registrations=tuple(cpp_statements.registrations(text)),
        stubs=tuple(stubs),
        impls=tuple(cpp_statements.impls(text)),
        invocations=tuple(
            it for macro in macros for it in cpp_statements.invocations(text, macro.name.text)
        ),
    )
    empty = stated == ItemFacts()
    return HostFacts(items=() if empty else (Item(0, stated),), macros=macros)


def _others(text: str, headers: list[re.Match[str]], known: set[int]) -> Iterator[Name]:
    """Yield the names of the functions that are not `known` by the offset of their names."""
    for match in headers:
        name = _name(text, match)
        if name.span.start not in known and name.text not in _NOT_FUNCTIONS:
            yield name


def _definition(text: str, match: re.Match[str]) -> Definition:
    name = _name(text, match)
    impl = match[1].startswith("TORCH_IMPL_FUNC")
    return Definition(
        name=name,
        kind=FunctionKind.TORCH_IMPL if impl else FunctionKind.FREE,
        internal="static" in match[1],
        helps=helps(text, match, name.text),
    )


def _name(text: str, match: re.Match[str]) -> Name:
    bare = match[1].rstrip()
    before = len(bare.rstrip(WORD_CHARACTERS))
    start = match.start(1)
    if bare == "TORCH_IMPL_FUNC" and (impl := _IMPL_NAME.match(text, match.end(1) + 1)):
        return Name(impl[1], Span(*impl.span(1)))
    return Name(bare[before:], Span(start + before, start + len(bare)))
