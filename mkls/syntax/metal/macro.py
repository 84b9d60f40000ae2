"""Macro definitions, compiled once into the pieces that a replacement consists of."""

from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property, lru_cache

from mkls.syntax.metal.token import Token, placeless_tokens_of


class Kind(Enum):
    """What a piece of a macro's body stands for."""

    TOKENS = auto()
    ARGUMENT = auto()
    RAW = auto()
    STRING = auto()
    OPTIONAL = auto()


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a macro's body.

    `token` is the first one, whose white space counts; `index` is the parameter's; `pastes` says
    that `##` stands before the piece; `inner` is what `__VA_OPT__` holds; `run` are the tokens of
    a piece that no argument changes.
    """

    kind: Kind
    token: Token
    index: int = -1
    pastes: bool = False
    inner: tuple["Piece", ...] = ()
    run: tuple[Token, ...] = ()


class Macro:
    """A macro; two with the same name, parameters and body are one object (see `macro_of`)."""

    def __init__(self, name: str, parameters: tuple[str, ...] | None, body: str) -> None:
        """Compile `body`; `parameters` is None for an object-like macro."""
        self.name = name
        self.parameters = _named(parameters)
        self.variadic = bool(parameters) and parameters[-1].endswith("...")
        self.body = body

    def __repr__(self) -> str:
        return f"Macro({self.name!r})"

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """What the body consists of."""
        tokens = placeless_tokens_of(self.body)
        # The white space before a body is none of its replacement's.
        return _Compiler(self).pieces([token.spaced(False) for token in tokens[:1]] + tokens[1:])

    @cached_property
    def plain(self) -> tuple[Token, ...] | None:
        """The replacement, when no argument and no `##` changes it."""
        if not self.pieces:
            return ()
        one = self.pieces[0]
        return one.run if len(self.pieces) == 1 and one.kind is Kind.TOKENS else None


@lru_cache(maxsize=8192)
def macro_of(name: str, parameters: tuple[str, ...] | None, body: str) -> Macro:
    """Return the macro with this definition, the same object each time."""
    return Macro(name, parameters, body)


def _named(parameters: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Return `parameters` with the variadic one under the name the body uses for it."""
    if not parameters or not parameters[-1].endswith("..."):
        return parameters
    return (*parameters[:-1], parameters[-1][:-3].strip() or "__VA_ARGS__")


class _Compiler:
    """Turns body tokens into pieces."""

    def __init__(self, macro: Macro) -> None:
        parameters = macro.parameters or ()
        self.function_like = macro.parameters is not None
        self.variadic = macro.variadic
        self.positions = {name: index for index, name in enumerate(parameters)}

    def pieces(self, tokens: list[Token]) -> tuple[Piece, ...]:
        """Return the pieces of `tokens`."""
        found: list[Piece] = []
        index = 0
        pastes = False
        while index < len(tokens):
            if tokens[index].text == "##" and found and index + 1 < len(tokens):
                pastes = True
                index += 1
                continue
            piece, end = self._piece(tokens, index, pastes)
            if piece.kind is Kind.TOKENS and not pastes:
                end = self._run_end(tokens, index)
                piece = Piece(Kind.TOKENS, tokens[index], run=tuple(tokens[index:end]))
            found.append(piece)
            index = end
            pastes = False
        return tuple(found)

    def _run_end(self, tokens: list[Token], index: int) -> int:
        """Return where the tokens from `index` on stop to stand for themselves.

        What `##` joins to the right stands alone: it is an operand.
        """
        end = index + 1
        while end < len(tokens) and not self._special(tokens, end):
            end += 1
        pasted = end < len(tokens) and tokens[end].text == "##"
        return end - 1 if pasted and end - 1 > index else end

    def _special(self, tokens: list[Token], index: int) -> bool:
        text = tokens[index].text
        return text in self.positions or text in ("#", "##", "__VA_OPT__")

    def _piece(self, tokens: list[Token], index: int, pastes: bool) -> tuple[Piece, int]:
        token = tokens[index]
        following = tokens[index + 1].text if index + 1 < len(tokens) else ""
        if token.text == "#" and self.function_like and following in self.positions:
            return Piece(Kind.STRING, token, self.positions[following], pastes), index + 2
        if token.text == "__VA_OPT__" and self.variadic and following == "(":
            end = _closing(tokens, index + 1)
            inner = self.pieces(tokens[index + 2 : end])
            return Piece(Kind.OPTIONAL, token, -1, pastes, inner), end + 1
        position = self.positions.get(token.text)
        if position is None:
            return Piece(Kind.TOKENS, token, -1, pastes, run=(token,)), index + 1
        raw = pastes or (following == "##" and index + 2 < len(tokens))
        return Piece(Kind.RAW if raw else Kind.ARGUMENT, token, position, pastes), index + 1


def _closing(tokens: list[Token], opening: int) -> int:
    depth = 0
    for index in range(opening, len(tokens)):
        depth += (tokens[index].text == "(") - (tokens[index].text == ")")
        if depth == 0:
            return index
    return len(tokens)
