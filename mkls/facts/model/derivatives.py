"""What `tools/autograd/derivatives.yaml` states: which operators have a derivative of their own."""

import re
from functools import cached_property

import msgspec

from mkls.facts.model.name import Name
from mkls.text.span import Span

_CALL = re.compile(r"#.*|([A-Za-z_]\w*)\(")


class Derivative(msgspec.Struct, frozen=True, dict=True):
    """The entry of one operator; `formulas` is all that follows its name, from `start` on."""

    operator: Name
    formulas: str
    start: int

    @cached_property
    def calls(self) -> tuple[Name, ...]:
        """The functions and methods that the formulas call, each once."""
        found: dict[str, Name] = {}
        for match in _CALL.finditer(self.formulas):
            if match[1]:
                span = Span(*match.span(1)).shifted(self.start)
                found.setdefault(match[1], Name(match[1], span))
        return tuple(found.values())


class DerivativesFacts(msgspec.Struct, frozen=True):
    """The entries of the file, in order; their spans count from the start of the file."""

    derivatives: tuple[Derivative, ...] = ()
