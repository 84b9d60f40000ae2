"""Structs, functions, aliases, constants and functors, found in a text's structure."""

import re
from collections.abc import Iterator
from typing import Final

from mkls.facts.model.metal import Functor, FunctorCall, MetalDeclaration
from mkls.facts.model.name import Name
from mkls.syntax.metal.declaration import declarator_of, group_end, heads_of, split
from mkls.syntax.metal.item import Item, Shape
from mkls.syntax.metal.parameter import rendered
from mkls.syntax.metal.structure import blanked
from mkls.syntax.metal.token import Token, spelling, tokens_of
from mkls.text.span import Span

_TEMPLATE: Final = re.compile(r"\s*template\s*<")
_ANGLE: Final = re.compile(r"[<>(),]")
_ATTRIBUTE: Final = re.compile(r"\[\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]\]")
_TYPE: Final = re.compile(
    r"\s*(?:typedef\s+)?(enum(?:\s+(?:class|struct))?|struct|class|union)\s+"
    r"(?:(?:alignas|__attribute__)\s*\([^()]*(?:\([^()]*\))*[^()]*\)+\s*)*([^\W\d]\w*)"
)
_USING: Final = re.compile(r"\s*using\s+([^\W\d]\w*)\s*=")
_TYPEDEF: Final = re.compile(r"\s*typedef\b")
_CALL: Final = re.compile(r"\b([^\W\d]\w*)\b\s*(?:<[^()]*>\s*)?\(")
_CALL_LIKE: Final = ("__attribute__", "alignas", "decltype", "static_assert", "_Pragma")
_CONSTANT: Final = re.compile(r"\b(?:constant|constexpr|const)\b|\bfunction_constant\b")
_LAST_NAME: Final = re.compile(r"\b([^\W\d]\w*)\b\s*(?:\[[^\]]*\]\s*)*\Z")
_VALUE: Final = re.compile(r"[={]")
_LONGEST: Final = 300
"""How far before its end a declarator's name is looked for."""
_FUNCTION_CONSTANT: Final = re.compile(r"function_constant\s*\(([^()]*)\)")
_ENABLE: Final = re.compile(r"\benable_if(?:_t)?\s*<")
_NOWHERE: Final = Span(0, 0)
_OPERATOR: Final = re.compile(r"\boperator\s*\(\s*\)\s*\(")
_MEMBER_START: Final = re.compile(r"[;{}]|(?:public|private|protected)\s*:")


def declaration_of(text: str, clean: str, item: Item) -> MetalDeclaration | None:
    """Return what `item` declares, None when that has no name worth keeping."""
    template, start = template_of(text, clean, item.start, item.head)
    found = _declared(clean, item, start)
    if found is None:
        return None
    kind, name = found
    constant = ""
    if kind == "constant":
        number = _FUNCTION_CONSTANT.search(clean, start, item.end)
        constant = number[1].strip() if number else ""
    return MetalDeclaration(kind, name, item.scope, template, constant, Span(item.start, item.end))


def _declared(clean: str, item: Item, start: int) -> tuple[str, Name] | None:
    typed = _TYPE.match(clean, start, item.head) if item.shape is not Shape.FUNCTION else None
    if typed and item.shape is Shape.TYPE:
        return "enum" if typed[1].startswith("enum") else "struct", _at(typed, 2)
    alias = _USING.match(clean, start, item.head)
    if alias:
        return "alias", _at(alias, 1)
    if _TYPEDEF.match(clean, start, item.head):
        return _last_name("alias", clean[start : item.head], start)
    head = _ATTRIBUTE.sub(lambda match: blanked(match[0]), clean[start : item.head])
    equals = head.find("=")
    if item.shape is Shape.FUNCTION or (item.shape is Shape.OTHER and equals < 0):
        called = _called(head, start)
        if called or item.shape is Shape.FUNCTION:
            return ("function", called) if called else None
    if item.shape is Shape.OTHER and _CONSTANT.search(clean, start, item.end):
        value = _VALUE.search(head)
        return _last_name("constant", head[: value.start()] if value else head, start)
    return None


def _called(head: str, start: int) -> Name | None:
    for match in _CALL.finditer(head):
        if match[1] not in _CALL_LIKE:
            return Name(match[1], Span(start + match.start(1), start + match.end(1)))
    return None


def _last_name(kind: str, declarator: str, start: int) -> tuple[str, Name] | None:
    """Return the name that ends `declarator`, array bounds aside, which lies at `start`."""
    end = len(declarator.rstrip())
    match = _LAST_NAME.search(declarator, max(0, end - _LONGEST), end)
    if match is None:
        return None
    return kind, Name(match[1], Span(start + match.start(1), start + match.end(1)))


def _at(match: re.Match[str], group: int) -> Name:
    return Name(match[group], Span(*match.span(group)))


def template_of(text: str, clean: str, start: int, end: int) -> tuple[tuple[str, ...] | None, int]:
    """Return the template parameters that `text[start:end]` begins with, and where they end."""
    found: list[str] | None = None
    while (match := _TEMPLATE.match(clean, start, end)) is not None:
        parts, start = _angle_parts(text, clean, match.end() - 1, end)
        found = [*(found or []), *parts]
    return (None if found is None else tuple(found)), start


def _angle_parts(text: str, clean: str, opening: int, end: int) -> tuple[list[str], int]:
    """Return the parts between the angle brackets that open at `opening`, and where they close."""
    depth = parentheses = 0
    start = opening + 1
    parts: list[str] = []
    for match in _ANGLE.finditer(clean, opening, end):
        mark = match[0]
        if mark in "()":
            parentheses += 1 if mark == "(" else -1
        elif parentheses == 0:
            depth += (mark == "<") - (mark == ">")
            if depth == 0 or (depth == 1 and mark == ","):
                parts.append(" ".join(text[start : match.start()].split()))
                start = match.end()
            if depth == 0:
                return [part for part in parts if part], match.end()
    return [part for part in parts if part], end


def functor_of(text: str, clean: str, item: Item, name: Name) -> Functor:
    """Return the functor that `item`, a struct with `operator()`, defines."""
    calls: list[FunctorCall] = []
    for match in _OPERATOR.finditer(clean, item.body, item.body_end):
        start = _member_start(clean, item.body, match.start())
        end = _head_end(clean, match.end() - 1, item.body_end)
        call = functor_call(tokens_of(text[start:end], start), Span(start, end))
        if call is not None:
            calls.append(call)
    return Functor(name, tuple(calls), Span(item.start, item.end))


def _member_start(clean: str, body: int, before: int) -> int:
    start = body
    for match in _MEMBER_START.finditer(clean, body, before):
        start = match.end()
    return start + len(clean[start:before]) - len(clean[start:before].lstrip())


def _head_end(clean: str, opening: int, limit: int) -> int:
    depth = 0
    for match in re.compile(r"[()]").finditer(clean, opening, limit):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return match.end()
    return limit


def functor_call(tokens: list[Token], span: Span) -> FunctorCall | None:
    """Return the overload of `operator()` that `tokens` declare."""
    declarator = declarator_of(tokens)
    if declarator is None or declarator.name.text != "operator()":
        return None
    template = declarator.template
    parts = [spelling(part) for part in template or ()]
    returns = _returns(tokens, len(template) if template is not None else -1)
    condition, result = _enabled(returns)
    if not condition:
        condition = next((found for part in parts if (found := _enabled(part)[0])), "")
    return FunctorCall(
        tuple(parts),
        tuple(spelling(part) for part in declarator.parameters or ()),
        result,
        condition,
        span,
    )


def _returns(tokens: list[Token], template: int) -> str:
    """Return the type between a member's template head and `operator`."""
    texts = [token.text for token in tokens]
    end = texts.index("operator")
    start = 0
    if template >= 0:
        depth = 0
        for index, text in enumerate(texts[:end]):
            depth += (text == "<") - (text == ">") - 2 * (text == ">>")
            if index > 0 and depth <= 0:
                start = index + 1
                break
    skipped = ("inline", "constexpr", "static", "METAL_FUNC")
    return rendered([text for text in texts[start:end] if text not in skipped])


def _enabled(text: str) -> tuple[str, str]:
    """Return the condition of the `enable_if` in `text`, and the type that it lets through."""
    match = _ENABLE.search(text)
    if match is None:
        return "", text
    tokens = tokens_of("enable_if" + text[match.end() - 1 :])
    parts = split(tokens[2 : group_end(tokens, 1) - 1])
    condition = spelling(parts[0]) if parts else ""
    return condition, spelling(parts[1]) if len(parts) > 1 else "void"


def functors_among(tokens: list[Token]) -> Iterator[Functor]:
    """Yield the functors that `tokens`, made by a macro, define; none of it has a place."""
    for index, token in enumerate(tokens):
        if token.text not in ("struct", "class") or index + 2 >= len(tokens):
            continue
        opening = next(
            (at for at in range(index + 2, len(tokens)) if tokens[at].text in ("{", ";")), 0
        )
        if opening and tokens[opening].text == "{":
            body = tokens[opening + 1 : group_end(tokens, opening) - 1]
            calls = tuple(_calls_among(body))
            if calls:
                yield Functor(Name(tokens[index + 1].text, _NOWHERE), calls, _NOWHERE)


def _calls_among(body: list[Token]) -> Iterator[FunctorCall]:
    for head, _ in heads_of(body):
        if any(token.text == "operator" for token in head):
            call = functor_call(head, _NOWHERE)
            if call is not None:
                yield call
