"""Which functions of a scanned C++ file lead to stubs: by calling, by naming, through helpers."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple

from mkls.facts.cpp_text import WORD_CHARACTERS, body_end, in_comment, is_word
from mkls.facts.model.host import Function, FunctionKind, StubDeclaration, StubUse
from mkls.facts.model.name import Name
from mkls.text.span import Span

_TYPE = re.compile(r"\n(struct|class) (?:\w+_API )?(\w+)[^;{}()]*\{")
_CALLED_BEFORE = re.compile(r"\b([A-Za-z_]\w*)\s*\(\s*(?:[\w:.>-]|\(\))*\Z")
_REACH_BACK = 160
DEVICES = ("device_type()", "device().type()")
"""How the device of what a stub gets is asked for."""
_HELPER_NAME = re.compile(r"(?:_impl|_helper|_internal|_template|_common|_kernel)_?\Z")


class Definition(NamedTuple):
    """A function or a type that begins in column 0."""

    name: Name
    kind: FunctionKind
    internal: bool
    helps: bool
    """Whether other functions of the file may go through it."""


Define = Callable[[re.Match[str]], Definition]


def helps(text: str, match: re.Match[str], name: str) -> bool:
    """Whether the function with the header `match` is one that others of its file go through."""
    head, start = match[1], match.start(1)
    if "static" in head or "inline" in head or _HELPER_NAME.search(name):
        return True
    return text[text.rfind("\n", 0, max(start - 1, 0)) + 1 : start].startswith("template")


def _type(match: re.Match[str]) -> Definition:
    name = Name(match[2], Span(*match.span(2)))
    return Definition(name, FunctionKind.TYPE, internal=True, helps=True)


def using_functions(
    text: str, headers: list[re.Match[str]], define: Define, stubs: list[StubDeclaration]
) -> list[Function]:
    """Return the functions and types of `text` that lead to stubs.

    `headers` are those of its functions, in order and with their braces; `define` reads one.
    """
    types = list(_TYPE.finditer(text)) if "\nstruct " in text else []
    owners = _Owners(text, sorted([*headers, *types], key=_start))
    uses: dict[int, list[StubUse]] = {}
    known: dict[int, Definition] = {}
    waiting = list(_direct(text, stubs))
    followed: set[str] = set()
    while waiting:
        use = waiting.pop()
        owner = owners.around(use.name.span.start)
        if owner < 0:
            continue
        if owner not in known:
            match = owners.matches[owner]
            known[owner] = _type(match) if match.re is _TYPE else define(match)
        name = known[owner].name.text
        if name == use.name.text:
            continue
        uses.setdefault(owner, []).append(use)
        if known[owner].helps and name not in followed:
            followed.add(name)
            waiting += _mentions(text, name)
    return [
        _function(known[owner], owners.span(owner), found) for owner, found in sorted(uses.items())
    ]


def _start(match: re.Match[str]) -> int:
    return match.start()


class _Owners:
    """Finds what an offset belongs to."""

    def __init__(self, text: str, matches: list[re.Match[str]]) -> None:
        self.matches = matches
        self._text = text
        self._starts = [match.start() for match in matches]

    def around(self, at: int) -> int:
        """Return the index of the match whose body holds `at`, or -1."""
        index = bisect_right(self._starts, at) - 1
        if index < 0:
            return -1
        body = self.matches[index].end()
        return index if body <= at <= body_end(self._text, body) else -1

    def span(self, index: int) -> Span:
        """Return the extent of a definition."""
        match = self.matches[index]
        return Span(match.start(1), body_end(self._text, match.end()))


def _function(definition: Definition, span: Span, uses: list[StubUse]) -> Function:
    return Function(
        name=definition.name,
        kind=definition.kind,
        qualifier="",
        internal=definition.internal,
        parameters=(),
        span=span,
        uses=tuple(sorted(uses, key=lambda use: use.name.span)),
    )


def _direct(text: str, stubs: list[StubDeclaration]) -> Iterator[StubUse]:
    """Yield what is called with a device, and what by its name or definition is a stub."""
    seen: set[int] = set()
    for use in (use for word in DEVICES for use in _calls(text, word)):
        seen.add(use.name.span.start)
        yield use
    odd = [it.stub.text for it in stubs if it.defines and "_stub" not in it.stub.text]
    for use in (*_stub_words(text), *(use for name in odd for use in _mentions(text, name))):
        if use.name.span.start not in seen:
            yield use


def _calls(text: str, device: str) -> Iterator[StubUse]:
    """Yield what is called with an expression that ends in `device` as its first argument."""
    at = text.find(device)
    while at >= 0:
        begin = max(0, at - _REACH_BACK)
        call = _CALLED_BEFORE.search(text[begin:at])
        if call and not in_comment(text, begin + call.start(1)):
            span = Span(begin + call.start(1), begin + call.end(1))
            yield StubUse(Name(call[1], span), called=True)
        at = text.find(device, at + len(device))


def _mentions(text: str, name: str) -> Iterator[StubUse]:
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        whole = not (is_word(text[at - 1 : at]) or is_word(text[end : end + 1]))
        if whole and not in_comment(text, at):
            yield StubUse(Name(name, Span(at, end)), called=False)
        at = text.find(name, end)


def _stub_words(text: str) -> Iterator[StubUse]:
    at = text.find("_stub")
    while at >= 0:
        before = text[max(0, at - 80) : at]
        start, end = at - len(before) + len(before.rstrip(WORD_CHARACTERS)), at + 5
        if not is_word(text[end : end + 1]) and not in_comment(text, start):
            yield StubUse(Name(text[start:end], Span(start, end)), called=False)
        at = text.find("_stub", end)
