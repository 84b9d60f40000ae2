"""Metal's floating literals in C++: one without a suffix is a float, `H` is half, `bf` is bfloat.

Source: Metal Shading Language Specification, 2.1.1. The compiler's flag for single precision does
not reach the literals of templates, which are built anew for every instantiation.
"""

import re
from collections.abc import Iterator

from mkls.emulator.edits import Edit
from mkls.emulator.tokens import Tokens

_LITERAL = re.compile(
    r"""(?: 0[xX](?:[\da-fA-F']+\.?[\da-fA-F']*|\.[\da-fA-F']+)[pP][+-]?\d+
          | (?:[\d']+\.[\d']*|\.[\d']+)(?:[eE][+-]?\d+)?
          | [\d']+[eE][+-]?\d+
        )(?P<suffix>|H|bf|BF)\Z""",
    re.VERBOSE,
)
_SUFFIXES = {"": "f", "H": "h", "bf": "_mkls_bf", "BF": "_mkls_bf"}


def floating_literals(tokens: Tokens) -> Iterator[Edit]:
    """Edits that give floating literals the suffixes of `mkls/literals.h`."""
    for index, text in enumerate(tokens.texts):
        if text[0] not in ".0123456789" or len(text) < 2:
            continue
        found = _LITERAL.match(text)
        if found:
            end = tokens.end(index)
            yield Edit(end - len(found["suffix"]), end, _SUFFIXES[found["suffix"]])
