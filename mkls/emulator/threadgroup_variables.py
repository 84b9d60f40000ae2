"""`threadgroup float a[N], b;` inside a function becomes references to the threadgroup's memory."""

import re
from collections.abc import Iterator

from mkls.emulator.edits import Edit, newlines
from mkls.emulator.tokens import Tokens, is_identifier

_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_BEFORE = frozenset({";", "{", "}"})
_SPECIFIERS = frozenset({"static", "const", "volatile"})


def threadgroup_variables(tokens: Tokens) -> Iterator[Edit]:
    """Edits for every declaration of threadgroup storage; pointers and references stay."""
    for index, text in enumerate(tokens.texts):
        if text != "threadgroup":
            continue
        first = _statement_start(tokens, index)
        if first is None:
            continue
        last = _statement_end(tokens, index)
        replacement = _replacement(tokens, first, index, last)
        if replacement is not None:
            start, end = tokens.starts[first], tokens.starts[last]
            yield Edit(start, end, replacement + newlines(tokens.text[start:end]))


def _statement_start(tokens: Tokens, index: int) -> int | None:
    """The first token of the declaration around `threadgroup`; None when it is no declaration."""
    texts = tokens.texts
    while index > 0:
        before = texts[index - 1]
        if before in _BEFORE:
            return index
        if before in _SPECIFIERS:
            index -= 1
        elif before in (")", "]") and _is_alignment(tokens, index - 1):
            index = tokens.partner[index - 1] - (before == ")")
        elif is_identifier(before) and _starts_statement(texts, index - 1):
            index -= 1  # `float threadgroup x[4];`
        else:
            return None
    return None


def _starts_statement(texts: list[str], index: int) -> bool:
    return texts[index - 1] in _BEFORE and texts[index] not in ("return", "else", "do", "typedef")


def _is_alignment(tokens: Tokens, close: int) -> bool:
    open_ = tokens.partner.get(close, 0)
    return tokens.is_attribute(open_) or tokens.texts[open_ - 1] == "alignas"


def _statement_end(tokens: Tokens, index: int) -> int:
    texts = tokens.texts
    while index < len(texts) - 1 and texts[index] not in (";", "}"):
        index = tokens.close(index) if texts[index] in "([{" else index
        index += 1
    return index


def _replacement(tokens: Tokens, first: int, keyword: int, last: int) -> str | None:
    before = [t for t in tokens.texts[first:keyword] if t not in _SPECIFIERS]
    parts: list[str] = []
    base = ""
    for start, end in tokens.split_commas(keyword + 1, last):
        name, dimensions = _declarator(tokens, start, end)
        if name is None:
            return None
        if not parts:
            base = " ".join([*before, tokens.joined(start, name)])
            if not base.strip():
                return None
        parts.append(_variable(base, tokens.texts[name], dimensions))
    return " ".join(parts)[:-1] if parts else None  # the source's own `;` ends the last one


def _declarator(tokens: Tokens, first: int, last: int) -> tuple[int | None, str]:
    """The token that names the variable, None for a pointer or a reference, and its `[n][m]`."""
    texts = tokens.texts
    end = last
    while end > first and texts[end - 1] == "]":
        end = tokens.partner.get(end - 1, first)
    name = end - 1
    if name < first or not is_identifier(texts[name]):
        return None, ""
    if any(text in ("*", "&", "=") for text in _outside_brackets(tokens, first, name)):
        return None, ""
    return name, tokens.joined(end, last)


def _outside_brackets(tokens: Tokens, first: int, last: int) -> Iterator[str]:
    index = first
    while index < last:
        text = tokens.texts[index]
        if text in "([{":
            index = tokens.close(index)
        elif text == "<":
            index = min(tokens.angle_close(index, last), last)
        else:
            yield text
        index += 1


def _variable(base: str, name: str, dimensions: str) -> str:
    type_, key = f"mkls_type_{name}", f"mkls_variable_{name}"
    # The rows of an array bear its name too, so that a wrong index of one is known as its.
    first, *rest = _BRACKETS.findall(dimensions) or [""]
    row = ""
    if rest:
        row = f"typedef {base} mkls_row_{name} {' '.join(rest)}; "
        base, dimensions = f"mkls_row_{name}", first
    return (
        f"{row}typedef {base} {type_} {dimensions}; "
        f"static ::mkls_threadgroup_variable {key} = "
        f"{{sizeof({type_}), alignof({type_}), __LINE__, ::mkls::item_size<{type_}>, "
        f'"{name}", 0}}; '
        f"{type_}& {name} = ::mkls::threadgroup_memory<{type_}>(&{key});"
    )
