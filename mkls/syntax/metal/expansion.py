"""Macro expansion, as GCC does it: a macro is off while its replacement is being read.

A name met while its macro is off is painted and never expands again; a replacement that ends in
the name of a function-like macro takes its arguments from what follows (C++20 [cpp.rescan]).
"""

from collections.abc import Mapping

from mkls.syntax.metal.macro import Macro
from mkls.syntax.metal.substitution import Arguments, substituted
from mkls.syntax.metal.token import Token

_LIMIT = 200_000
"""Tokens of one expansion: macros that double each other must not eat the memory."""
_DEPTH = 60


class _Context:
    """Tokens being read; `macro` is the one whose replacement they are."""

    __slots__ = ("index", "macro", "tokens")

    def __init__(self, tokens: list[Token], macro: Macro | None = None) -> None:
        self.tokens = tokens
        self.macro = macro
        self.index = 0


class Expander:
    """Expands tokens by one table of macros, and notes which names it looked up."""

    def __init__(self, macros: Mapping[str, Macro], trace: bool = False) -> None:
        """Expand by `macros`; with `trace`, tokens know the macros that made them."""
        self.macros = macros
        self.trace = trace
        self.consulted: set[str] = set()
        self.used: list[Macro] = []
        self._off: set[str] = set()
        self._made = 0
        self._depth = 0

    def expanded(self, tokens: list[Token]) -> list[Token]:
        """Return `tokens` fully expanded."""
        stack = [_Context(tokens)]
        out: list[Token] = []
        gaps: list[int] = []
        while (token := self._plain(stack, out)) is not None:
            if token.text in self._off:
                out.append(token.paint())
                continue
            replaced = self._replaced(token, self.macros[token.text], stack)
            if replaced is None:
                out.append(token)
            elif not replaced and token.space:
                gaps.append(len(out))
        for gap in gaps:
            # White space before a replacement that is empty stands before what follows it.
            out[gap : gap + 1] = [token.spaced(True) for token in out[gap : gap + 1]]
        return out

    def _plain(self, stack: list[_Context], out: list[Token]) -> Token | None:
        """Pass tokens to `out` up to the next one that names a macro; None at the end."""
        macros = self.macros
        consult = self.consulted.add
        while stack:
            context = stack[-1]
            tokens = context.tokens
            for index in range(context.index, len(tokens)):
                token = tokens[index]
                consult(token.text)
                if token.text in macros and not token.painted:
                    context.index = index + 1
                    return token
                out.append(token)
            self._leave([stack.pop()])
        return None

    def _next(self, stack: list[_Context]) -> Token | None:
        while stack:
            context = stack[-1]
            if context.index < len(context.tokens):
                context.index += 1
                return context.tokens[context.index - 1]
            self._leave([stack.pop()])
        return None

    def _leave(self, contexts: list[_Context]) -> None:
        for context in contexts:
            if context.macro is not None:
                self._off.discard(context.macro.name)

    def _replaced(self, token: Token, macro: Macro, stack: list[_Context]) -> list[Token] | None:
        """Enter the replacement of `macro`, or return None when this is no invocation."""
        given: list[list[Token]] | None = []
        if macro.parameters is not None:
            given = self._arguments(macro, stack)
        if given is None or self._made > _LIMIT or self._depth > _DEPTH:
            return None
        tokens = substituted(macro, Arguments(macro, given, self._argument))
        if self.trace:
            trail = (*token.trail, macro.name)
            tokens = [it if it.trail or it.start >= 0 else it.traced(trail) for it in tokens]
        if tokens:
            tokens[0] = tokens[0].spaced(token.space)
        self._made += len(tokens) + 1
        self.used.append(macro)
        self._off.add(macro.name)
        stack.append(_Context(tokens, macro))
        return tokens

    def _argument(self, tokens: list[Token]) -> list[Token]:
        self.consulted.update(it.text for it in tokens)
        if not any(it.text in self.macros for it in tokens):
            return tokens
        self._depth += 1
        expanded = self.expanded(tokens)
        self._depth -= 1
        return expanded

    def _arguments(self, macro: Macro, stack: list[_Context]) -> list[list[Token]] | None:
        """Take the arguments that follow, or None when there are none and nothing is taken."""
        if not self._at_opening(stack):
            return None
        saved = [(context, context.index) for context in stack]
        off = set(self._off)
        given = self._collected(macro, stack)
        if given is None or not _fits(macro, given):
            stack[:] = [context for context, _ in saved]
            for context, index in saved:
                context.index = index
            self._off = off
            return None
        return given

    def _at_opening(self, stack: list[_Context]) -> bool:
        while stack:
            context = stack[-1]
            if context.index < len(context.tokens):
                return context.tokens[context.index].text == "("
            self._leave([stack.pop()])
        return False

    def _collected(self, macro: Macro, stack: list[_Context]) -> list[list[Token]] | None:
        last = len(macro.parameters or ()) - 1 if macro.variadic else -1
        given: list[list[Token]] = [[]]
        depth = 0
        while (token := self._next(stack)) is not None:
            text = token.text
            if text == "(":
                depth += 1
                if depth == 1:
                    continue
            elif text == ")":
                depth -= 1
                if depth == 0:
                    return given
            elif text == "," and depth == 1 and len(given) - 1 != last:
                given.append([])
                continue
            given[-1].append(token.paint() if text in self._off else token)
        return None


def _fits(macro: Macro, given: list[list[Token]]) -> bool:
    expected = len(macro.parameters or ())
    if expected == 0:
        return len(given) == 1 and not given[0]
    if macro.variadic:
        return expected - 1 <= len(given) <= expected
    return len(given) == expected


def expanded(tokens: list[Token], macros: Mapping[str, Macro], trace: bool = False) -> list[Token]:
    """Return `tokens` expanded by `macros`; with `trace`, tokens carry their `trail`."""
    return Expander(macros, trace).expanded(tokens)
