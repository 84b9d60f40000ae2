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
    with_parameters,
)
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.blocks import Blocks
from mkls.syntax.host.brackets import closing_bracket, split_commas
from mkls.syntax.host.headers import parameter_names
from mkls.text.span import Span

_STATEMENT_END = re.compile(r"[;()\[\]{}]")
_RETURN = re.compile(r"\breturn\b")
_LABEL_OR_CONDITION = re.compile(
    r"\A(?:else\s+)?if\b|\Aelse\b|\A(?:for|while)\b|\A(?:case|default)\b"
)
_TYPE_BEFORE = re.compile(r"[\w>&*\s:]\s*\Z")
_WRITING = re.compile(r"\s*(\+?=(?!=)|[({;])")
_LAMBDA = re.compile(r"\s*\[[^\]]*\]\s*\(([^()]*)\)[^{};]*\{")
_LAMBDA_NAME = re.compile(r"auto&?\s+(\w+)\s*=\s*\[")
_STRINGS = r"\b(?:string|string_view|char\s*\*(?:\s*const)?|(?:array|vector)\s*<[^;{}]*>)\s+"
_DEPTH = 12


class Write(NamedTuple):
    """A variable is given a value: where, by `=`, `+=` or `init`, and the value's extent."""

    at: int
    operator: str
    start: int
    end: int


class _Chain(NamedTuple):
    """The value before an `if … else`, and those that its branches leave, by their start."""

    before: NameExpression | None
    branches: dict[int, NameExpression | None]


def _either(first: NameExpression | None, second: NameExpression | None) -> NameExpression | None:
    """Return the choice between two values, of which None is not given yet."""
    if first is None or second is None:
        return first or second
    return choice([first, second])


class Locals:
    """Values of the local names of one function's body."""

    def __init__(
        self, code: Code, body: tuple[int, int], parameters: frozenset[str], function: str
    ) -> None:
        """Read `body` of a function with `parameters`."""
        self.code = code
        self.body = body
        self.parameters = parameters
        self.function = function
        self.outer: Locals | None = None
        self.expressions = Expressions(code, self.value, self.invoked, function)
        self._resolving: set[tuple[str, int]] = set()
        self._writes: dict[str, list[Write]] = {}

    @cached_property
    def blocks(self) -> Blocks:
        """The nesting of the body."""
        return Blocks(self.code.code, *self.body)

    @cached_property
    def _lambdas(self) -> set[str]:
        return {match[1] for match in _LAMBDA_NAME.finditer(self.code.code, *self.body)}

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
        if name.endswith("[]"):
            return self._element(name.removesuffix("[]"), at)
        writes = [write for write in self.writes(name) if write.end <= at]
        reaching = [write for write in writes if not self._excluded(write.at, at)]
        initial: NameExpression | None = None
        if name in self.parameters:
            initial = Parameter(name, Span(at, at + len(name)))
        if not reaching:
            if initial is None and self.outer is not None:
                return self.outer.value(name, self.body[0])
            return initial
        return self._folded(reaching, at, initial)

    def _element(self, name: str, at: int) -> NameExpression | None:
        """Return what an element of array `name` may be, where it is declared with all of them."""
        code = self.code.code
        declared = re.compile(rf"{_STRINGS}{name}\s*(?:\[[^\[\]]*\]\s*)?=?\s*(?=\{{)")
        match = declared.search(code, self.body[0], at)
        close = closing_bracket(code, match.end(), at) if match else None
        parts = split_commas(code, match.end() + 1, close) if match and close else []
        return choice([self.expressions.fold(*part) for part in parts]) if parts else None

    def invoked(
        self, name: str, at: int, arguments: tuple[NameExpression, ...]
    ) -> NameExpression | None:
        """Return what the lambda in local variable `name` returns for `arguments`, or None."""
        known = self.writes(name) if name in self._lambdas else []
        writes = [write for write in known if write.end <= at]
        head = _LAMBDA.match(self.code.code, writes[-1].start, writes[-1].end) if writes else None
        if head is None:
            return self.outer.invoked(name, self.body[0], arguments) if self.outer else None
        names = parameter_names(self.code.code, *head.span(1))
        body = (head.end(), writes[-1].end)
        inside = Locals(self.code, body, frozenset(names), self.function)
        inside.outer = self
        returned = inside.returned()
        given = dict(zip(names, arguments, strict=False))
        return returned and with_parameters(returned, lambda it: given.get(it.name, it))

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
        chains: dict[int, _Chain] = {}
        for write in writes:
            inner = [block for block in self.blocks.path(write.at) if block.start not in around]
            if not inner:
                new = self._written(write, value)
                value = _either(value, new) if self._guarded(write.at) else new
                continue
            outermost = inner[0]
            chain = chains.setdefault(outermost.chain, _Chain(value, {}))
            before = chain.branches.get(outermost.start, chain.before)
            new = self._written(write, before)
            sometimes = len(inner) > 1 or self._guarded(write.at)
            chain.branches[outermost.start] = _either(before, new) if sometimes else new
            value = self._merged(outermost.chain, chain)
        return Literal("", Span(at, at)) if value is None else value

    def _guarded(self, at: int) -> bool:
        return _LABEL_OR_CONDITION.search(self.blocks.statement_prefix(at)) is not None

    def _merged(self, number: int, chain: "_Chain") -> NameExpression | None:
        """Return the value after an `if … else`, of which some branches wrote."""
        blocks = self.blocks.branches(number)
        every = blocks[-1].header == "else" and all(it.start in chain.branches for it in blocks)
        value = None if every else chain.before
        for branch in chain.branches.values():
            value = _either(value, branch)
        return value

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
