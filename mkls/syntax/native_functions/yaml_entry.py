"""Read an odd entry with a YAML loader, so that its values are right whatever its style."""

import re
from typing import Any

from mkls.syntax.native_functions.nodes import Mapping, Pair, Scalar, Sequence, Value
from mkls.syntax.problem import Problem
from mkls.text.span import Span

_TAG = re.compile(r"!(!\S)?")
# YAML 1.1's other line breaks, which ruamel.yaml does not begin a line at.
_LINE_BREAKS = str.maketrans("\x85\u2028\u2029", "\n\n\n")

# The loader's time grows with the square of the depth.
_DEEPEST = 500


class NotYamlError(Exception):
    """The text is not YAML: `args` are the offset and the reason."""


class NotAMapError(Exception):
    """The text is YAML, and not one list item that holds a map."""


def yaml_pairs(text: str) -> tuple[Pair, ...]:
    """Return the pairs of the entry `text`; raise `NotYamlError` or `NotAMapError`.

    Only odd entries come here, so that the loader is imported only when there are any.
    """
    if text.count("[") + text.count("{") > _DEEPEST:
        raise NotYamlError(0, "too many brackets for one entry")
    root = _compose(text)
    items: list[Any] = root.value if _is(root, "Sequence") else []
    if len(items) != 1 or not _is(items[0], "Mapping"):
        raise NotAMapError
    try:
        return _Reader(text).mapping(items[0]).pairs
    except RecursionError:
        raise NotYamlError(0, "an alias refers to what holds it") from None


def _compose(text: str) -> Any:  # noqa: ANN401  (ruamel.yaml's nodes are untyped)
    from ruamel.yaml import YAML  # noqa: PLC0415  (25 ms, for odd entries only)
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415

    loader: Any = YAML(typ="safe", pure=True)
    loader.version = (1, 1)
    try:
        return loader.compose(text.translate(_LINE_BREAKS))
    except MarkedYAMLError as error:
        untyped: Any = error
        mark = untyped.problem_mark or untyped.context_mark
        reason = str(untyped.problem or untyped.context)
        raise NotYamlError(mark.index if mark else 0, reason) from None
    except (YAMLError, ValueError, RecursionError) as error:
        raise NotYamlError(0, _reason(error)) from None


def _reason(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


def _is(node: object, kind: str) -> bool:
    return type(node).__name__ == f"{kind}Node"


class _Reader:
    """Turns the loader's nodes into ours; `text` tells which scalars are written as they are."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._nodes_left = 2 * len(text) + 8

    def value(self, node: Any) -> Value | None:  # noqa: ANN401
        # Aliases of aliases multiply: no text says more than it has characters.
        self._nodes_left -= 1
        if self._nodes_left < 0:
            raise NotYamlError(node.start_mark.index, "aliases of aliases")
        tag = _TAG.match(self._text, node.start_mark.index)
        if tag is not None and tag[1] is None:
            raise NotYamlError(tag.start(), "no value can have a tag of its own, as in `!tag`")
        if _is(node, "Mapping"):
            return self.mapping(node)
        if _is(node, "Sequence"):
            items = (self.value(item) or self.scalar(item) for item in node.value)
            return Sequence(tuple(items), self._span(node))
        it = self.scalar(node)
        return None if it.plain and not it.text else it

    def scalar(self, node: Any) -> Scalar:  # noqa: ANN401
        span = self._span(node)
        # An explicit tag, as in `!!str 1`, settles the type as quotes do.
        plain = node.style is None and not _TAG.match(self._text, span.start)
        content = span.start + (not plain)
        as_written = self._text.startswith(node.value, content)
        return Scalar(node.value, span, content if as_written else -1, plain)

    def mapping(self, node: Any) -> Mapping:  # noqa: ANN401
        pairs = [self._pair(key, value) for key, value in node.value]
        return Mapping(tuple(pairs), self._span(node))

    def _pair(self, key: Any, value: Any) -> Pair:  # noqa: ANN401
        if not _is(key, "Scalar"):
            raise NotYamlError(key.start_mark.index, "a key is a name")
        start, end = key.start_mark.index, max(value.end_mark.index, key.end_mark.index)
        end = start + len(self._text[start:end].rstrip())
        return Pair(self.scalar(key), self.value(value), whole_lines(self._text, start, end))

    @staticmethod
    def _span(node: Any) -> Span:  # noqa: ANN401
        return Span(node.start_mark.index, node.end_mark.index)


def whole_lines(text: str, start: int, end: int) -> Span:
    """Return the lines that `[start, end)` touches, the last one's ending included."""
    first = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    newline = text.find("\n", end)
    return Span(first, newline + 1 if newline >= 0 else len(text))


def not_yaml_problem(text: str, offset: int, reason: str) -> Problem:
    """Return the problem of the line around `offset`."""
    lines = whole_lines(text, offset, offset)
    written = lines.of(text)
    start = lines.start + len(written) - len(written.lstrip())
    return Problem(
        Span(start, max(lines.start + len(written.rstrip()), start)), f"not YAML: {reason}"
    )
