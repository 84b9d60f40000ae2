"""The nesting of a function's body: which statements run only sometimes."""

import re
from bisect import bisect_right
from typing import NamedTuple

_BRACE = re.compile(r"[{}]")
_CONTROL = re.compile(r"\b(?:if|else|for|while|switch|do|catch)\b")
_STATEMENT_EDGE = re.compile(r"[;{}]")


class Block(NamedTuple):
    """A braced block: `[start, end)`, and the text between the previous statement and it.

    `chain` numbers the `if … else if … else` that a block is a branch of; -1 for a block that
    always runs (a scope, a lambda's body).
    """

    start: int
    end: int
    header: str
    chain: int
    parent: int


class Blocks:
    """The blocks of one body, in the order in which they open."""

    def __init__(self, code: str, start: int, end: int) -> None:
        """Read the body `code[start:end]`."""
        self.code = code
        self.start = start
        self.blocks: list[Block] = []
        stack: list[int] = []
        edge = start
        for match in _BRACE.finditer(code, start, end):
            if match[0] == "{":
                self._open(match.start(), edge, stack[-1] if stack else -1, end)
                stack.append(len(self.blocks) - 1)
            elif stack:
                index = stack.pop()
                self.blocks[index] = self.blocks[index]._replace(end=match.start())
            edge = match.end()
        self._starts = [block.start for block in self.blocks]

    def _open(self, brace: int, edge: int, parent: int, end: int) -> None:
        header = self.code[edge:brace]
        header = header[header.rfind(";", 0, _last_control(header)) + 1 :].strip()
        chain = -1
        if _CONTROL.search(header) and not header.endswith("="):
            chain = len(self.blocks)
            if header.startswith("else"):
                chain = self._previous_branch(parent, chain)
        self.blocks.append(Block(brace + 1, end, header, chain, parent))

    def _previous_branch(self, parent: int, otherwise: int) -> int:
        for block in reversed(self.blocks):
            if block.parent == parent:
                return block.chain if block.chain >= 0 else otherwise
        return otherwise

    def path(self, offset: int) -> list[Block]:
        """Return the conditional blocks around `offset`, outermost first."""
        found: list[Block] = []
        index = bisect_right(self._starts, offset) - 1
        while index >= 0:
            block = self.blocks[index]
            if block.start <= offset < block.end:
                if block.chain >= 0:
                    found.append(block)
                index = block.parent
            else:
                index -= 1
        return found[::-1]

    def statement_prefix(self, offset: int) -> str:
        """Return what stands between the previous statement and `offset`."""
        edge = self.start
        for match in _STATEMENT_EDGE.finditer(self.code, max(self.start, offset - 400), offset):
            edge = match.end()
        return self.code[edge:offset].strip()

    def branches(self, chain: int) -> list[Block]:
        """Return the branches of one `if … else`, in order."""
        return [block for block in self.blocks if block.chain == chain]


def _last_control(header: str) -> int:
    found = [match.start() for match in _CONTROL.finditer(header)]
    return found[0] if found else len(header)
