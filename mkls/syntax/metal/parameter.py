"""Parameters of functions: type, name, address space, attributes (MSL 4, section 5.2)."""

from typing import Final, NamedTuple

from mkls.syntax.metal.declaration import Attribute, attributes_of, doubled, group_end
from mkls.syntax.metal.token import Token, is_word

SPACES: Final = (
    "device", "constant", "threadgroup", "thread", "threadgroup_imageblock", "ray_data",
    "object_data",
)  # fmt: skip
_QUALIFIERS: Final = frozenset((*SPACES, "const", "volatile", "restrict", "__restrict", "unsigned",
                                "signed", "struct", "coherent", "typename"))  # fmt: skip
_NEVER_NAMES: Final = frozenset(("int", "char", "short", "long", "float", "half", "bool", "uint",
                                 "double", "void", "const", "auto", "unsigned"))  # fmt: skip
_TIGHT_BEFORE: Final = frozenset(("<", ">", ">>", ",", "::", ")", "]", "(", "[", "..."))
_TIGHT_AFTER: Final = frozenset(("<", "::", "(", "[", "~", "!"))


class Parameter(NamedTuple):
    """A parameter; `name` is None where it has none. `type` is spelled as C++, without `name`."""

    name: Token | None
    type: str
    space: str
    is_const: bool
    indirection: str
    attributes: list[Attribute]
    start: int
    end: int


def parameter_of(tokens: list[Token]) -> Parameter | None:
    """Return the parameter that `tokens` declare; None for no tokens and for `void`."""
    attributes, plain = _without_attributes(tokens)
    plain = _without_default(plain)
    if not plain or [token.text for token in plain] == ["void"]:
        return None
    name, typed = _named(plain)
    texts = [token.text for token in typed]
    return Parameter(
        name,
        rendered(texts),
        next((text for text in texts if text in SPACES), ""),
        "const" in texts[: _outermost_pointer(texts)] or "constant" in texts,
        next((text for text in reversed(texts) if text in ("*", "&", "&&")), ""),
        attributes,
        tokens[0].start,
        tokens[-1].start + len(tokens[-1].text) if tokens[-1].start >= 0 else -1,
    )


def _outermost_pointer(texts: list[str]) -> int:
    """Return where the pointee's type ends: a `const` after the `*` binds the pointer itself."""
    return next((index for index, text in enumerate(texts) if text in ("*", "&")), len(texts))


def _without_attributes(tokens: list[Token]) -> tuple[list[Attribute], list[Token]]:
    opening = next((index for index, token in enumerate(tokens) if token.text == "["), -1)
    if opening < 0:
        return [], tokens
    attributes: list[Attribute] = []
    plain = tokens[:opening]
    index = opening
    while index < len(tokens):
        if doubled(tokens, index):
            end = group_end(tokens, index)
            attributes += attributes_of(tokens[index:end])
            index = end
        else:
            plain.append(tokens[index])
            index += 1
    return attributes, plain


def _without_default(tokens: list[Token]) -> list[Token]:
    if not any(token.text == "=" for token in tokens):
        return tokens
    index = 0
    while index < len(tokens):
        if tokens[index].text == "=":
            return tokens[:index]
        index = group_end(tokens, index)
    return tokens


def _named(tokens: list[Token]) -> tuple[Token | None, list[Token]]:
    """Return the declared name and the other tokens: the type, array bounds included."""
    end = len(tokens)
    while end > 1 and tokens[end - 1].text == "]":
        end = _opening(tokens, end - 1, "[", "]")
    if end > 1 and tokens[end - 1].text == ")":
        inside = _opening(tokens, end - 1, "(", ")") + 1
        if any(token.text in ("*", "&") for token in tokens[inside : end - 1]):
            end -= 1
    index = end - 1
    if index >= 1 and _may_name(tokens, index):
        return tokens[index], tokens[:index] + tokens[max(index + 1, end) :]
    return None, tokens


def _opening(tokens: list[Token], index: int, opening: str, closing: str) -> int:
    depth = 0
    while index > 0:
        depth += (tokens[index].text == closing) - (tokens[index].text == opening)
        if depth == 0:
            break
        index -= 1
    return index


def _may_name(tokens: list[Token], index: int) -> bool:
    text = tokens[index].text
    if not is_word(text) or text in _NEVER_NAMES or tokens[index - 1].text == "::":
        return False
    return any(token.text not in _QUALIFIERS or token.text in ("unsigned", "signed")
               for token in tokens[:index])  # fmt: skip


def rendered(texts: list[str]) -> str:
    """Return the type that `texts` spell, in one style: `device float *`, `vec<T, 4>`."""
    parts: list[str] = []
    before = ""
    for text in texts:
        if before and _apart(before, text):
            parts.append(" ")
        parts.append(text)
        before = text
    return "".join(parts)


def _apart(before: str, text: str) -> bool:
    if before in ("*", "&") and text in ("*", "&"):
        return False
    if text in ("*", "&", "&&"):
        return before not in ("(", "<")
    if text == "[":
        return is_word(before) or before in ("*", "&")
    if text == "::":
        return is_word(before) and before in _QUALIFIERS
    return not (text in _TIGHT_BEFORE or before in _TIGHT_AFTER)
