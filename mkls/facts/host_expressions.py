"""Fold C++ and Objective-C++ string expressions into name expressions."""

import re
from collections.abc import Callable
from typing import NamedTuple

from mkls.facts.model.name_expression import (
    Call,
    Choice,
    Concat,
    Dtype,
    Literal,
    NameExpression,
    Unknown,
    choice,
    concat,
)
from mkls.facts.string_literals import format_parts, literal_value
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.brackets import closing_bracket, find_outside, split_commas, trimmed
from mkls.text.span import Span

DTYPE_FUNCTIONS = frozenset({"scalarToMetalTypeString"})
FORMATS = frozenset({"fmt::format", "std::format"})
CONCATENATIONS = frozenset({"c10::str", "at::str", "torch::str", "absl::StrCat"})
TRANSPARENT = frozenset(
    {
        *("std::string", "string", "std::string_view", "string_view", "c10::string_view", "String"),
        *("fmt::runtime", "FMT_COMPILE", "FMT_STRING", "std::move", "std::forward", "NSString"),
    }
)
_SENDS = {
    "stringWithUTF8String": "plain",
    "stringWithCString": "plain",
    "initWithUTF8String": "plain",
    "stringWithString": "plain",
    "stringWithFormat": "printf",
}
_QUESTION_OR_COLON = re.compile(r"::|[?:()\[\]{}]")
_PLUS = re.compile(r"\+\+|\+=|->|[+()\[\]{}]")
_STRING = re.compile(r'@?(?:R"\s*"|"\s*")')
_CALL = re.compile(r"(?:::)?([A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)\s*(<[^()]*?>)?\s*([({])")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z")
_QUALIFIED = re.compile(r"(?:::)?(?:\w+::)*([A-Za-z_]\w*)\Z")
_STRING_METHOD = re.compile(
    r"\s*(?:\.|->)\s*(?:c_str|str|data|UTF8String|UTF8String)\s*(?:\(\s*\))?\s*\Z"
)
_SEND = re.compile(r"\[\s*NSString\s+(\w+)\s*:")
_NEXT_SELECTOR = re.compile(r"\s\w+\s*:(?!:)")
_ADJACENT = re.compile(r'\s*(?:@?R?"\s*"(?:sv|s)?\b|@?R?"\s*"|[A-Z_][A-Z0-9_]*)')
_ELEMENT = re.compile(r"([A-Za-z_]\w*)\s*(?=\[)")
_NUMBER = re.compile(r"(\d+)[uUlL]*\Z")

Resolve = Callable[[str, int], NameExpression | None]
Invoke = Callable[[str, int, tuple[NameExpression, ...]], NameExpression | None]
_DEPTH = 40


class Expressions(NamedTuple):
    """Folds expressions of one piece of code.

    `resolve` gives what a local name holds at an offset, `invoke` what a local function returns.
    """

    code: Code
    resolve: Resolve
    invoke: Invoke
    function: str = ""

    def fold(self, start: int, end: int, depth: int = 0) -> NameExpression:
        """Return the expression at `[start, end)`; what it cannot fold is `Unknown`."""
        start, end = trimmed(self.code.code, start, end)
        if start >= end or depth > _DEPTH:
            return self._unknown(start, end)
        if (inner := self._inside_parentheses(start, end)) is not None:
            return self.fold(*inner, depth + 1)
        if options := self._ternary(start, end):
            return choice([self.fold(*option, depth + 1) for option in options])
        if len(parts := self._operands(start, end)) > 1:
            values = [self.fold(*part, depth + 1) for part in parts]
            added = any(map(self._is_number, parts, values))
            return self._unknown(start, end) if added else concat(values)
        return self._leaf(start, end, depth + 1)

    def _unknown(self, start: int, end: int) -> Unknown:
        return Unknown(self.code.text[start : min(end, start + 80)], Span(start, max(start, end)))

    def _inside_parentheses(self, start: int, end: int) -> tuple[int, int] | None:
        if self.code.code[start] != "(" or closing_bracket(self.code.code, start, end) != end - 1:
            return None
        return start + 1, end - 1

    def _ternary(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the extents of the two options, or nothing."""
        code = self.code.code
        if "?" not in code[start:end]:
            return []
        question, depth = None, 0
        for mark in find_outside(code, _QUESTION_OR_COLON, start, end):
            if mark[0] == "?":
                question = mark if question is None else question
                depth += 1
            elif mark[0] == ":":
                depth -= 1
                if question is not None and depth == 0:
                    first = (question.end(), mark.start())
                    return [
                        first if first[0] < first[1] else (start, question.start()),
                        (mark.end(), end),
                    ]
        return []

    def _is_number(self, part: tuple[int, int], value: NameExpression) -> bool:
        """Whether `part` is a number, which `+` adds: unlike in a string, its digits are code."""
        if "to_string" in self.code.code[slice(*part)]:
            return False
        options = value.options if isinstance(value, Choice) else (value,)
        return any(
            isinstance(it, Literal)
            and it.text.isdecimal()
            and it.span.of(self.code.code) == it.text
            for it in options
        )

    def _operands(self, start: int, end: int) -> list[tuple[int, int]]:
        marks = [mark for mark in find_outside(self.code.code, _PLUS, start, end) if mark[0] == "+"]
        starts = [start, *(mark.end() for mark in marks)]
        ends = [*(mark.start() for mark in marks), end]
        return list(zip(starts, ends, strict=True))

    def _leaf(self, start: int, end: int, depth: int) -> NameExpression:
        code = self.code.code
        if _STRING.match(code, start, end):
            return self._adjacent_strings(start, end)
        piece = code[start:end]
        if piece[0] == "'":
            return Literal(self.code.text[start + 1 : end - 1], Span(start + 1, end - 1))
        if _IDENTIFIER.match(piece):
            return self._name(piece, start, end)
        if number := _NUMBER.match(piece):
            return Literal(number[1], Span(start, start + number.end(1)))
        if method := _STRING_METHOD.search(piece):
            return self.fold(start, start + method.start(), depth)
        if piece.startswith("@(") or piece[0] in "*&":
            return self.fold(start + 1, end, depth)
        if send := _SEND.match(code, start, end):
            return self._send(send, end, depth)
        if (call := _CALL.match(code, start, end)) and (
            closing_bracket(code, call.end() - 1, end) == end - 1
        ):
            return self._call(call, end, depth)
        return self._element(start, end) or self._named_elsewhere(piece, start, end)

    def _named_elsewhere(self, piece: str, start: int, end: int) -> NameExpression:
        if qualified := _QUALIFIED.match(piece):
            return Call(qualified[1], None, Span(start, end))
        return self._unknown(start, end)

    def _name(self, name: str, start: int, end: int) -> NameExpression:
        if name == "__func__":
            return Literal(self.function, Span(start, end))
        value = self.resolve(name, start)
        return Call(name, None, Span(start, end)) if value is None else value

    def _element(self, start: int, end: int) -> NameExpression | None:
        """Return what an element of a local array of names may be: any of them."""
        array = _ELEMENT.match(self.code.code, start, end)
        whole = array and closing_bracket(self.code.code, array.end(), end) == end - 1
        return self.resolve(f"{array[1]}[]", start) if array and whole else None

    def _adjacent_strings(self, start: int, end: int) -> NameExpression:
        parts: list[NameExpression] = []
        while start < end:
            match = _ADJACENT.match(self.code.code, start, end)
            if not match:
                return self._unknown(start, end)
            begin, start = trimmed(self.code.code, start, match.end())[0], match.end()
            at = 1 if self.code.code[begin] == "@" else 0
            literal = self.code.literal_at(begin + at)
            if literal is None:
                parts.append(Call(self.code.code[begin:start], None, Span(begin, start)))
            else:
                parts.append(literal_value(self.code.text, literal))
            start = trimmed(self.code.code, start, end)[0]
        return concat(parts)

    def _send(self, send: re.Match[str], end: int, depth: int) -> NameExpression:
        kind = _SENDS.get(send[1])
        parts = split_commas(self.code.code, send.end(), end - 1)
        if kind is None or not parts:
            return self._unknown(send.start(), end)
        if kind == "plain":
            selector = _NEXT_SELECTOR.search(self.code.code, *parts[0])
            return self.fold(parts[0][0], selector.start() if selector else parts[0][1], depth)
        return self._format(parts, depth, printf=True)

    def _call(self, call: re.Match[str], end: int, depth: int) -> NameExpression:
        callee = re.sub(r"\s", "", call[1])
        short = callee.rpartition("::")[2]
        parts = split_commas(self.code.code, call.end(), end - 1)
        if short in DTYPE_FUNCTIONS:
            return Dtype(self.code.text[call.end() : end - 1], Span(call.start(), end))
        if callee in TRANSPARENT and parts:
            return self.fold(*parts[0], depth)
        if callee in FORMATS and parts:
            return self._format(parts, depth, printf=False)
        if callee in CONCATENATIONS:
            return concat([self.fold(*part, depth) for part in parts])
        if callee in ("std::to_string", "to_string") and len(parts) == 1:
            return self.fold(*parts[0], depth)
        if callee.startswith("std::") or call[3] == "{":
            return self._unknown(call.start(), end)
        arguments = tuple(self.fold(*part, depth) for part in parts)
        local = self.invoke(callee, call.start(), arguments)
        return Call(short, arguments, Span(call.start(), end)) if local is None else local

    def _format(self, parts: list[tuple[int, int]], depth: int, *, printf: bool) -> NameExpression:
        pattern = self.fold(*parts[0], depth)
        arguments = [self.fold(*part, depth) for part in parts[1:]]
        options = pattern.options if isinstance(pattern, Choice) else (pattern,)
        whole = self._unknown(parts[0][0], parts[-1][1])
        return choice([_formatted(option, arguments, whole, printf=printf) for option in options])


def _formatted(
    pattern: NameExpression, arguments: list[NameExpression], whole: Unknown, *, printf: bool
) -> NameExpression:
    parts: list[NameExpression] = []
    used = 0
    for piece in pattern.parts if isinstance(pattern, Concat) else (pattern,):
        if not isinstance(piece, Literal):
            parts.append(piece)
            continue
        for item in format_parts(piece, used, printf=printf):
            if isinstance(item, Literal):
                parts.append(item)
                continue
            index, plain = item
            used = max(used, index + 1)
            if not 0 <= index < len(arguments):
                return whole
            parts.append(arguments[index] if plain else Unknown("{}", whole.span))
    return concat(parts) if parts else Literal("", whole.span)
