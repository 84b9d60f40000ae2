"""Python's own parser, which says nothing and never fails."""

import ast
import warnings


def statements_of(text: str) -> tuple[ast.stmt, ...]:
    """Return the statements of `text`, none while it is no Python."""
    try:
        with warnings.catch_warnings():
            # Of a file that mkls only reads, nobody wants to hear that `\d` is no escape.
            warnings.simplefilter("ignore")
            return tuple(ast.parse(text).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def expression_of(text: str) -> ast.expr | None:
    """Return the expression that `text` is, None while it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
