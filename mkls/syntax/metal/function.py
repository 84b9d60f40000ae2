"""The functions of a text that have bodies, members of structs among them."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from mkls.syntax.metal.item import Item, Shape
from mkls.syntax.metal.structure import blanked
from mkls.text.span import Span

_BRACKET: Final = re.compile(r"[()\[\]{}]")
_CLOSES: Final = {"(": ")", "[": "]", "{": "}"}
_ATTRIBUTE: Final = re.compile(r"\[\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]\]")
_CALLED: Final = re.compile(r"(operator\s*(?:\(\s*\)|[^\w\s(]+)|[^\W\d]\w*)\s*(?:<[^<>()]*>\s*)?\Z")
_STRUCT: Final = re.compile(r"\b(?:struct|class)\s+([^\W\d]\w*)")
_NAME: Final = re.compile(r"([^\W\d]\w*)\s*(?:\[[^\[\]]*\]\s*)*\Z")
_TYPENAME: Final = re.compile(r"\b(?:typename|class)\s+([^\W\d]\w*)")
_KERNEL: Final = re.compile(r"\bkernel\b")
_HEAD_END: Final = re.compile(
    r"\)\s*(?:const\b\s*|thread\b\s*|device\b\s*|constant\b\s*|noexcept\b\s*)*\Z"
)
_MEMBER_MARK: Final = re.compile(r"[;{}]|\b(?:public|private|protected)\s*:")


class FunctionParameter(NamedTuple):
    """A parameter; `type` is what stands before its name, attributes and default left out."""

    name: str
    type: str
    span: Span
    attribute: str


class Function(NamedTuple):
    """A function with a body.

    `head` runs from its first token to its parameters, `body` between its braces. `owner` is
    the struct that it is a member of, empty without one.
    """

    name: str
    owner: str
    scope: str
    head: Span
    parameters: tuple[FunctionParameter, ...]
    body: Span
    signature: str

    @property
    def types(self) -> frozenset[str]:
        """The names of its own type parameters."""
        return frozenset(_TYPENAME.findall(self.signature))

    @property
    def is_kernel(self) -> bool:
        """Whether the host can launch it."""
        return not self.owner and _KERNEL.search(self.signature) is not None


def closing(clean: str, opening: int, limit: int | None = None) -> int:
    """Return the offset of the bracket that closes the one at `opening`, -1 without one."""
    opens, closes = clean[opening], _CLOSES[clean[opening]]
    depth = 0
    for match in _BRACKET.finditer(clean, opening, len(clean) if limit is None else limit):
        depth += (match[0] == opens) - (match[0] == closes)
        if depth == 0:
            return match.start()
    return -1


def parts(clean: str, start: int, end: int) -> list[Span]:
    """Return the trimmed parts between the commas of `clean[start:end]` outside brackets."""
    found: list[Span] = []
    depth = 0
    begin = start
    for offset in range(start, end):
        mark = clean[offset]
        if mark in "([{<":
            depth += 1
        elif mark in ")]}>":
            depth -= 1
        elif mark == "," and depth == 0:
            found.append(_trimmed(clean, begin, offset))
            begin = offset + 1
    last = _trimmed(clean, begin, end)
    return [*found, last] if found or last.start < last.end else []


def _trimmed(clean: str, start: int, end: int) -> Span:
    while start < end and clean[start].isspace():
        start += 1
    while end > start and clean[end - 1].isspace():
        end -= 1
    return Span(start, end)


def functions_of(clean: str, items: Iterable[Item]) -> Iterator[Function]:
    """Yield the functions with bodies among `items`, and the members of their structs."""
    for item in items:
        if item.shape is Shape.FUNCTION and item.body >= 0:
            body = Span(item.body, item.body_end)
            function = _function(clean, item.start, item.head, body, "", item.scope)
            if function is not None:
                yield function
        elif item.shape is Shape.TYPE:
            yield from _members(clean, item)


def _members(clean: str, item: Item) -> Iterator[Function]:
    struct = _STRUCT.search(clean, item.start, item.head)
    owner = struct[1] if struct else ""
    start = position = item.body
    while (mark := _MEMBER_MARK.search(clean, position, item.body_end)) is not None:
        position = mark.end()
        if mark[0] == "{":
            end = closing(clean, mark.start(), item.body_end)
            if end < 0:
                return
            body = Span(mark.end(), end)
            function = _function(clean, start, mark.start(), body, owner, item.scope)
            if function is not None:
                yield function
            position = end + 1
        start = position


def _function(
    clean: str, start: int, head_end: int, body: Span, owner: str, scope: str
) -> Function | None:
    head = _ATTRIBUTE.sub(lambda match: blanked(match[0]), clean[start:head_end])
    ends = _HEAD_END.search(head)
    opening = _opening(head, ends.start()) if ends else -1
    called = _CALLED.search(head, 0, opening) if opening >= 0 else None
    if ends is None or called is None:
        return None
    start += len(head) - len(head.lstrip())
    begin = head_end - len(head)
    close = begin + ends.start()
    parameters = tuple(
        parameter
        for span in parts(clean, begin + opening + 1, close)
        if (parameter := _parameter(clean, span)) is not None
    )
    name = "".join(called[1].split())
    signature = clean[start : begin + opening]
    return Function(name, owner, scope, Span(start, begin + opening), parameters, body, signature)


def _opening(head: str, close: int) -> int:
    depth = 0
    for offset in range(close, -1, -1):
        depth += (head[offset] == ")") - (head[offset] == "(")
        if depth == 0:
            return offset
    return -1


def _parameter(clean: str, span: Span) -> FunctionParameter | None:
    written = clean[span.start : span.end]
    attribute = _ATTRIBUTE.search(written)
    plain = _ATTRIBUTE.sub("", written).partition("=")[0].strip()
    name = _NAME.search(plain)
    if name is None:
        return None
    kind = plain[: name.start()].strip()
    if not kind:
        return None
    return FunctionParameter(name[1], kind, span, attribute[0] if attribute else "")
