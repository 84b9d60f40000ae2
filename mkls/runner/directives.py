"""Comments that say how to run the kernel below them (client side)."""

import re
from dataclasses import dataclass

from mkls.runner.expression_names import FUNCTIONS
from mkls.runner.expressions import ExpressionError, parse_expectation, parse_expression
from mkls.runner.request import Launch
from mkls.syntax.problem import Problem
from mkls.text.span import Span

_LINE = re.compile(r"[ \t]*//+!?[ \t]*mkls-([\w-]*)[ \t]*(:?)[ \t]*(.*?)[ \t]*\Z")
_COMMENT = re.compile(r"[ \t]*(?://|/\*|\*)")
_ARGUMENT = re.compile(r"([A-Za-z_]\w*)[ \t]*=(?!=)[ \t]*(.+)\Z")
_SETTING = re.compile(r"([\w-]+)[ \t]*=[ \t]*(\[[^\]]*\]|\([^)]*\)|[^\s,]+(?:,[^\s,]+)*)")
_DEFINITION = re.compile(r"\bkernel\b(?:\s*\]\])?\s+(?:\w+\s+)*?void\s+(\w+)\s*\(")
_INSTANTIATION = re.compile(r"\s*template\s*(?:\[\[|(?:\w+\s+)*kernel\b)")
_KEYWORDS = ("run", "arg", "expect", "reference")
_SETTINGS = ("threads", "group_size")


@dataclass(frozen=True)
class Directives:
    """What the directives of one text say, and what is wrong with them."""

    launches: tuple[Launch, ...] = ()
    problems: tuple[Problem, ...] = ()


def directives(text: str) -> Directives:
    """Read the directives of a Metal text."""
    if "mkls-" not in text:
        return Directives()
    return _Reader(text).read()


@dataclass
class _Block:
    threads: str | None = None
    group_size: str | None = None
    arguments: tuple[tuple[str, str], ...] = ()
    expectations: tuple[str, ...] = ()
    reference: str | None = None
    span: Span = Span(0, 0)  # noqa: RUF009  (a frozen value)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = re.split(r"\r\n|\n|\r", text)
        self._starts = [0, *(it.end() for it in re.finditer(r"\r\n|\n|\r", text))]
        self._problems: list[Problem] = []
        self._launches: list[Launch] = []

    def read(self) -> Directives:
        block: _Block | None = None
        for number, line in enumerate(self._lines):
            match = _LINE.match(line)
            if match:
                block = block or _Block()
                self._line(block, match, self._starts[number])
            elif block is not None and not _COMMENT.match(line):
                self._close(block, number)
                block = None
        if block is not None:
            self._close(block, len(self._lines))
        return Directives(tuple(self._launches), tuple(self._problems))

    def _problem(self, start: int, end: int, message: str) -> None:
        self._problems.append(Problem(Span(start, max(end, start)), message))

    def _line(self, block: _Block, match: re.Match[str], offset: int) -> None:
        keyword, colon, rest = match.groups()
        start, end = (offset + it for it in match.span(1))
        if not block.span.end:
            block.span = Span(start - len("mkls-"), end)
        if keyword not in _KEYWORDS or not colon:
            known = ", ".join(f"`mkls-{it}:`" for it in _KEYWORDS)
            self._problem(start - len("mkls-"), end, f"unknown directive; known are {known}")
            return
        where = offset + match.start(3)
        if not rest:
            self._problem(start - len("mkls-"), end, f"`mkls-{keyword}:` says nothing")
            return
        getattr(self, f"_read_{keyword}")(block, rest, where)

    def _read_run(self, block: _Block, rest: str, where: int) -> None:
        end = 0
        for match in _SETTING.finditer(rest):
            self._stray(rest, end, match.start(), where)
            end = match.end()
            name = match[1].replace("-", "_")
            if name not in _SETTINGS:
                start, stop = (where + it for it in match.span(1))
                self._problem(start, stop, "unknown setting; known are `threads`, `group_size`")
            elif self._checked(match[2], where + match.start(2)):
                setattr(block, name, match[2])
        self._stray(rest, end, len(rest), where)

    def _stray(self, rest: str, start: int, end: int, where: int) -> None:
        stray = rest[start:end].strip(" \t,")
        if stray:
            at = where + rest.index(stray, start)
            self._problem(at, at + len(stray), "expected `threads=X[,Y[,Z]]` or `group_size=…`")

    def _read_arg(self, block: _Block, rest: str, where: int) -> None:
        match = _ARGUMENT.match(rest)
        if match is None:
            self._problem(where, where + len(rest), "expected `name = expression`")
        elif self._checked(match[2], where + match.start(2)):
            block.arguments += ((match[1], match[2]),)

    def _read_expect(self, block: _Block, rest: str, where: int) -> None:
        try:
            parse_expectation(rest)
        except ExpressionError as error:
            self._problem(where + error.start, where + error.end, error.message)
            return
        block.expectations += (rest,)

    def _read_reference(self, block: _Block, rest: str, where: int) -> None:
        name = rest.removeprefix("torch.")
        if name in FUNCTIONS:
            block.reference = rest
        else:
            self._problem(
                where, where + len(rest), f"`{rest}` is no torch function that may run here"
            )

    def _checked(self, expression: str, where: int) -> bool:
        try:
            parse_expression(expression)
        except ExpressionError as error:
            self._problem(where + error.start, where + error.end, error.message)
            return False
        return True

    def _close(self, block: _Block, number: int) -> None:
        if number >= len(self._lines) or not self._lines[number].strip():
            self._problem(block.span.start, block.span.end, "stands directly above no kernel")
            return
        statement = self._statement(number)
        definition = _DEFINITION.search(statement)
        function = definition[1] if definition and not _INSTANTIATION.match(statement) else None
        self._launches.append(
            Launch(
                line=number + 1,
                last_line=number + 1 + statement.count("\n"),
                function=function,
                threads=block.threads,
                group_size=block.group_size,
                arguments=block.arguments,
                expectations=block.expectations,
                reference=block.reference,
            )
        )

    def _statement(self, number: int) -> str:
        """Return the text from a line on up to the body or the semicolon, in at most 40 lines."""
        rest = "\n".join(self._lines[number : number + 40])
        end = re.search(r"[{;]", rest)
        return rest[: end.start()] if end else self._lines[number]
