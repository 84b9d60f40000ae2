"""Items at namespace level: declarations, definitions and macro invocations.

Brackets nest by counting. Where one stays open, an item ends before the next line that starts, in
column 0, as an item does: a half-typed item must not swallow its neighbours.
"""

import re
from enum import Enum, auto
from typing import Final, NamedTuple

_STOP: Final = re.compile(r"[;{}(]")
_BRACE: Final = re.compile(r"[{}]")
_PAREN: Final = re.compile(r"[()]")
_INK: Final = re.compile(r"\S")
_FRESH: Final = re.compile(
    r"^(?:template\b|kernel\b|\[\[|struct\b|namespace\b|constant\b|inline\b|static\b|using\b"
    r"|typedef\b|[A-Z][A-Z0-9_]{2,}[ \t]*\(|[a-z]\w*_\w+[ \t]*\(|\})",
    re.MULTILINE,
)
_NAMESPACE: Final = re.compile(
    r"\s*(?:inline\s+)?namespace\b\s*([\w:]*)|\s*extern\s*\"[^\"]*\"\s*\Z"
)
_TYPE: Final = re.compile(r"\s*(?:typedef\s+)?(?:struct|class|union|enum)\b[^()=;]*\Z")
_TEMPLATE: Final = re.compile(r"\s*template\s*<")
_JUNK: Final = re.compile(r"[^\w\[\]:~(){};]|\d")
_JUNK_END: Final = re.compile(r"\n(?=[^\W\d]|\[\[)|[;{}]")
_WORD: Final = re.compile(r"\s*([^\W\d]\w*)\s*\Z")
_WORDS: Final = re.compile(r"[\w\s]+\Z")
_INITIALIZER: Final = re.compile(r"=\s*\Z")
_MANY: Final = 50
"""Unclosed brackets after which no other is looked for: each search reads all that follows."""
_SPECIFIERS: Final = frozenset(
    ("__attribute__", "alignas", "decltype", "static_assert", "_Static_assert", "_Pragma",
     "__pragma", "asm", "__asm__", "typeof", "__typeof__")
)  # fmt: skip


class Shape(Enum):
    """What an item looks like from outside."""

    INVOCATION = auto()
    FUNCTION = auto()
    TYPE = auto()
    OTHER = auto()


class Item(NamedTuple):
    """An item; `body` is the span between its braces, -1 when it has none.

    `head` is where its body, its `;` or (for an invocation) its `(` stands.
    """

    shape: Shape
    start: int
    head: int
    body: int
    body_end: int
    end: int
    scope: str


class Items(NamedTuple):
    """The items of a text, and the brackets that nothing closes or opens."""

    items: list[Item]
    unclosed: list[int]
    unopened: list[int]


def items_of(clean: str) -> Items:
    """Return the items of `clean`, the structure of a text (see `structure_of`)."""
    reader = _Reader(clean)
    reader.read()
    return Items(reader.items, reader.unclosed, reader.unopened)


class _Reader:
    def __init__(self, clean: str) -> None:
        self.clean = clean
        self.items: list[Item] = []
        self.unclosed: list[int] = []
        self.unopened: list[int] = []
        self.scopes: list[tuple[str, int]] = []
        self.start = 0

    def read(self) -> None:
        position = 0
        while True:
            ink = _INK.search(self.clean, position)
            if ink is None:
                break
            self.start = ink.start()
            junk = _JUNK.match(self.clean, self.start)
            position = self._junk() if junk else self._item(self.start)
        self.unclosed += [opening for _, opening in self.scopes]

    def _item(self, position: int) -> int:
        """Read the item at `self.start` from `position` on; return where the next may start."""
        while True:
            stop = _STOP.search(self.clean, position)
            if stop is None:
                end = len(self.clean)
                return self._add(self._ended(end), end, end)
            at, mark = stop.start(), stop[0]
            if mark == ";":
                return self._add(self._ended(at), at, at + 1)
            if mark == "}":
                return self._close(at)
            if mark == "(":
                following = self._parentheses(at)
                if following < 0:
                    return -following
                position = following
                continue
            following = self._braces(at)
            if following < 0:
                return -following
            position = following

    def _junk(self) -> int:
        """Pass what begins no declaration: the inside of a table whose ends are macros."""
        end = _JUNK_END.search(self.clean, self.start)
        if end is None:
            return len(self.clean)
        return end.start() if end[0] in "{}" else end.end()

    def _ended(self, at: int) -> Shape:
        word = _WORD.match(self.clean, self.start, at)
        return Shape.INVOCATION if word else Shape.OTHER

    def _add(self, shape: Shape, head: int, end: int, body: int = -1, body_end: int = -1) -> int:
        scope = "::".join(name for name, _ in self.scopes if name)
        self.items.append(Item(shape, self.start, head, body, body_end, end, scope))
        return end

    def _close(self, at: int) -> int:
        if at > self.start:
            self._add(self._ended(at), at, at)
        if self.scopes:
            self.scopes.pop()
        else:
            self.unopened.append(at)
        return at + 1

    def _parentheses(self, at: int) -> int:
        """Pass the `(` at `at`; a negative result ends the item there."""
        name = _WORD.match(self.clean, self.start, at)
        if name is None and _WORDS.match(self.clean, self.start, at) and self._one_a_line(at):
            self._lone_words(at)
            name = _WORD.match(self.clean, self.start, at)
        end = self._matching(at, _PAREN, "(")
        if end < 0:
            self.unclosed.append(at)
            return -self._add(Shape.OTHER, at, max(-end, at + 1))
        if name is None or name[1] in _SPECIFIERS:
            return end
        ink = _INK.search(self.clean, end)
        after = ink[0] if ink else ""
        if after == "{":
            return end
        stop = ink.end() if ink and after == ";" else end
        return -self._add(Shape.INVOCATION, at, stop)

    def _one_a_line(self, at: int) -> bool:
        lines = self.clean[self.start : at].split("\n")
        return all(len(line.split()) <= 1 for line in lines)

    def _lone_words(self, at: int) -> None:
        words = list(re.finditer(r"\w+", self.clean[self.start : at]))
        base = self.start
        for word in words[:-1]:
            self.start = base + word.start()
            self._add(Shape.INVOCATION, base + word.end(), base + word.end())
        self.start = base + words[-1].start()

    def _braces(self, at: int) -> int:
        """Pass the `{` at `at`; a negative result ends the item there."""
        start = self._after_template()
        opened = _NAMESPACE.match(self.clean, start, at)
        if opened:
            self.scopes.append((opened[1] or "", at))
            return -(at + 1)
        end = self._matching(at, _BRACE, "{")
        if end < 0:
            self.unclosed.append(at)
            return -self._add(Shape.FUNCTION, at, max(-end, at + 1), at + 1, -end)
        if _INITIALIZER.search(self.clean, start, at):
            return end
        if _TYPE.match(self.clean, start, at):
            semicolon = _STOP.search(self.clean, end)
            closed = semicolon is not None and semicolon[0] == ";"
            stop = semicolon.end() if semicolon and closed else end
            return -self._add(Shape.TYPE, at, stop, at + 1, end - 1)
        return -self._add(Shape.FUNCTION, at, end, at + 1, end - 1)

    def _after_template(self) -> int:
        start = self.start
        while (match := _TEMPLATE.match(self.clean, start)) is not None:
            start = _angles_end(self.clean, match.end() - 1)
        return start

    def _matching(self, at: int, marks: re.Pattern[str], opening: str) -> int:
        """Return the offset after the bracket that closes the one at `at`.

        Where none does, return the negated offset at which its item should end.
        """
        depth = 0
        hopeless = len(self.unclosed) > _MANY
        for match in () if hopeless else marks.finditer(self.clean, at):
            if match[0] == opening:
                depth += 1
            else:
                depth -= 1
                if depth == 0:
                    return match.end()
        return -self._limit(at)

    def _limit(self, at: int) -> int:
        """Return where an item that never closes should end: before the next fresh line."""
        fresh = _FRESH.search(self.clean, self.clean.find("\n", at) + 1 or len(self.clean))
        return fresh.start() if fresh else len(self.clean)


_ANGLE: Final = re.compile(r"[<>;{}]")


def _angles_end(clean: str, at: int) -> int:
    depth = 0
    for match in _ANGLE.finditer(clean, at):
        if match[0] == "<":
            depth += 1
        elif match[0] == ">":
            depth -= 1
            if depth == 0:
                return match.end()
        else:
            return match.start()
    return len(clean)
