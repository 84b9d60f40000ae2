"""Read one top-level item of an Objective-C++ file."""

import re

from mkls.facts.host_functions import function_of
from mkls.facts.host_libraries import impls_of, libraries_of, shaders_of
from mkls.facts.host_locals import Locals
from mkls.facts.host_stubs import declaration, registration
from mkls.facts.model.host import Constant, Function, Invocation, ItemFacts
from mkls.facts.model.name import Name
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.brackets import closing_parenthesis, split_commas
from mkls.syntax.host.items import Item, items
from mkls.text.span import Span

_INVOCATION = re.compile(r"\s*([A-Za-z_]\w*)\s*\(")
_TORCH_LIBRARY = re.compile(r"\s*TORCH_LIBRARY(?:_IMPL|_FRAGMENT)?(?:_EXPAND)?\s*\(")
_TYPE = re.compile(
    r"\s*(?:template\s*<[^{;]*>\s*)?(?:class|struct|union)\s+(?:\w+\s+)*?(\w+)\s*(?:final\s*)?(?::[^{]*)?\Z"
)
_CONSTANT = re.compile(
    r"\b(?:(?:std::)?string(?:_view)?|char\s*(?:const\s*)?\*(?:\s*const)?|auto|char)\s+(\w+)\s*(?:\[\s*\])?\s*=\s*"
    r"(?=[@R\"]|std::string)"
)


def item_facts(code: Code, item: Item) -> ItemFacts:
    """Return what `item` states, which is all that `code` holds."""
    if item.body is None:
        return _statement(code, item)
    return _braced(code, item, item.body)


def _braced(code: Code, item: Item, body: tuple[int, int]) -> ItemFacts:
    shaders = shaders_of(code)
    libraries = libraries_of(code)
    if _TORCH_LIBRARY.match(code.code, item.start):
        return ItemFacts(impls=tuple(impls_of(code, item.start, body)))
    if functions := _functions(code, item, body):
        return ItemFacts(functions=functions, shaders=shaders, libraries=libraries)
    return ItemFacts(shaders=shaders, libraries=libraries, constants=_constants(code, item))


def _functions(code: Code, item: Item, body: tuple[int, int]) -> tuple[Function, ...]:
    type_ = _TYPE.match(code.code[item.start : item.header_end])
    if not type_:
        function = function_of(code, item.start, item.header_end, body, item.end)
        return (function,) if function else ()
    found: list[Function] = []
    for inner in items(code.code[: body[1]], body[0]):
        if inner.body:
            extent = (inner.start, inner.header_end, inner.body, inner.end)
            function = function_of(code, *extent, qualifier=type_[1])
            found += (function,) if function else ()
    return tuple(found)


def _statement(code: Code, item: Item) -> ItemFacts:
    match = _INVOCATION.match(code.code, item.start, item.end)
    if not match:
        return ItemFacts(
            shaders=shaders_of(code), libraries=libraries_of(code), constants=_constants(code, item)
        )
    close = closing_parenthesis(code.code, match.end() - 1, item.end)
    if close is None:
        return ItemFacts()
    span = Span(item.start, close + 1)
    arguments = split_commas(code.code, match.end(), close)
    if registered := registration(code, match[1], arguments, span):
        return ItemFacts(registrations=(registered,))
    if declared := declaration(code, match[1], arguments, span):
        return ItemFacts(stubs=(declared,))
    names = tuple(Name(code.text[slice(*part)], Span(*part)) for part in arguments)
    return ItemFacts(invocations=(Invocation(Name(match[1], Span(*match.span(1))), names, span),))


def _constants(code: Code, item: Item) -> tuple[Constant, ...]:
    match = _CONSTANT.search(code.code, item.start, item.end)
    if not match or code.code[match.end()] == "R":
        return ()
    local = Locals(code, (item.start, item.end), frozenset(), "")
    end = code.code.find(";", match.end(), item.end)
    value = local.expressions.fold(match.end(), end if end >= 0 else item.end)
    return (Constant(Name(match[1], Span(*match.span(1))), value),)
