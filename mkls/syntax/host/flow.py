"""The control flow of a function's body, in blanked code: statements, branches, what may run.

Blocks and lambdas count as running where they stand: that is what the queue and the helpers that
take them do.
"""

import re
from typing import NamedTuple

from mkls.syntax.host.brackets import closing_bracket


class Step(NamedTuple):
    """Code without a branch in it, `[start, end)`."""

    start: int
    end: int


class Branch(NamedTuple):
    """`if (condition) then else otherwise`; `otherwise` is None without an `else`."""

    condition: str
    then: "Sequence"
    otherwise: "Sequence | None"


class Maybe(NamedTuple):
    """Code of which some part may run: the body of a `switch`."""

    body: "Sequence"


class Stop(NamedTuple):
    """What follows does not run."""

    at: int


class Sequence(NamedTuple):
    """What runs in order."""

    nodes: tuple["Step | Branch | Maybe | Stop", ...]


Node = Step | Branch | Maybe | Stop

_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"(?:@?[A-Za-z_]\w*)")
_EDGE = re.compile(r"[;{}()\[\]]")
_ELSE = re.compile(r"\s*else\b")
_STOPS = re.compile(r"(?:return|throw)\b|TORCH_(?:CHECK\w*|INTERNAL_ASSERT)\(\s*false\b")
_LOOPS = frozenset({"for", "while"})
_PLAIN = frozenset({"do", "try", "else", "@autoreleasepool", "@try", "@finally"})
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def flow_of(code: str, start: int, end: int) -> Sequence:
    """Return the flow of `code[start:end]`; unbalanced code ends early."""
    return _Reader(code).sequence(start, end)


class _Reader:
    def __init__(self, code: str) -> None:
        self.code = code

    def sequence(self, start: int, end: int) -> Sequence:
        nodes: list[Node] = []
        at = start
        while (at := self._skip(at, end)) < end:
            after = self._statement(at, end, nodes)
            at = max(after, at + 1)
        return Sequence(tuple(nodes))

    def _skip(self, at: int, end: int) -> int:
        match = _SPACE.match(self.code, at, end)
        return match.end() if match else end

    def _statement(self, at: int, end: int, nodes: list[Node]) -> int:
        """Append the statement at `at`; return where the next one begins."""
        mark = self.code[at]
        if mark in ";}":
            return at + 1
        if mark == "{":
            close = self._close(at, end)
            nodes += self.sequence(at + 1, close).nodes
            return close + 1
        word = _WORD.match(self.code, at, end)
        name = word[0] if word else ""
        after = word.end() if word else at
        if name == "if":
            return self._if(after, end, nodes)
        if name in _LOOPS or name in ("switch", "catch", "@catch", "@synchronized"):
            return self._headed(name, after, end, nodes)
        if name in _PLAIN:
            return after
        return self._simple(at, end, nodes)

    def _if(self, at: int, end: int, nodes: list[Node]) -> int:
        opening = self.code.find("(", at, end)
        if opening < 0:
            return end
        close = self._close(opening, end)
        nodes.append(Step(opening + 1, close))
        then, at = self._body(close + 1, end)
        otherwise = None
        if match := _ELSE.match(self.code, at, end):
            otherwise, at = self._body(match.end(), end)
        condition = " ".join(self.code[opening + 1 : close].split())
        nodes.append(Branch(condition, then, otherwise))
        return at

    def _headed(self, name: str, at: int, end: int, nodes: list[Node]) -> int:
        opening = self.code.find("(", at, end)
        if opening < 0:
            return end
        close = self._close(opening, end)
        nodes.append(Step(opening + 1, close))
        body, at = self._body(close + 1, end)
        if name in ("switch", "catch", "@catch"):
            nodes.append(Maybe(body))
        else:
            nodes += body.nodes
        return at

    def _body(self, at: int, end: int) -> tuple[Sequence, int]:
        at = self._skip(at, end)
        if at >= end:
            return Sequence(()), end
        nodes: list[Node] = []
        after = self._statement(at, end, nodes)
        return Sequence(tuple(nodes)), after

    def _simple(self, start: int, end: int, nodes: list[Node]) -> int:
        """Append a statement that ends in `;`, with the blocks and lambdas within it."""
        at = begin = start
        while match := _EDGE.search(self.code, at, end):
            mark, at = match[0], match.end()
            if mark == ";":
                nodes.append(Step(begin, at))
                if _STOPS.match(self.code, start, end):
                    nodes.append(Stop(start))
                return at
            if mark == "{":
                close = self._close(match.start(), end)
                if self.code.find(";", at, close) >= 0:
                    nodes.append(Step(begin, match.start()))
                    nodes += self._inner(at, close)
                    begin = close + 1
                at = close + 1
            elif mark == "}":
                nodes.append(Step(begin, match.start()))
                return at
        nodes.append(Step(begin, end))
        return end

    def _inner(self, start: int, end: int) -> tuple[Node, ...]:
        """Return the flow of a block: a `return` in it ends the block alone."""
        nodes = self.sequence(start, end).nodes
        return tuple(node for node in nodes if not isinstance(node, Stop))

    def _close(self, opening: int, end: int) -> int:
        close = closing_bracket(self.code, opening, end)
        return end if close is None else close
