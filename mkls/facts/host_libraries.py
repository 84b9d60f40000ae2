"""Read MSL in strings, the libraries made of it, and `TORCH_LIBRARY` blocks."""

import re
from collections.abc import Iterator
from typing import NamedTuple

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
_COMPILED = re.compile(
    r"\b(?P<name>\w+)\s*=\s*\[\s*[^;=\[\]]*(?:\[[^\[\]]*\]\s*)?newLibraryWithSource\s*:"
)
_SOURCE = re.compile(
    r"@\s*\(\s*(\w+)\s*\)|(\w+)"
    r"|\[\s*NSString\s+stringWithUTF8String\s*:\s*(\w+)(?:\s*\.\s*c_str\s*\(\s*\))?\s*\]"
)
_METHOD = re.compile(r"\.\s*(impl|def)\s*\(")
_OWN_KEY = re.compile(r"\bk(MPS|CPU|CUDA|XPU|Meta)\b|\bDispatchKey::(\w+)")
_DISPATCHED = re.compile(r"\s*(?:\w+::)*dispatch\s*\(")
_CONDITIONAL = re.compile(r"^[ \t]*#[ \t]*(if|endif)", re.MULTILINE)
_NEVER = re.compile(r"(?!)")
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
    found: tuple[ShaderLibrary, ...] = ()
    if "MetalShaderLibrary" in code.code or "getBundledLibrary" in code.code:
        found = tuple(_library(code, match) for match in _LIBRARY.finditer(code.code))
    if "newLibraryWithSource" in code.code:
        found += tuple(_compiled(code, match) for match in _COMPILED.finditer(code.code))
    return found


def _compiled(code: Code, match: re.Match[str]) -> ShaderLibrary:
    """Read `library = [device newLibraryWithSource:source options:…]`."""
    name = Name(match["name"], Span(*match.span("name")))
    end = code.code.find("options", match.end())
    written = code.text[match.end() : end] if end >= 0 else ""
    source = _SOURCE.fullmatch(written.strip())
    literal = code.literal_at(match.end() + written.find('"')) if '"' in written else None
    shader = Span(literal.contents_start, literal.contents_end) if literal else None
    named = (source[1] or source[2] or source[3]) if source else ""
    return ShaderLibrary(
        name, bundled=False, source=named, shader=shader, type_parameters=0, raw=True
    )


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
    macro = code.text[start:opening].strip()
    library = _Block(
        namespace=names[0] if names else "",
        dispatch_key=names[1] if len(names) > 2 else "",
        extends="_IMPL" in macro or "_FRAGMENT" in macro,
    )
    # Methods of classes that the library defines are registered by `def`, too.
    receiver = re.compile(rf"\b{re.escape(names[-1])}\s*\Z") if names else _NEVER
    for method in _METHOD.finditer(code.code, *body):
        end = closing_parenthesis(code.code, method.end() - 1, body[1])
        before = code.code[max(body[0], method.start() - 60) : method.start()]
        if end and receiver.search(before):
            registered = _registered(code, library, method, end, body[0])
            if registered:
                yield registered


class _Block(NamedTuple):
    namespace: str
    dispatch_key: str
    extends: bool


def _registered(
    code: Code, block: _Block, method: re.Match[str], end: int, body: int
) -> LibraryImpl | None:
    arguments = split_commas(code.code, method.end(), end)
    operator = _operator(code, *arguments[0]) if arguments else None
    if operator is None:
        return None
    defines = method[1] == "def"
    last = arguments[-1] if len(arguments) > 1 else None
    written = code.text[last[0] : last[1]].lstrip() if last else ""
    return LibraryImpl(
        namespace=block.namespace,
        dispatch_key=block.dispatch_key or _key(code.text[arguments[0][1] : end]),
        operator=operator,
        function=_function(code, *_unwrapped(code, *last)) if last else None,
        defines=defines,
        span=Span(method.start() + 1, end + 1),
        schema=_schema(code, *arguments[0]) if defines else None,
        conditional=_is_conditional(code.text, body, method.start()),
        extends=block.extends,
        gives=bool(last) and not written.startswith(("{", "at::Tag", "torch::Tag")),
    )


def _key(text: str) -> str:
    """Return the dispatch key that a registration names itself: `kMPS`, `DispatchKey::MPS`."""
    match = _OWN_KEY.search(text)
    return (match[1] or match[2]) if match else ""


def _unwrapped(code: Code, start: int, end: int) -> tuple[int, int]:
    """Return the function in `torch::dispatch(key, function)`."""
    match = _DISPATCHED.match(code.code, start, end)
    if match is None:
        return start, end
    close = closing_parenthesis(code.code, match.end() - 1, end)
    parts = split_commas(code.code, match.end(), close) if close else []
    return parts[-1] if parts else (start, end)


def _schema(code: Code, start: int, end: int) -> Name | None:
    """Return the schema when it is one string without escapes."""
    literals = code.literals_within(start, end)
    if len(literals) != 1:
        return None
    span = Span(literals[0].contents_start, literals[0].contents_end)
    text = span.of(code.text)
    return Name(text, span) if "(" in text and "\\" not in text else None


def _is_conditional(text: str, start: int, end: int) -> bool:
    """Whether an `#if` that is open at `end` was begun after `start`."""
    depth = 0
    for match in _CONDITIONAL.finditer(text, start, end):
        depth += 1 if match[1] == "if" else -1 if match[1] == "endif" else 0
    return depth > 0


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
