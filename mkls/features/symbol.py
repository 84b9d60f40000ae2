"""An entry of an outline."""

from enum import Enum

import msgspec

from mkls.text.span import Span


class SymbolKind(Enum):
    """What a symbol of an outline is."""

    OPERATOR = "operator"
    OVERLOAD = "overload"
    FAMILY = "family"
    KERNEL = "kernel"
    FUNCTION = "function"
    REGISTRATION = "registration"
    STRUCT = "struct"
    MACRO = "macro"
    STUB = "stub"
    LIBRARY = "library"


class Symbol(msgspec.Struct, frozen=True):
    """An entry of an outline; `span` is its name, within `whole`."""

    name: str
    kind: SymbolKind
    span: Span
    whole: Span
    detail: str = ""
    children: "tuple[Symbol, ...]" = ()
