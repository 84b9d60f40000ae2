"""Function declarators read from tokens: a file's own, or those that macros made."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mkls.syntax.metal.token import Token, is_word

_CALL_LIKE: Final = frozenset(("decltype", "__attribute__", "alignas", "typeof", "__typeof__"))
_NO_SCOPES: Final = frozenset(("void", "kernel", "inline", "static", "const", "constexpr"))
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_GROUPING: Final = frozenset((*_CLOSING, "<"))


class Attribute(NamedTuple):
    """`[[name(arguments)]]`."""

    name: str
    arguments: list[Token]


class Declarator(NamedTuple):
    """The head of a function: everything before its body or its semicolon.

    `template`: the parameters of its template, None without one, empty for `template <>`.
    `explicit`: it is an explicit instantiation. `arguments`: the template arguments after its
    name. `parameters` is None where a type names them (`decltype(f<float>) f<float>`).
    """

    name: Token
    qualified: str
    template: list[list[Token]] | None
    explicit: bool
    arguments: list[list[Token]] | None
    attributes: list[Attribute]
    specifiers: list[Token]
    parameters: list[list[Token]] | None

    @property
    def is_kernel(self) -> bool:
        """Whether it says `kernel` or `[[kernel]]`."""
        return any(token.text == "kernel" for token in self.specifiers) or any(
            attribute.name in ("kernel", "metal::kernel") for attribute in self.attributes
        )


def declarator_of(tokens: list[Token]) -> Declarator | None:
    """Return the function declarator that `tokens` hold, or None when they hold none."""
    return _Reader(tokens).declarator()


def split(tokens: list[Token]) -> list[list[Token]]:
    """Return the parts of `tokens` between commas outside brackets and angle brackets."""
    parts: list[list[Token]] = []
    start = index = 0
    while index < len(tokens):
        text = tokens[index].text
        if text == ",":
            parts.append(tokens[start:index])
            start = index = index + 1
        elif text in _GROUPING:
            index = group_end(tokens, index)
        else:
            index += 1
    if start < len(tokens) or parts:
        parts.append(tokens[start:])
    return parts


def doubled(tokens: list[Token], index: int) -> bool:
    """Whether `[[` stands at `index`."""
    following = tokens[index + 1 : index + 2]
    return tokens[index].text == "[" and bool(following) and following[0].text == "["


def group_end(tokens: list[Token], index: int) -> int:
    """Return the index after the bracket group that starts at `index`, or after one token."""
    text = tokens[index].text
    if text in _CLOSING:
        return _bracket_end(tokens, index)
    if text == "<" and index > 0 and is_word(tokens[index - 1].text):
        return _angle_end(tokens, index) or index + 1
    return index + 1


def _bracket_end(tokens: list[Token], index: int) -> int:
    opening = tokens[index].text
    closing = _CLOSING[opening]
    depth = 0
    for at, token in enumerate(tokens[index:], index + 1):
        if token.text == opening:
            depth += 1
        elif token.text == closing:
            depth -= 1
            if depth == 0:
                return at
    return len(tokens)


def _angle_end(tokens: list[Token], index: int) -> int:
    """Return the index after the `>` that closes the `<` at `index`, 0 when nothing does."""
    depth = 0
    while index < len(tokens):
        text = tokens[index].text
        if text in _CLOSING:
            index = _bracket_end(tokens, index)
            continue
        depth += (text == "<") - (text == ">") - 2 * (text == ">>")
        index += 1
        if depth <= 0:
            return index
        if text == ";":
            return 0
    return 0


class _Reader:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.index = 0
        self.template: list[list[Token]] | None = None
        self.explicit = False
        self.attributes: list[Attribute] = []
        self.specifiers: list[Token] = []
        self.arguments: tuple[int, int] | None = None

    def declarator(self) -> Declarator | None:
        while self.index < len(self.tokens):
            text = self._text(0)
            if text == "(":
                if not self.specifiers:
                    return None
                end = _bracket_end(self.tokens, self.index)
                return self._finished(split(self.tokens[self.index + 1 : end - 1]))
            if text in ("=", ";", "{"):
                break
            self._step(text)
        if self.arguments and self.specifiers and self.explicit:
            return self._finished(None)
        return None

    def _text(self, ahead: int) -> str:
        index = self.index + ahead
        return self.tokens[index].text if index < len(self.tokens) else ""

    def _step(self, text: str) -> None:
        if text == "template":
            self._template()
        elif text == "[" and self._text(1) == "[":
            end = _bracket_end(self.tokens, self.index)
            self.attributes += attributes_of(self.tokens[self.index : end])
            self.index = end
        elif text in _CALL_LIKE and self._text(1) == "(":
            self.index = _bracket_end(self.tokens, self.index + 1)
        else:
            self._specifier(text)

    def _template(self) -> None:
        self.index += 1
        if self._text(0) != "<":
            self.explicit = self.template is None
            return
        end = _angle_end(self.tokens, self.index) or self.index + 1
        parameters = split(self.tokens[self.index + 1 : end - 1])
        self.template = [*(self.template or []), *parameters]
        self.index = end

    def _specifier(self, text: str) -> None:
        if text == "<" and self.specifiers and is_word(self.specifiers[-1].text):
            end = _angle_end(self.tokens, self.index) or self.index + 1
            self.arguments = (self.index + 1, end - 1)
            self.index = end
            return
        if text != "operator":
            self.arguments = None
            self.specifiers.append(self.tokens[self.index])
            self.index += 1
            return
        self._operator()

    def _operator(self) -> None:
        symbols = [self.tokens[self.index]]
        self.index += 1
        if self._text(0) == "(" and self._text(1) == ")":
            symbols += self.tokens[self.index : self.index + 2]
            self.index += 2
        while self.index < len(self.tokens) and self._text(0) != "(":
            symbols.append(self.tokens[self.index])
            self.index += 1
        name = "".join(token.text for token in symbols)
        self.arguments = None
        self.specifiers.append(Token(name, True, symbols[0].start))

    def _finished(self, parameters: list[list[Token]] | None) -> Declarator:
        arguments = None
        if self.arguments is not None:
            arguments = split(self.tokens[self.arguments[0] : self.arguments[1]])
        name, qualified, before = _name(self.specifiers)
        return Declarator(
            name,
            qualified,
            self.template,
            self.explicit,
            arguments,
            self.attributes,
            before,
            parameters,
        )


def _name(specifiers: list[Token]) -> tuple[Token, str, list[Token]]:
    """Return the name that ends `specifiers`, its qualified spelling and what comes before."""
    index = len(specifiers) - 1
    while index >= 2 and specifiers[index - 1].text == "::" and _qualifies(specifiers[index - 2]):
        index -= 2
    if index >= 1 and specifiers[index - 1].text == "::":
        index -= 1
    qualified = "".join(token.text for token in specifiers[index:])
    return specifiers[-1], qualified, specifiers[:index]


def _qualifies(token: Token) -> bool:
    return is_word(token.text) and token.text not in _NO_SCOPES


def attributes_of(tokens: list[Token]) -> list[Attribute]:
    """Return the attributes of `[[…]]`, or of several in a row."""
    inside = tokens[2:-2] if len(tokens) > 4 else []
    found: list[Attribute] = []
    for part in split(inside):
        opening = next((index for index, token in enumerate(part) if token.text == "("), len(part))
        name = "".join(token.text for token in part[:opening])
        found.append(Attribute(name, part[opening + 1 : -1]))
    return found


def heads_of(tokens: list[Token]) -> Iterator[tuple[list[Token], list[Token] | None]]:
    """Yield the head of each declaration among `tokens`, and its body with its braces, if any."""
    start = index = 0
    while index < len(tokens):
        text = tokens[index].text
        if text == ";":
            yield tokens[start:index], None
            start = index = index + 1
        elif text == "{" and _opens_namespace(tokens[start:index]):
            start = index = index + 1
        elif text == "{":
            end = _bracket_end(tokens, index)
            is_value = index > start and tokens[index - 1].text == "="
            if not is_value:
                yield tokens[start:index], tokens[index:end]
                start = end
            index = end
        elif text == "}":
            start = index = index + 1
        else:
            index = _bracket_end(tokens, index) if text in _CLOSING else index + 1
    if start < len(tokens):
        yield tokens[start:], None


def _opens_namespace(head: list[Token]) -> bool:
    return any(token.text == "namespace" for token in head[:2])
