"""Where lines go in C++ and Metal sources: includes, ends of namespaces, whole lines."""

import re
from typing import Final

from mkls.diagnostics.model import FileEdit
from mkls.generation.plan import Reason, RefusedError
from mkls.index.snapshot import Snapshot
from mkls.syntax.metal.token import tokens_of
from mkls.text.document import Document, Uri
from mkls.text.edit import Edit
from mkls.text.span import Span

_INCLUDE: Final = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"][^\n]*\n?", re.MULTILINE
)
_CONDITION: Final = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b", re.MULTILINE)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
ATEN: Final = "/aten/src/"


def newline_of(text: str) -> str:
    """Return how the lines of `text` end."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def inserted(uri: Uri, text: str, at: int, lines: str) -> FileEdit:
    """Return the edit that inserts `lines` into `text`, their line endings as it has them.

    At the end of a text without a last line ending, one is supplied.
    """
    if at == len(text) and text and not text.endswith("\n"):
        lines = "\n" + lines
    newline = newline_of(text)
    new_text = lines if newline == "\n" else lines.replace("\n", newline)
    return FileEdit(uri, Edit(Span(at, at), new_text))


def editable(snapshot: Snapshot, uri: Uri) -> str:
    """Return the text at `uri`.

    Raises:
        RefusedError: The file is no text in UTF-8, or belongs to a library.
    """
    document: Document = snapshot.sources[uri].document
    name = uri.rpartition("/")[2]
    if uri in snapshot.library:
        raise RefusedError(Reason.NOT_TEXT, f"{name} belongs to a library")
    if _SURROGATE.search(document.text):
        raise RefusedError(Reason.NOT_TEXT, f"{name} is not UTF-8: convert it first")
    return document.text


def mind_balance(uri: Uri, text: str) -> None:
    """Refuse a source whose brackets do not match: it is half-typed somewhere.

    Raises:
        RefusedError: They do not.
    """
    closing = {")": "(", "]": "[", "}": "{"}
    waiting: list[str] = []
    for token in tokens_of(_without_alternatives(text)):
        if token.text in closing.values():
            waiting.append(token.text)
        elif token.text in closing and (not waiting or waiting.pop() != closing[token.text]):
            waiting.append("?")
            break
    if waiting:
        name = uri.rpartition("/")[2]
        raise RefusedError(
            Reason.HALF_TYPED, f"the brackets of {name} do not match: finish what is being typed"
        )


def _without_alternatives(text: str) -> str:
    """Return `text` without directives and without what stands after `#else` and `#elif`."""
    kept: list[str] = []
    skipping: list[bool] = []
    continued = False
    for line in text.splitlines():
        stripped = line.lstrip()
        if continued or stripped.startswith("#"):
            continued = line.endswith("\\")
            word = stripped.lstrip("# \t").partition(" ")[0] if stripped.startswith("#") else ""
            if word in ("if", "ifdef", "ifndef"):
                skipping.append(False)
            elif word in ("else", "elif") and skipping:
                skipping[-1] = True
            elif word == "endif" and skipping:
                skipping.pop()
        elif not any(skipping):
            kept.append(line)
    return "\n".join(kept)


def include_edit(uri: Uri, text: str, path: str) -> FileEdit | None:
    """Return the edit that includes `<path>` in its place by the alphabet; None if it is included.

    It joins the includes that stand together and have the longest beginning in common with it.
    """
    found = list(_INCLUDE.finditer(text))
    if any(it[1] == path for it in found):
        return None
    plain = [it for it in found if not _is_conditional(text, it.start())]
    line = f"#include <{path}>\n"
    if not plain:
        return inserted(uri, text, _first_line(text), line)
    run = _nearest_run(text, plain, path)
    after = [it for it in run if it[1] < path]
    at = after[-1].end() if after else run[0].start()
    return inserted(uri, text, at, line)


def _nearest_run(text: str, found: "list[re.Match[str]]", path: str) -> "list[re.Match[str]]":
    """Return the includes without a gap between them that are most like `path`."""
    runs: list[list[re.Match[str]]] = []
    for it in found:
        if runs and text[runs[-1][-1].end() : it.start()] == "":
            runs[-1].append(it)
        else:
            runs.append([it])
    return max(runs, key=lambda run: max(_common(it[1], path) for it in run))


def _common(one: str, other: str) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))


def _is_conditional(text: str, at: int) -> bool:
    depth = 0
    for it in _CONDITION.finditer(text, 0, at):
        depth += -1 if it[1] == "endif" else 1
    return depth > 0


def _first_line(text: str) -> int:
    """Return where includes may start: after a leading `#pragma once` or `#define` of one line."""
    leading = re.match(
        r"(?:(?://[^\n]*|#pragma once[^\n]*|#define TORCH_[^\n]*|[ \t\r]*)\n)*", text
    )
    return leading.end() if leading else 0


def include_path(uri: Uri, root: Uri) -> str:
    """Return how sources include the header at `uri`."""
    if ATEN in uri:
        return uri.rpartition(ATEN)[2]
    below = root if root.endswith("/") else f"{root}/"
    return uri.removeprefix(below) if uri.startswith(below) else uri.rpartition("/")[2]


def whole_lines(text: str, span: Span) -> Span:
    """Return `span` widened to whole lines, the last line's ending included."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    return Span(start, len(text) if end < 0 else end + 1)
