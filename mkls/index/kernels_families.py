"""Macro families: which host names a registration macro makes, read from its definition."""

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from mkls.index.kernels_memo import kernels_among
from mkls.index.kernels_unit import Unit
from mkls.index.place import Place
from mkls.syntax.metal.expansion import expanded
from mkls.syntax.metal.macro import Macro
from mkls.syntax.metal.token import tokens_of
from mkls.text.span import Span

# Letters, so that a placeholder pastes and stringizes as an identifier does; nobody writes them.
_OPEN, _CLOSE = "\N{CANADIAN SYLLABICS PA}", "\N{CANADIAN SYLLABICS PO}"
_HOLE: Final = re.compile(f"{_OPEN}(\\w*?){_CLOSE}")


class Family(msgspec.Struct, frozen=True):
    """A registration macro: `patterns` are its host names with `{PARAMETER}` in place of values.

    `REGISTER_UNARY_OP` has `{NAME}_dense_{DTYPE1}_{DTYPE0}` and five more.
    """

    macro: str
    parameters: tuple[str, ...]
    patterns: tuple[str, ...]
    definition: Place | None

    def names(self, values: Mapping[str, str]) -> tuple[str, ...]:
        """Return the host names for these values of the parameters."""
        return tuple(
            re.sub(r"\{(\w+)\}", lambda hole: values.get(hole[1], hole[0]), pattern)
            for pattern in self.patterns
        )


def family_of(macro: Macro, unit: Unit) -> Family:
    """Return the family of `macro` as the source of `unit` sees it."""
    parameters = macro.parameters or ()
    holes = ", ".join(f"{_OPEN}{name}{_CLOSE}" for name in parameters)
    call = macro.name if macro.parameters is None else f"{macro.name}({holes})"
    macros = {**unit.macros, macro.name: macro}
    kernels = kernels_among(expanded(tokens_of(call), macros), Span(0, 0))
    names = (it.host_name.text for it in kernels if it.host_name)
    patterns = tuple(_HOLE.sub(r"{\1}", name) for name in names)
    return Family(macro.name, parameters, patterns, _definition(macro, unit))


def _definition(macro: Macro, unit: Unit) -> Place | None:
    for uri, facts in unit.visited.items():
        for definition in facts.macros:
            if definition.name.text == macro.name and definition.body == macro.body:
                return Place(uri, definition.name.span)
    return None
