"""Values of `#if` expressions (C++20 [cpp.cond]): a small parser, never `eval`."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from mkls.syntax.metal.expansion import expanded
from mkls.syntax.metal.macro import Macro
from mkls.syntax.metal.token import Token, is_word, tokens_of

HasInclude = Callable[[str], bool]
"""Whether a header (spelled without its quotes) can be included."""

_NUMBER: Final = re.compile(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*)[uUlLzZ]*\Z")
_PRECEDENCE: Final = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_TERNARY: Final = 0
_FEATURE_TESTS: Final = ("__has_include", "__has_include_next", "__has_embed")
_UNKNOWN_TESTS: Final = (
    "__has_attribute", "__has_builtin", "__has_cpp_attribute", "__has_extension", "__has_feature",
    "__has_constexpr_builtin", "__is_identifier",
)  # fmt: skip


class _MalformedError(Exception):
    pass


def condition_value(
    text: str, macros: Mapping[str, Macro], has_include: HasInclude = lambda _: False
) -> int | None:
    """Return the value of the expression `text`, or None when it has none (malformed)."""
    tokens = _tested(tokens_of(text), macros, has_include)
    try:
        return _Parser(expanded(tokens, macros)).value()
    except (_MalformedError, RecursionError, OverflowError):
        return None


def _tested(
    tokens: list[Token], macros: Mapping[str, Macro], has_include: HasInclude
) -> list[Token]:
    """Return `tokens` with `defined` and `__has_…` replaced by their answers."""
    out: list[Token] = []
    index = 0
    while index < len(tokens):
        answer, index = _answer(tokens, index, macros, has_include)
        out.append(answer)
    return out


def _answer(
    tokens: list[Token], index: int, macros: Mapping[str, Macro], has_include: HasInclude
) -> tuple[Token, int]:
    token = tokens[index]
    if token.text == "defined":
        name, end = _operand(tokens, index + 1)
        if is_word(name):
            return _digit(name in macros or name in _FEATURE_TESTS), end
    elif token.text in _FEATURE_TESTS:
        header, end = _operand(tokens, index + 1)
        return _digit(has_include(header.strip('<>" '))), end
    elif token.text in _UNKNOWN_TESTS and token.text not in macros:
        return _digit(False), _operand(tokens, index + 1)[1]
    return token, index + 1


def _operand(tokens: list[Token], index: int) -> tuple[str, int]:
    """Return the text of the operand at `index`, with or without parentheses, and its end."""
    if index >= len(tokens):
        return "", index
    if tokens[index].text != "(":
        return tokens[index].text, index + 1
    end = index
    while end < len(tokens) and tokens[end].text != ")":
        end += 1
    return "".join(token.text for token in tokens[index + 1 : end]), end + 1


def _digit(truth: bool) -> Token:
    return Token("1" if truth else "0", True)


class _Parser:
    """Precedence climbing over expanded tokens."""

    def __init__(self, tokens: list[Token]) -> None:
        self.texts = [token.text for token in tokens]
        self.index = 0

    def value(self) -> int:
        value = self._ternary()
        if self.index != len(self.texts):
            raise _MalformedError
        return value

    def _peek(self) -> str:
        return self.texts[self.index] if self.index < len(self.texts) else ""

    def _take(self) -> str:
        text = self._peek()
        self.index += 1
        return text

    def _ternary(self) -> int:
        condition = self._binary(1)
        if self._peek() != "?":
            return condition
        self._take()
        chosen = self._ternary()
        if self._take() != ":":
            raise _MalformedError
        other = self._ternary()
        return chosen if condition else other

    def _binary(self, lowest: int) -> int:
        left = self._unary()
        while _PRECEDENCE.get(self._peek(), _TERNARY) >= lowest:
            operator = self._take()
            right = self._binary(_PRECEDENCE[operator] + 1)
            left = _combined(operator, left, right)
        return left

    def _unary(self) -> int:
        text = self._take()
        if text == "(":
            value = self._ternary()
            if self._take() != ")":
                raise _MalformedError
            return value
        if text in ("!", "-", "+", "~"):
            value = self._unary()
            return {"!": int(not value), "-": -value, "+": value, "~": ~value}[text]
        return _primary(text)


def _primary(text: str) -> int:
    if is_word(text):
        return int(text == "true")
    number = _NUMBER.match(text)
    if number:
        digits = number[1].replace("'", "")
        is_octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
        try:
            return int(digits, 8) if is_octal else int(digits, 0)
        except ValueError:
            raise _MalformedError from None
    if len(text) == 3 and text[0] == text[2] == "'":
        return ord(text[1])
    raise _MalformedError


def _combined(operator: str, left: int, right: int) -> int:
    if operator in ("/", "%"):
        if right == 0:
            raise _MalformedError
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operator == "/" else left - quotient * right
    if operator in ("<<", ">>"):
        shift = right if operator == "<<" else -right
        return left << min(shift, 64) if shift >= 0 else left >> min(-shift, 64)
    return _OPERATORS[operator](left, right)


_OPERATORS: Final[dict[str, Callable[[int, int], int]]] = {
    "||": lambda left, right: int(bool(left) or bool(right)),
    "&&": lambda left, right: int(bool(left) and bool(right)),
    "|": lambda left, right: left | right,
    "^": lambda left, right: left ^ right,
    "&": lambda left, right: left & right,
    "==": lambda left, right: int(left == right),
    "!=": lambda left, right: int(left != right),
    "<": lambda left, right: int(left < right),
    ">": lambda left, right: int(left > right),
    "<=": lambda left, right: int(left <= right),
    ">=": lambda left, right: int(left >= right),
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
}
