"""Comments by which users silence a diagnostic.

`mkls: ignore[code, …]` in a comment on the line or the line above, `mkls: ignore-file[code, …]`
anywhere in the file. A group's name stands for all of its rules, `all` for every rule.
"""

import re
from functools import cached_property

from mkls.diagnostics.model import Rule
from mkls.text.comments import comments
from mkls.text.document import Document
from mkls.text.line_ends import with_newlines
from mkls.text.span import Span

_DIRECTIVE = re.compile(r"\bmkls:\s*(ignore(?:-file)?)\[([^\]\n]*)\]")
_CODE = re.compile(r"[^\s,]+")


class Suppressions:
    """What the comments of one document silence."""

    def __init__(self, document: Document) -> None:
        """Read the comments of `document`."""
        self._document = document

    @cached_property
    def codes(self) -> tuple[tuple[str, Span], ...]:
        """Each code or group that a comment names, with its place."""
        text = self._document.text
        return tuple(
            (match[0], Span(*match.span()))
            for comment in self._comments
            for match in _CODE.finditer(text, *comment.span(2))
        )

    def silence(self, rule: Rule, span: Span) -> bool:
        """Whether a diagnostic of `rule` at `span` is not wanted."""
        wanted = {rule.code, rule.group.value, "all"}
        return not self._whole_file.isdisjoint(wanted) or any(
            not self._by_line.get(line, frozenset()).isdisjoint(wanted)
            for line in self._lines_of(span)
        )

    def _lines_of(self, span: Span) -> tuple[int, int]:
        line = self._document.lines.line(span.start)
        return line, line - 1

    @cached_property
    def _comments(self) -> list[re.Match[str]]:
        text = self._document.text
        if "mkls:" not in text:
            return []
        text = with_newlines(text)
        return [
            directive
            for span in comments(text, self._document.language)
            for directive in _DIRECTIVE.finditer(text, span.start, span.end)
        ]

    @cached_property
    def _whole_file(self) -> frozenset[str]:
        return frozenset(
            code
            for comment in self._comments
            if comment[1] == "ignore-file"
            for code in _codes(comment)
        )

    @cached_property
    def _by_line(self) -> dict[int, frozenset[str]]:
        found: dict[int, frozenset[str]] = {}
        for comment in self._comments:
            if comment[1] == "ignore":
                line = self._document.lines.line(comment.start())
                found[line] = found.get(line, frozenset()) | _codes(comment)
        return found


def _codes(comment: re.Match[str]) -> frozenset[str]:
    return frozenset(code.strip() for code in comment[2].split(",") if code.strip())
