"""Turn Objective-C++ into C++ of the same length that tree-sitter-cpp can read.

Message sends become parenthesised lists, `@` literals and blocks their C++ kin; comments,
directives and the contents of strings become spaces. Every offset stays what it was, so that the
tree's places are the original text's.
"""

import re
from collections.abc import Callable

from mkls.syntax.host.blanking import Code
from mkls.syntax.host.message_sends import Matches, selector_pieces

_BRACKET = re.compile(r"[()\[\]{}]")
_CLOSING = {")": "(", "]": "[", "}": "{"}
_CLASS = re.compile(
    r"^@(?:implementation|interface|protocol)\b[^;\n]*\n.*?^@end|^@(?:class|protocol|import)[^\n;]*;",
    re.DOTALL | re.MULTILINE,
)
_RAW = re.compile(r'R"\s*"')
_QUALIFIER = re.compile(
    r"\b(?:__bridge(?:_transfer|_retained)?|__block|__weak|__strong|__unsafe_unretained|__nonnull"
    r"|__nullable|_Nonnull|_Nullable|__autoreleasing|API_AVAILABLE\([^()]*\))\b"
)
_FOR_IN = re.compile(r"\bfor\s*\([^();]*?\s(in)\s")
_AT = re.compile(
    r"@(?:(autoreleasepool|finally|try|catch|throw|synchronized|selector|encode"
    r"|protocol|available|YES|NO|optional|required|package|property)\b|(?=[\"\[{(R\d-]))"
)
_AVAILABLE = re.compile(r"\b__builtin_available\s*(?=\()")
_BLOCK = re.compile(r"\^(?P<type>[\w\s:*<>,&]*?)(?P<list>\(|\{)")
_BLOCK_TYPE = re.compile(r"\(\s*(\^)\s*(?:\w+\s*)?\)\s*\(")
_SEND_OR_LITERAL = re.compile(r"\[")
_KEPT = frozenset({"try", "catch", "throw", "YES", "NO"})
_VALUES = frozenset({"selector", "encode", "protocol", "available"})
_BEFORE_BINARY = re.compile(r"[\w)\]\"']\s*\Z")
_KEYWORD_BEFORE = re.compile(r"\b(?:return|case|else)\s*\Z")


def masked(code: Code) -> str:
    """Return C++ of the same length as `code`, with every code point outside ASCII a `?`."""
    return _Mask(code).run()


class _Mask:
    def __init__(self, code: Code) -> None:
        text = _CLASS.sub(_blank, code.code) if "@" in code.code else code.code
        self.code = text
        self.out = list(_RAW.sub(_flattened, text))
        self.matches = _matches(text)

    def run(self) -> str:
        self._each(_QUALIFIER, self._qualifier)
        self._each(_FOR_IN, lambda match: self._put(*match.span(1), ":"))
        self._each(_AVAILABLE, lambda match: self._value(match.start(), match.end()))
        self._each(_AT, self._at)
        self._each(_SEND_OR_LITERAL, self._send)
        self._each(_BLOCK, self._block)
        self._each(_BLOCK_TYPE, lambda match: self._put(match.start(1), match.end(1), "*"))
        return "".join(self.out).encode("ascii", "replace").decode("ascii")

    def _each(self, pattern: re.Pattern[str], act: Callable[[re.Match[str]], None]) -> None:
        for match in pattern.finditer(self.code):
            act(match)

    def _put(self, start: int, end: int, text: str = "") -> None:
        for at in range(start, end):
            if self.out[at] != "\n":
                self.out[at] = " "
        self.out[start : start + len(text)] = text

    def _qualifier(self, match: re.Match[str]) -> None:
        self._put(*match.span())

    def _value(self, start: int, opening: int) -> None:
        close = self.matches.get(opening)
        self._put(start, opening if close is None else close + 1, "1")

    def _at(self, match: re.Match[str]) -> None:
        word, (start, end) = match[1], match.span()
        if word in _KEPT or word == "property":
            self._put(start, start + 1)
        elif word in _VALUES and self.code[end : end + 1] == "(":
            self._value(start, end)
        elif word == "synchronized":
            self._put(start, end, "if")
        elif word:
            self._put(start, end)
        elif self.code[end] == "[":
            self._braces(start, end)
        elif self.code[end] == "{":
            self._braces(start, end)
            self._pairs(end)
        else:
            self._put(start, end)

    def _braces(self, start: int, opening: int) -> None:
        close = self.matches.get(opening)
        if close is not None:
            self.out[start], self.out[opening], self.out[close] = "T", "{", "}"

    def _pairs(self, opening: int) -> None:
        """Turn the colons of `@{key : value}` into commas."""
        at, close, ternaries = opening + 1, self.matches.get(opening), 0
        while close is not None and at < close:
            mark = self.code[at]
            if mark == "?":
                ternaries += 1
            elif mark == ":" and self.code[at + 1] != ":" and self.code[at - 1] != ":":
                if ternaries:
                    ternaries -= 1
                else:
                    self.out[at] = ","
            at = self.matches.get(at, at) + 1

    def _send(self, match: re.Match[str]) -> None:
        opening = match.start()
        if self.code[opening - 1 : opening] == "@":
            return
        pieces = selector_pieces(self.code, self.matches, opening)
        if pieces is None:
            return
        self.out[opening], self.out[self.matches[opening]] = "(", ")"
        self._generics(opening, pieces[0][0])
        for start, end in pieces:
            self._put(start, end, "," if self.code[end - 1] == ":" else "")

    def _generics(self, opening: int, end: int) -> None:
        """Blank the type arguments of a class that receives a message."""
        start = self.code.find("<", opening, end)
        if (
            start >= 0
            and "(" not in self.code[opening:start]
            and "[" not in self.code[opening + 1 : start]
        ):
            self._put(start, self.code.rfind(">", opening, end) + 1)

    def _block(self, match: re.Match[str]) -> None:
        start, opening = match.start(), match.start("list")
        has_body = self.code[opening] == "{" or self._has_body(opening)
        if not has_body:
            return
        before = self.code[max(0, start - 40) : start]
        if not _BEFORE_BINARY.search(before) or _KEYWORD_BEFORE.search(before):
            self._lambda(start, opening)

    def _has_body(self, opening: int) -> bool:
        close = self.matches.get(opening)
        return close is not None and self.code[close + 1 : close + 40].lstrip().startswith("{")

    def _lambda(self, start: int, opening: int) -> None:
        if opening > start + 1:
            self._put(start, opening, "[]")
        elif start and self.out[start - 1] == " ":
            self.out[start - 1 : start + 1] = "[]"
        elif self.code[opening] == "(":
            self._put(start, self.matches[opening] + 1, "[]")


def _matches(code: str) -> Matches:
    """Return the closing bracket of every opening one, forgiving what does not pair."""
    found: Matches = {}
    stack: list[int] = []
    for match in _BRACKET.finditer(code):
        mark = match[0]
        if mark not in _CLOSING:
            stack.append(match.start())
            continue
        for depth in range(1, min(4, len(stack)) + 1):
            if code[stack[-depth]] == _CLOSING[mark]:
                found[stack[-depth]] = match.start()
                del stack[-depth:]
                break
    return found


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _flattened(match: re.Match[str]) -> str:
    return ' "' + " " * (len(match[0]) - 3) + '"'
