"""The string methods by which sources are put together, with the places of what they keep."""

import re
from collections.abc import Iterator, Mapping, Sequence

from mkls.facts.python_values import Number, Value
from mkls.text.source_text import Run, SourceText, joined

_PERCENT = re.compile(r"%(%|s|d|i)|%")
_BRACES = re.compile(r"\{\{|\}\}|\{(\w*)\}|[{}]")
_MARGIN = re.compile(r"^[ \t]+$", re.MULTILINE)
_INDENT = re.compile(r"(^[ \t]*)(?:[^ \t\n])", re.MULTILINE)


def formatted(text: SourceText, values: Sequence[Value]) -> SourceText | None:
    """Return `text % values`."""
    parts: list[SourceText] = []
    at = used = 0
    for match in _PERCENT.finditer(text.text):
        parts.append(text.cut(at, match.start()))
        at = match.end()
        if match[1] == "%":
            parts.append(_in_place(text, match, "%"))
            continue
        value = values[used] if match[1] and used < len(values) else None
        filled = _filled(text, match, value)
        if filled is None:
            return None
        parts.append(filled)
        used += 1
    return joined((*parts, text.cut(at, len(text.text)))) if used == len(values) else None


def string_method(
    text: SourceText, method: str, arguments: Sequence[Value], keywords: Mapping[str, Value]
) -> SourceText | None:
    """Return `text.method(arguments, keywords)`, None for what is not known."""
    match method:
        case "str":
            return text
        case "format":
            return _format(text, arguments, keywords)
        case "replace" if len(arguments) == 2:
            return _replaced(text, arguments[0], arguments[1])
        case "strip" | "lstrip" | "rstrip" if not arguments:
            bare = getattr(text.text, method)()
            start = text.text.index(bare)
            return text.cut(start, start + len(bare))
        case "dedent":
            return _dedented(text)
        case _:
            return None


def _format(
    text: SourceText, arguments: Sequence[Value], keywords: Mapping[str, Value]
) -> SourceText | None:
    parts: list[SourceText] = []
    at = used = 0
    for match in _BRACES.finditer(text.text):
        parts.append(text.cut(at, match.start()))
        at = match.end()
        if match[0] in ("{{", "}}"):
            parts.append(_in_place(text, match, match[0][0]))
            continue
        name = match[1]
        if name is None:
            return None
        if name.isdecimal() or not name:
            index = int(name) if name else used
            used += not name
            value = arguments[index] if index < len(arguments) else None
        else:
            value = keywords.get(name)
        filled = _filled(text, match, value)
        if filled is None:
            return None
        parts.append(filled)
    return joined((*parts, text.cut(at, len(text.text))))


def _replaced(text: SourceText, old: Value, new: Value) -> SourceText | None:
    if not isinstance(old, SourceText) or not isinstance(new, SourceText) or not old.text:
        return None
    parts: list[SourceText] = []
    at = 0
    while (found := text.text.find(old.text, at)) >= 0:
        parts.append(text.cut(at, found))
        parts.append(_spread(text.cut(found, found + len(old.text)), new.text))
        at = found + len(old.text)
    return joined((*parts, text.cut(at, len(text.text))))


def _in_place(text: SourceText, match: re.Match[str], value: str) -> SourceText:
    return _spread(text.cut(*match.span()), value)


def _filled(text: SourceText, match: re.Match[str], value: Value) -> SourceText | None:
    if isinstance(value, Number):
        return _in_place(text, match, str(value.value))
    return value if isinstance(value, SourceText) else None


def _spread(whole: SourceText, value: str) -> SourceText:
    """Return `value`, all of which stands for the place of `whole`."""
    if not whole.runs or not value:
        return SourceText(value, ())
    return SourceText(value, (Run(0, len(value), whole.runs[0].span),))


def _dedented(text: SourceText) -> SourceText:
    """Return what `textwrap.dedent` makes of `text`."""
    clean = _without(text, [it.span() for it in _MARGIN.finditer(text.text)])
    margins = [match[1] for match in _INDENT.finditer(clean.text)]
    margin = _common(margins)
    lines = _line_starts(clean.text) if margin else iter(())
    return _without(
        clean, [(it, it + len(margin)) for it in lines if clean.text.startswith(margin, it)]
    )


def _common(margins: Sequence[str]) -> str:
    """Return the white space with which all of `margins` begin."""
    if not margins:
        return ""
    first, last = min(margins), max(margins)
    length = next(
        (index for index, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]),
        min(len(first), len(last)),
    )
    return first[:length]


def _line_starts(text: str) -> Iterator[int]:
    yield 0
    for match in re.finditer("\n", text):
        yield match.end()


def _without(text: SourceText, cuts: Sequence[tuple[int, int]]) -> SourceText:
    parts: list[SourceText] = []
    at = 0
    for start, end in cuts:
        parts.append(text.cut(at, start))
        at = end
    return joined((*parts, text.cut(at, len(text.text))))
