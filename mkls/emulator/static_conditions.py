"""`if (FLAG)` on a template parameter becomes `if constexpr`: one branch alone must compile.

Metal's bfloat is a type of the language and converts to any number. The shim's is a class that
converts to integers explicitly only (see `mkls/bfloat.h`), which matters in branches like
`if (ARG_SORT) out[i] = index; else out[i] = value;` that are compiled and never run.
"""

from collections.abc import Iterator

from mkls.emulator.declarations import Declaration
from mkls.emulator.edits import Edit
from mkls.emulator.tokens import Tokens


def static_conditions(tokens: Tokens, all_declarations: list[Declaration]) -> Iterator[Edit]:
    """Edits for the conditions that are one `bool` template parameter, negated or not."""
    texts = tokens.texts
    done: set[int] = set()
    for declaration in all_declarations:
        flags = _flags(tokens, declaration)
        if not flags or declaration.body < 0:
            continue
        for index in range(declaration.body, tokens.close(declaration.body)):
            if texts[index] != "if" or texts[index + 1] != "(" or index in done:
                continue
            condition = texts[index + 2 : tokens.close(index + 1)]
            if condition[-1:] and condition[-1] in flags and condition[:-1] in ([], ["!"]):
                done.add(index)
                yield Edit(tokens.end(index), tokens.end(index), " constexpr")


def _flags(tokens: Tokens, declaration: Declaration) -> set[str]:
    """The `bool` parameters in the template headers of `declaration`."""
    if not declaration.template:
        return set()
    texts = tokens.texts
    return {
        texts[index + 1]
        for index in range(declaration.first, declaration.head - 1)
        if texts[index] == "bool" and texts[index + 2] in (",", ">", "=")
    }
