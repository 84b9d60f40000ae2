"""Split blanked C++ into its top-level items.

The braces of a namespace or of `extern "C"` do not nest. An item that is half typed ends where
the next one plainly begins, so that its neighbours stay whole.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mkls.syntax.host.brackets import closing_parenthesis, trimmed


class Item(NamedTuple):
    """A top-level item: `[start, end)`, where its header ends, and its body if it has one.

    `body` is the offset after `{` and that of the closing `}`.
    """

    start: int
    end: int
    header_end: int
    body: tuple[int, int] | None

    def shifted(self, by: int) -> "Item":
        """Return this item moved by `by` characters."""
        body = (self.body[0] + by, self.body[1] + by) if self.body else None
        return Item(self.start + by, self.end + by, self.header_end + by, body)


_STOP = re.compile(r"[{};]")
_RESTART = r"\n(?=TORCH_IMPL_FUNC\b|REGISTER_\w*DISPATCH\b|TORCH_LIBRARY\w*\(|namespace\b)"
_BRACE_OR_RESTART = re.compile(r"[{}]|" + _RESTART)
_SCOPE = re.compile(
    r"(?:(?:inline\s+)?\bnamespace\b(?:\s+[\w:]+|\s+__attribute__\s*\(\(.*?\)\))*|extern\s*\"\s*\")\s*\Z"
)
_SCOPE_WORD = re.compile(r"\bnamespace\b|\bextern\b")
_CONTINUES_INDENTED = re.compile(r"\}[^\n]*\n(?:[ \t]*\n)*[ \t]+(?=[^\s#])")
_VALUE_OR_TYPE = re.compile(r"(?<![=!<>+\-*/])=(?!=)|\b(?:class|struct|union|enum)\b[^()]*\Z")
_INNERMOST = re.compile(r"\([^()]*\)|\btemplate\s*<[^<>]*>|<[^<>]*>")
_INVOCATION = re.compile(r"\s*([A-Za-z_]\w*)\s*\(")
_COLUMN_ZERO = re.compile(r"\n(?=[A-Za-z_@])")
_NOT_INVOKED = frozenset({"decltype", "alignas", "__attribute__", "operator", "static_assert"})


def items(code: str, start: int = 0) -> Iterator[Item]:
    """Yield the top-level items of blanked `code`, from `start` on, in order."""
    position = start
    while (stop := _STOP.search(code, position)) is not None:
        mark = stop[0]
        if mark == "{":
            scope = _scope(code, start, stop.start())
            if scope is not None:
                yield from _loose(code, start, scope)
                start = position = stop.end()
                continue
            start = _begin(code, start, stop.start())
            yield from (lead := list(_invocations(code, start, stop.start())))
            start = lead[-1].end if lead else start
            item, position = _braced(code, start, stop.start())
            if item:
                yield item
                start = item.end
        elif mark == ";":
            yield from _statement(code, start, stop.end())
            start = position = stop.end()
        else:
            yield from _loose(code, start, stop.start())
            start = position = stop.end()
    yield from _loose(code, start, len(code))


def _scope(code: str, start: int, brace: int) -> int | None:
    header = code[max(start, brace - 200) : brace]
    if not _SCOPE_WORD.search(header):
        return None
    match = _SCOPE.search(header)
    return brace - len(header) + match.start() if match else None


def _begin(code: str, start: int, end: int) -> int:
    """Return where the item that ends at `end` begins, when a half-typed one precedes it."""
    if code.count("(", start, end) == code.count(")", start, end):
        return start
    begins = [match.end() for match in _COLUMN_ZERO.finditer(code, start, end)]
    for begin in reversed(begins):
        header = code[begin:end]
        if "(" in header and header.count("(") == header.count(")"):
            return begin
    return start


def _braced(code: str, start: int, brace: int) -> tuple[Item | None, int]:
    """Return the item whose first brace is at `brace`, and where to go on."""
    close, end = _close(code, brace, formatted=_in_column_zero(code, start))
    header = code[start:brace]
    if header.count("(") > header.count(")"):
        return None, end
    begin, _ = trimmed(code, start, brace)
    if _declares_value_or_type(header):
        end = _semicolon(code, end)
    return Item(begin, end, brace, (brace + 1, close)), end


def _declares_value_or_type(header: str) -> bool:
    if not _VALUE_OR_TYPE.search(header) or "operator" in header:
        return False
    count = 1
    while count:
        header, count = _INNERMOST.subn(" ", header)
    return _VALUE_OR_TYPE.search(header) is not None


def _in_column_zero(code: str, start: int) -> bool:
    while start < len(code) and code[start].isspace():
        start += 1
    return start == 0 or code[start - 1] == "\n"


def _close(code: str, brace: int, *, formatted: bool) -> tuple[int, int]:
    """Return the offset of the `}` that closes `brace`, and where the text goes on."""
    depth = 0
    for match in _BRACE_OR_RESTART.finditer(code, brace):
        mark = match[0]
        if mark == "{":
            depth += 1
            continue
        if mark == "\n":
            return match.start(), match.end()
        depth -= 1
        if depth == 0 or (formatted and _ends_item(code, match.start())):
            return match.start(), match.end()
    return len(code), len(code)


def _ends_item(code: str, close: int) -> bool:
    return code[close - 1] == "\n" and not _CONTINUES_INDENTED.match(code, close)


def _semicolon(code: str, position: int) -> int:
    """Return the end of the declaration that goes on after a brace."""
    while (stop := _STOP.search(code, position)) is not None:
        if stop[0] == ";":
            return stop.end()
        if stop[0] == "}":
            return position
        _, position = _close(code, stop.start(), formatted=False)
    return position


def _statement(code: str, start: int, end: int) -> Iterator[Item]:
    for item in _invocations(code, start, end):
        yield item
        start = item.end
    begin, finish = trimmed(code, start, end)
    if finish - begin > 1:
        yield Item(begin, finish, finish - 1, None)


def _loose(code: str, start: int, end: int) -> Iterator[Item]:
    """Yield what stands between items without a semicolon of its own: macro invocations."""
    for item in _invocations(code, start, end):
        yield item
        start = item.end
    match = _INVOCATION.match(code, start, end)
    if match and (close := closing_parenthesis(code, match.end() - 1, end)):
        yield Item(match.start(1), close + 1, close + 1, None)


def _invocations(code: str, start: int, end: int) -> Iterator[Item]:
    """Yield the leading `NAME(…)` that end without a semicolon because another item follows."""
    while match := _INVOCATION.match(code, start, end):
        close = closing_parenthesis(code, match.end() - 1, end)
        if close is None or match[1] in _NOT_INVOKED:
            return
        after, _ = trimmed(code, close + 1, end)
        if after == end or not (code[after].isalpha() or code[after] in "_@~[:"):
            return
        if code[after] == ":":
            return
        yield Item(match.start(1), close + 1, close + 1, None)
        start = close + 1
