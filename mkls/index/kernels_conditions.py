"""The conditional groups that are open at one place of one file."""

from collections.abc import Mapping
from typing import Final

from mkls.facts.model.metal import MetalDirective
from mkls.syntax.metal.condition import HasInclude, condition_value
from mkls.syntax.metal.macro import Macro

_LOUD: Final = ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef")


class Conditions:
    """Follows the conditional directives of one file; `live` says whether its lines count."""

    def __init__(self, macros: Mapping[str, Macro], has_include: HasInclude) -> None:
        """Decide by `macros`, which may change between directives."""
        self.live = True
        self._macros = macros
        self._has_include = has_include
        self._groups: list[tuple[bool, bool]] = []

    def take(self, directive: MetalDirective) -> bool:
        """Follow `directive` when it is a conditional one; return whether it is."""
        kind = directive.kind
        if kind in ("if", "ifdef", "ifndef"):
            outer = self.live
            self.live = outer and self._holds(kind, directive.argument)
            self._groups.append((outer, self.live))
        elif kind == "endif":
            self.live = self._groups.pop()[0] if self._groups else True
        elif kind in _LOUD or kind == "else":
            if self._groups:
                self._alternative(kind, directive.argument)
        else:
            return False
        return True

    def _alternative(self, kind: str, argument: str) -> None:
        outer, taken = self._groups[-1]
        self.live = outer and not taken and (kind == "else" or self._holds(kind, argument))
        self._groups[-1] = (outer, taken or self.live)

    def _holds(self, kind: str, argument: str) -> bool:
        if kind.endswith("def"):
            name = argument.split(" ", maxsplit=1)[0]
            return (name in self._macros) != (kind in ("ifndef", "elifndef"))
        return bool(condition_value(argument, self._macros, self._has_include))
