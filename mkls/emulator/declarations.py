"""The declarations of a translation unit: where each starts, where its body is, what it names."""

from collections.abc import Iterator

import msgspec

from mkls.emulator.tokens import Tokens, is_identifier

_TAKES_PARENTHESES = frozenset(
    {"alignas", "__attribute__", "__declspec", "decltype", "noexcept", "requires", "coherent"}
)
_TYPE_WORDS = frozenset({"struct", "class", "union", "enum"})


class Declaration(msgspec.Struct, frozen=True):
    """Tokens `first` to `last` (inclusive: `;` or `}`) of one declaration.

    `head` is the first token behind template headers; `parameters` the `(` of a function's
    parameter list; `name` the token of what is declared, -1 when there is none; `body` the `{`.
    """

    first: int
    head: int
    last: int
    name: int
    parameters: int
    body: int
    template: bool
    instantiation: bool
    scope: tuple[str, ...]
    is_type: bool
    is_constructor: bool


def declarations(tokens: Tokens) -> Iterator[Declaration]:
    """All declarations at namespace scope and inside types, in source order."""
    yield from _scope(tokens, 0, len(tokens), ())


def _scope(tokens: Tokens, first: int, last: int, scope: tuple[str, ...]) -> Iterator[Declaration]:
    texts = tokens.texts
    index = first
    while index < last:
        text = texts[index]
        if text in (";", "}"):
            index += 1
        elif text in ("public", "private", "protected") and texts[index + 1 : index + 2] == [":"]:
            index += 2
        elif body := _namespace_body(tokens, index, last):
            yield from _scope(tokens, body + 1, tokens.close(body), (*scope, texts[body - 1]))
            index = tokens.close(body) + 1
        else:
            declaration = _declaration(tokens, index, last, scope)
            yield declaration
            if declaration.is_type and declaration.body >= 0:
                body = declaration.body
                inner = (*scope, tokens.joined(declaration.first, body))
                yield from _scope(tokens, body + 1, tokens.close(body), inner)
            index = declaration.last + 1


def _namespace_body(tokens: Tokens, index: int, last: int) -> int:
    """The `{` of a namespace or of `extern "C"` that starts at `index`; 0 when none does."""
    texts = tokens.texts
    if texts[index] == "inline" and texts[index + 1 : index + 2] == ["namespace"]:
        index += 1
    if texts[index] == "extern" and texts[index + 2 : index + 3] == ["{"]:
        return index + 2
    if texts[index] != "namespace":
        return 0
    while index < last and texts[index] not in ("{", ";", "="):
        index += 1
    return index if index < last and texts[index] == "{" else 0


def _skip_template_headers(tokens: Tokens, index: int, last: int) -> int:
    while texts_at(tokens, index, 2) == ["template", "<"]:
        index = tokens.angle_close(index + 1, last) + 1
    return index


def texts_at(tokens: Tokens, index: int, count: int) -> list[str]:
    """The texts of `count` tokens from `index`."""
    return tokens.texts[index : index + count]


def _declaration(tokens: Tokens, first: int, last: int, scope: tuple[str, ...]) -> Declaration:
    head = _skip_template_headers(tokens, first, last)
    scan = _Scan(tokens, head, last)
    scan.run()
    texts, name, end = tokens.texts, scan.name, min(scan.index, last - 1)
    if name < 0:
        name = _plain_name(tokens, head, end if scan.body < 0 else scan.body, scan.is_type)
    constructs = bool(scope) and name >= 0 and scope[-1].split(" <")[0].endswith(" " + texts[name])
    return Declaration(
        first=first,
        head=head,
        last=end,
        name=name,
        parameters=scan.parameters,
        body=scan.body,
        template=head > first,
        instantiation=head == first and texts[first] == "template",
        scope=scope,
        is_type=scan.is_type and scan.body >= 0,
        is_constructor=constructs,
    )


class _Scan:
    """Walks over one declaration until its end, at `index`."""

    def __init__(self, tokens: Tokens, head: int, last: int) -> None:
        self.index = head
        self.name = self.parameters = self.body = -1
        self.is_type = False
        self._tokens = tokens
        self._head = head
        self._last = last
        self._assigned = False

    def run(self) -> None:
        texts = self._tokens.texts
        while self.index < self._last and texts[self.index] != ";":
            if texts[self.index] in ("(", "[", "<"):
                self._bracket(texts[self.index])
            elif texts[self.index] == "{":
                if self._brace():
                    return
            else:
                self._word(texts[self.index])
            self.index += 1

    def _bracket(self, text: str) -> None:
        texts, before = self._tokens.texts, self._tokens.texts[self.index - 1]
        if text == "(" and before == "operator" and texts[self.index + 1 : self.index + 2] == [")"]:
            self.index += 1  # the name `operator()`
        elif text == "<":
            if self.index > self._head and is_identifier(before) and self.parameters < 0:
                close = self._tokens.angle_close(self.index, self._last)
                self.index = close if close < self._last else self.index
        else:
            if text == "(" and self._opens_parameters(before):
                self.parameters = self.index
                self.name = _name_before(self._tokens, self.index, self._head)
            self.index = self._tokens.close(self.index)

    def _opens_parameters(self, before: str) -> bool:
        return self.parameters < 0 and not self._assigned and before not in _TAKES_PARENTHESES

    def _brace(self) -> bool:
        """Step over a `{`; true when it was a function's body, which ends the declaration."""
        self.body = self.index
        self.index = self._tokens.close(self.index)
        if self.parameters < 0 or self._assigned or self.is_type:
            return False
        self.index = _after_initialisers(self._tokens, self.index, self._last)
        self.body = self._tokens.partner.get(self.index, self.body)
        return True

    def _word(self, text: str) -> None:
        before = self._tokens.texts[self.index - 1]
        if text == "=" and before != "operator" and before not in "=!<>+-*/%&|^":
            self._assigned = True
        elif text in _TYPE_WORDS and self.parameters < 0 and not self._assigned:
            self.is_type = True


def _after_initialisers(tokens: Tokens, close: int, last: int) -> int:
    """A constructor's `: a{1}, b(2) {` holds braces before the body: the body's `}` is wanted."""
    texts = tokens.texts
    while close + 1 < last and texts[close + 1] in (",", "{"):
        index = close + 1
        while index < last and texts[index] not in ("{", ";"):
            index = tokens.close(index) if texts[index] == "(" else index
            index += 1
        if index >= last or texts[index] == ";":
            break
        close = tokens.close(index)
    return close


def _name_before(tokens: Tokens, parenthesis: int, limit: int) -> int:
    """The name in front of a parameter list, template arguments skipped."""
    texts = tokens.texts
    for index in range(parenthesis - 1, max(parenthesis - 5, limit - 1), -1):
        if texts[index] == "operator":
            return index
    index = parenthesis - 1
    if index >= limit and texts[index] == ">":
        depth = 0
        while index > limit:
            depth += (texts[index] == ">") - (texts[index] == "<")
            if texts[index] in ")]}" and index in tokens.partner:
                index = tokens.partner[index]
            index -= 1
            if depth == 0:
                break
    return index if index >= limit and is_identifier(texts[index]) else -1


def _plain_name(tokens: Tokens, first: int, last: int, is_type: bool) -> int:
    """The name of a type, an alias, a variable or an instantiation without a parameter list."""
    texts = tokens.texts
    name, index = -1, first
    while index < last:
        text = texts[index]
        if text in ("=", "{", ":") and (name >= 0 or text != ":"):
            break
        if text in ("(", "["):
            index = tokens.close(index)
        elif text == "<" and index > first and is_identifier(texts[index - 1]):
            close = tokens.angle_close(index, last)
            if is_type:
                break
            index = close if close < last else index
        elif is_identifier(text) and text not in _TAKES_PARENTHESES:
            name = index
        index += 1
    return name
