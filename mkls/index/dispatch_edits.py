"""Edits of a row's `dispatch` that leave the rest of the row as it is."""

from mkls.facts.model.native_functions import DispatchLine
from mkls.index.operators import Row
from mkls.text.edit import Edit
from mkls.text.span import Span


def listing(row: Row, line: DispatchLine, dispatch_key: str) -> Edit:
    """Return the edit that lists `dispatch_key` in `line`: after CUDA, else after the last key."""
    after = next((it for it in line.keys if it.text == "CUDA"), line.keys[-1])
    end = row.start + after.span.end
    return Edit(Span(end, end), f", {dispatch_key}")


def unlisting(row: Row, dispatch_key: str) -> Edit | None:
    """Return the edit that takes `dispatch_key` out of the row's dispatch.

    A line that lists nothing else goes, and so does a dispatch that has no other line.
    """
    line = row.line(dispatch_key)
    if line is None:
        return None
    if line.is_shared:
        return _without_key(row, line, dispatch_key)
    dispatch = row.entry.key("dispatch")
    lines = dispatch.lines if dispatch is not None and len(row.entry.dispatch) == 1 else line.lines
    return Edit(row.place(lines), "")


def _without_key(row: Row, line: DispatchLine, dispatch_key: str) -> Edit:
    index = next(i for i, it in enumerate(line.keys) if it.text == dispatch_key)
    if index == 0:
        span = Span(line.keys[0].span.start, line.keys[1].span.start)
    else:
        span = Span(line.keys[index - 1].span.end, line.keys[index].span.end)
    return Edit(row.place(span), "")


def new_line(row: Row, dispatch_key: str, function: str, newline: str) -> Edit:
    """Return the edit that gives `dispatch_key` a line of its own.

    It follows the line of CUDA, else the last one; a row without dispatch gets one at its end.
    """
    entry = row.entry
    written = f"    {dispatch_key}: {function}"
    if entry.dispatch:
        after = entry.dispatch_lines.get("CUDA") or entry.dispatch[-1]
        end = after.lines.end
    else:
        end = entry.end
        written = f"  dispatch:{newline}{written}"
    is_cut_off = entry.is_cut_off and end == entry.end
    text = newline + written if is_cut_off else written + newline
    return Edit(Span(row.start + end, row.start + end), text)
