"""By which words clients know kinds of tokens (LSP 3.17, “Semantic Tokens”)."""

from mkls.features.tokens.token import Modifier, TokenKind

_STANDARD = {
    TokenKind.TYPE_PARAMETER: "typeParameter",
    TokenKind.ENUM_MEMBER: "enumMember",
}
_MODIFIERS = {
    Modifier.DEFAULT_LIBRARY: "defaultLibrary",
}
KINDS = tuple(_STANDARD.get(kind, kind.name.lower()) for kind in TokenKind)
MODIFIERS = tuple(
    _MODIFIERS.get(it, str(it.name).lower()) for it in Modifier if it is not Modifier.NONE
)
"""The legend; custom modifiers are the address spaces and what they call themselves."""
