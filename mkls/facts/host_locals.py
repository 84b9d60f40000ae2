"""Fold the local variables of a function body: assigned once, in branches, or appended to."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from mkls.facts.host_expressions import Expressions
from mkls.facts.model.name_expression import (
    Literal,
    NameExpression,
    Parameter,
    Unknown,
    choice,
    concat,
)
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.blocks import Block, Blocks
from mkls.syntax.host.brackets import closing_bracket
from mkls.text.span import Span

_STATEMENT_END = re.compile(r"[;()\[\]{}]")
_RETURN = re.compile(r"\breturn\b")
_LABEL_OR_CONDITION = re.compile(
    r"\A(?:else\s+)?if\b|\Aelse\b|\A(?:for|while)\b|\A(?:case|default)\b"
)
_TYPE_BEFORE = re.compile(r"[\w>&*\s:]\s*\Z")
_WRITING = re.compile(r"\s*(\+?=(?!=)|[({;])")
_DEPTH = 12


class Write(NamedTuple):
    """A variable is given a value: where, by `=`, `+=` or `init`, and the value's extent."""

    at: int
    operator: str
    start: int
    end: int


class Locals:
    """Values of the local names of one function's body."""

    def __init__(
        self, code: Code, body: tuple[int, int], parameters: frozenset[str], function: str
    ) -> None:
        """Read `body` of a function with `parameters`."""
        self.code = code
        self.body = body
        self.parameters = parameters
        self.expressions = Expressions(code, self.value, function)
        self._resolving: set[tuple[str, int]] = set()
        self._writes: dict[str, list[Write]] = {}

    @cached_property
    def blocks(self) -> Blocks:
        """The nesting of the body."""
        return Blocks(self.code.code, *self.body)

    def value(self, name: str, at: int) -> NameExpression | None:
        """Return what `name` holds at offset `at`, or None when it is no local name."""
        if (name, at) in self._resolving or len(self._resolving) > _DEPTH:
            return Unknown(name, Span(at, at + len(name)))
        self._resolving.add((name, at))
        try:
            return self._value(name, at)
        finally:
            self._resolving.discard((name, at))

    def _value(self, name: str, at: int) -> NameExpression | None:
        writes = [write for write in self.writes(name) if write.end <= at]
        reaching = [write for write in writes if not self._excluded(write.at, at)]
        initial: NameExpression | None = None
        if name in self.parameters:
            initial = Parameter(name, Span(at, at + len(name)))
        if not reaching:
            return initial
        return self._folded(reaching, at, initial)

    def writes(self, name: str) -> list[Write]:
        """Return where `name` is declared with a value, assigned or appended to, in order."""
        if (known := self._writes.get(name)) is not None:
            return known
        found: list[Write] = []
        for at in self._occurrences(name):
            match = _WRITING.match(self.code.code, at + len(name), self.body[1])
            if match is None:
                continue
            mark = match[1]
            if mark in "=+=":
                end = self._statement_end(match.end())
                found.append(Write(at, mark, match.end(), end))
            elif self._declares(at):
                found.append(self._initialised(at, match))
        self._writes[name] = found
        return found

    def _occurrences(self, name: str) -> Iterator[int]:
        code = self.code.code
        at = code.find(name, *self.body)
        while at >= 0:
            before = code[at - 1]
            if not (before.isalnum() or before in "_.:>"):
                yield at
            at = code.find(name, at + len(name), self.body[1])

    def _initialised(self, at: int, match: re.Match[str]) -> Write:
        if match[1] == ";":
            return Write(at, "none", match.end(), match.end())
        close = closing_bracket(self.code.code, match.end() - 1, self.body[1])
        end = self.body[1] if close is None else close
        return Write(at, "init", match.end(), end)

    def _declares(self, at: int) -> bool:
        prefix = self.blocks.statement_prefix(at)
        if prefix.startswith(("return", "else", "throw", "case", "co_return")):
            return False
        return bool(prefix) and _TYPE_BEFORE.search(prefix) is not None and prefix[0] not in "[("

    def _statement_end(self, start: int) -> int:
        depth = 0
        for match in _STATEMENT_END.finditer(self.code.code, start, self.body[1]):
            mark = match[0]
            if mark in "([{":
                depth += 1
            elif mark != ";":
                depth -= 1
                if depth < 0:
                    return match.start()
            elif depth == 0:
                return match.start()
        return self.body[1]

    def _excluded(self, write: int, use: int) -> bool:
        """Whether `write` stands in another branch of an `if … else` around `use`."""
        around = {block.chain: block for block in self.blocks.path(use)}
        return any(
            around.get(block.chain, block).start != block.start for block in self.blocks.path(write)
        )

    def _folded(
        self, writes: list[Write], at: int, initial: NameExpression | None
    ) -> NameExpression:
        around = {block.start for block in self.blocks.path(at)}
        value = initial
        covered: dict[int, set[int]] = {}
        for write in writes:
            new = self._written(write, value)
            inner = [block for block in self.blocks.path(write.at) if block.start not in around]
            if not inner and not self._guarded(write.at):
                value = new
                continue
            if inner and self._completes(inner, covered):
                value = self._without_fallthrough(writes, write, inner, new)
            else:
                value = new if value is None else choice([value, new])
        return Literal("", Span(at, at)) if value is None else value

    def _guarded(self, at: int) -> bool:
        return _LABEL_OR_CONDITION.search(self.blocks.statement_prefix(at)) is not None

    def _completes(self, inner: list[Block], covered: dict[int, set[int]]) -> bool:
        """Note that a branch writes; tell whether every branch now does, the last being `else`."""
        if len(inner) > 1:
            return False
        block = inner[0]
        done = covered.setdefault(block.chain, set())
        done.add(block.start)
        branches = self.blocks.branches(block.chain)
        return branches[-1].header == "else" and done >= {branch.start for branch in branches}

    def _without_fallthrough(
        self, writes: list[Write], last: Write, inner: list[Block], new: NameExpression
    ) -> NameExpression:
        chain = inner[0].chain
        values = [
            self._written(write, None)
            for write in writes
            if write.at < last.at
            and write.operator != "+="
            and any(block.chain == chain for block in self.blocks.path(write.at))
        ]
        appended = [write for write in writes if write.operator == "+=" and write.at <= last.at]
        return choice([*values, new]) if not appended else new

    def _written(self, write: Write, before: NameExpression | None) -> NameExpression | None:
        if write.operator == "none":
            return None
        value = self.expressions.fold(write.start, write.end)
        if write.operator != "+=":
            return value
        return value if before is None else concat([before, value])

    def returned(self) -> NameExpression | None:
        """Return what the body returns, or None when it returns nothing."""
        values: list[NameExpression] = []
        for match in _RETURN.finditer(self.code.code, *self.body):
            end = self._statement_end(match.end())
            if self.code.code[match.end() : end].strip():
                values.append(self.expressions.fold(match.end(), end))
        return choice(values) if values else None
