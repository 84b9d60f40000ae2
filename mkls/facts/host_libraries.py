"""Read MSL in strings, the libraries made of it, and `TORCH_LIBRARY` blocks."""

import re
from collections.abc import Iterator

from mkls.facts.model.host import LibraryImpl, Shader, ShaderLibrary
from mkls.facts.model.name import Name
from mkls.syntax.host.blanking import Code, Literal
from mkls.syntax.host.brackets import closing_bracket, closing_parenthesis, split_commas
from mkls.text.span import Span

_MSL = re.compile(r"\bkernel\s+void\b|\[\[\s*kernel\s*\]\]|<metal_stdlib>")
_ASSIGNED = re.compile(r"\b(\w+)\s*(?:\[\s*\])?\s*[=({]\s*@?\Z")
_LIBRARY = re.compile(
    r"\b\w*MetalShaderLibrary\s*&?\s+(\w+)\s*(?P<open>[({])"
    r"|\bauto\s*&\s*(\w+)\s*=\s*[\w:]*\bgetBundledLibrary\s*\("
    r"|\bMetalShaderLibrary\s*&\s*(\w+)\s*=\s*[\w:]*\bgetBundledLibrary\s*\("
)
_METHOD = re.compile(r"\.\s*(impl|def)\s*\(")
_WRAPPED = re.compile(r"[A-Z_0-9]+\s*\(\s*")
_NAMESPACED = re.compile(r"(?:\w+::)*")


def shaders_of(code: Code) -> tuple[Shader, ...]:
    """Return the string literals of `code` that hold MSL."""
    return tuple(
        Shader(_holder(code, literal), Span(literal.contents_start, literal.contents_end))
        for literal in code.literals
        if literal.end - literal.start > 40
        and _MSL.search(code.text, literal.contents_start, literal.contents_end)
    )


def _holder(code: Code, literal: Literal) -> Name | None:
    start = max(0, literal.start - 120)
    match = _ASSIGNED.search(code.code[start : literal.start])
    return Name(match[1], Span(start + match.start(1), start + match.end(1))) if match else None


def libraries_of(code: Code) -> tuple[ShaderLibrary, ...]:
    """Return the Metal libraries that `code` declares."""
    if "MetalShaderLibrary" not in code.code and "getBundledLibrary" not in code.code:
        return ()
    return tuple(_library(code, match) for match in _LIBRARY.finditer(code.code))


def _library(code: Code, match: re.Match[str]) -> ShaderLibrary:
    group = match.lastindex or 1
    if match["open"]:
        group = 1
    name = Name(match[group], Span(*match.span(group)))
    if not match["open"]:
        return ShaderLibrary(name, bundled=True, source="", shader=None, type_parameters=0)
    close = closing_bracket(code.code, match.end() - 1)
    arguments = split_commas(code.code, match.end(), close) if close else []
    if not arguments:
        return ShaderLibrary(name, bundled=False, source="", shader=None, type_parameters=0)
    literal = code.literal_at(arguments[0][0])
    count = code.text[slice(*arguments[1])] if len(arguments) > 1 else "0"
    return ShaderLibrary(
        name=name,
        bundled=False,
        source="" if literal else code.text[slice(*arguments[0])],
        shader=Span(literal.contents_start, literal.contents_end) if literal else None,
        type_parameters=int(count) if count.isdecimal() and len(count) < 4 else 0,
    )


def impls_of(code: Code, start: int, body: tuple[int, int]) -> Iterator[LibraryImpl]:
    """Yield what the `TORCH_LIBRARY…(namespace, key, m) {` that starts at `start` registers."""
    opening = code.code.find("(", start)
    close = closing_parenthesis(code.code, opening, body[0])
    names = [
        code.text[slice(*part)] for part in split_commas(code.code, opening + 1, close or opening)
    ]
    key = names[1] if len(names) > 2 else ""
    for method in _METHOD.finditer(code.code, *body):
        end = closing_parenthesis(code.code, method.end() - 1, body[1])
        arguments = split_commas(code.code, method.end(), end) if end else []
        operator = _operator(code, *arguments[0]) if arguments else None
        if operator and end:
            yield LibraryImpl(
                namespace=names[0] if names else "",
                dispatch_key=key,
                operator=operator,
                function=_function(code, *arguments[1]) if len(arguments) > 1 else None,
                defines=method[1] == "def",
                span=Span(method.start() + 1, end + 1),
            )


def _operator(code: Code, start: int, end: int) -> Name | None:
    """Return the operator's name without its namespace; a schema ends at its parenthesis."""
    literals = code.literals_within(start, end)
    if not literals:
        return None
    begin, stop = literals[0].contents_start, literals[0].contents_end
    text = code.text[begin:stop].partition("(")[0]
    bare = text.rpartition("::")[2]
    begin += len(text) - len(bare)
    return Name(bare, Span(begin, begin + len(bare)))


def _function(code: Code, start: int, end: int) -> Name | None:
    wrapped = _WRAPPED.match(code.code, start, end)
    if wrapped:
        start, end = wrapped.end(), end - 1
    text = code.text[start:end].strip().lstrip("&").strip()
    begin = code.text.find(text, start)
    qualifier = _NAMESPACED.match(text)
    skipped = qualifier.end() if qualifier else 0
    bare = text[skipped:]
    if not bare.replace("_", "a").isalnum():
        return None
    return Name(bare, Span(begin + skipped, begin + len(text)))
