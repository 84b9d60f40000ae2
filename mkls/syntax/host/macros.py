"""Expand function-like macros by token substitution, remembering where arguments came from.

Enough of C11 6.10.3 for what host files do at the top level: parameters, `#`, `##`, `__VA_ARGS__`,
nested macros, and no macro within its own expansion.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from mkls.syntax.host.brackets import closing_parenthesis, split_commas

_TOKEN = re.compile(
    r"""R"(?P<d>[^()\\\s"]{0,16})\(.*?\)(?P=d)"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'
    |//[^\n]*|/\*.*?\*/|[A-Za-z_]\w*|\.?\d[\w.']*|\s+|\#\#|.""",
    re.VERBOSE | re.DOTALL,
)
_WORD = re.compile(r"[A-Za-z_]\w*\Z")
_SPACE = re.compile(r"\s+")
_LIMIT = 20


class Definition(NamedTuple):
    """A macro: its parameters, or None without parentheses, and its body."""

    parameters: tuple[str, ...] | None
    body: str


class Piece(NamedTuple):
    """A token of an expansion; `argument` is the index of the invocation's argument, or -1."""

    text: str
    argument: int


class Expansion(NamedTuple):
    """An expansion, and which characters of it came from which argument."""

    text: str
    starts: tuple[int, ...]
    origins: tuple[int, ...]

    def argument_at(self, offset: int) -> int:
        """Return the index of the argument that the character at `offset` came from, or -1."""
        index = bisect_right(self.starts, offset) - 1
        return self.origins[index] if index >= 0 else -1


Find = Callable[[str], Definition | None]


def expand(definition: Definition, arguments: tuple[str, ...], find: Find) -> Expansion:
    """Expand one invocation of `definition`; `find` gives the other macros by name."""
    given = [[Piece(argument, index)] for index, argument in enumerate(arguments)]
    pieces = _rescan(_substitute(definition, given, find, 0), find, frozenset(), 0)
    starts: list[int] = []
    at = 0
    for piece in pieces:
        starts.append(at)
        at += len(piece.text)
    return Expansion(
        "".join(piece.text for piece in pieces),
        tuple(starts),
        tuple(piece.argument for piece in pieces),
    )


def _tokens(text: str, argument: int = -1) -> list[Piece]:
    return [
        Piece(" " if match[0].startswith(("//", "/*")) else match[0], argument)
        for match in _TOKEN.finditer(text)
    ]


def _bound(definition: Definition, given: list[list[Piece]]) -> dict[str, list[Piece]]:
    parameters = definition.parameters or ()
    variadic = bool(parameters) and parameters[-1].endswith("...")
    named = parameters[:-1] if variadic else parameters
    bound = {name: given[i] if i < len(given) else [] for i, name in enumerate(named)}
    if variadic:
        rest: list[Piece] = []
        for index, argument in enumerate(given[len(named) :]):
            rest += ([Piece(", ", -1)] if index else []) + argument
        bound[parameters[-1].removesuffix("...").strip() or "__VA_ARGS__"] = rest
    return bound


def _substitute(
    definition: Definition, given: list[list[Piece]], find: Find, depth: int
) -> list[Piece]:
    bound = _bound(definition, given)
    body = [token for token in _tokens(definition.body)]
    out: list[Piece] = []
    index = 0
    while index < len(body):
        token = body[index]
        following = _next_solid(body, index)
        if token.text == "#" and definition.parameters is not None:
            if following < len(body) and body[following].text in bound:
                out.append(_stringized(bound[body[following].text]))
                index = following + 1
                continue
        if token.text == "##":
            while out and out[-1].text.isspace():
                out.pop()
            if following < len(body):
                _paste(out, bound.get(body[following].text, [body[following]]))
            index = following + 1
            continue
        if token.text in bound:
            pasted = following < len(body) and body[following].text == "##"
            argument = bound[token.text]
            out += argument if pasted else _rescan(_retokenized(argument), find, frozenset(), depth)
        else:
            out.append(token)
        index += 1
    return out


def _next_solid(body: list[Piece], index: int) -> int:
    index += 1
    while index < len(body) and body[index].text.isspace():
        index += 1
    return index


def _retokenized(pieces: list[Piece]) -> list[Piece]:
    return [token for piece in pieces for token in _tokens(piece.text, piece.argument)]


def _stringized(pieces: list[Piece]) -> Piece:
    text = _SPACE.sub(" ", "".join(piece.text for piece in pieces)).strip()
    escaped = text.replace("\\", "\\\\").replace('"', '\\"') if '"' in text else text
    return Piece(f'"{escaped}"', pieces[0].argument if pieces else -1)


def _paste(out: list[Piece], right: list[Piece]) -> None:
    if not right:
        return
    left = out.pop() if out else Piece("", -1)
    first = right[0]
    origin = left.argument if left.argument >= 0 else first.argument
    out.append(Piece(left.text.rstrip() + first.text.lstrip(), origin))
    out += right[1:]


def _rescan(pieces: list[Piece], find: Find, active: frozenset[str], depth: int) -> list[Piece]:
    if depth > _LIMIT:
        return pieces
    out: list[Piece] = []
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        definition = None
        if _WORD.match(piece.text) and piece.text not in active:
            definition = find(piece.text)
        if definition is None:
            out.append(piece)
            index += 1
            continue
        inner = active | {piece.text}
        if definition.parameters is None:
            replaced = _substitute(definition, [], find, depth + 1)
            out += _rescan(replaced, find, inner, depth + 1)
            index += 1
            continue
        arguments, after = _invocation(pieces, index + 1)
        if arguments is None:
            out.append(piece)
            index += 1
            continue
        out += _rescan(_substitute(definition, arguments, find, depth + 1), find, inner, depth + 1)
        index = after
    return out


def _invocation(pieces: list[Piece], index: int) -> tuple[list[list[Piece]] | None, int]:
    """Return the arguments of an invocation whose `(` should come next, and what follows."""
    while index < len(pieces) and pieces[index].text.isspace():
        index += 1
    if index >= len(pieces) or pieces[index].text != "(":
        return None, index
    arguments: list[list[Piece]] = [[]]
    depth = 0
    for at in range(index, len(pieces)):
        text = pieces[at].text
        if text in "([{" and text:
            depth += 1
        elif text in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                return [_stripped(argument) for argument in arguments], at + 1
        if text == "," and depth == 1:
            arguments.append([])
        elif not (text == "(" and depth == 1 and at == index):
            arguments[-1].append(pieces[at])
    return None, index


def _stripped(pieces: list[Piece]) -> list[Piece]:
    start, end = 0, len(pieces)
    while start < end and pieces[start].text.isspace():
        start += 1
    while end > start and pieces[end - 1].text.isspace():
        end -= 1
    return pieces[start:end]


def arguments_of(code: str, opening: int, end: int) -> list[tuple[int, int]]:
    """Return the extents of the arguments of the invocation whose `(` is at `opening`."""
    close = closing_parenthesis(code, opening, end)
    return [] if close is None else split_commas(code, opening + 1, close)
