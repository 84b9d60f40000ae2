"""The test language: a workspace in one string, with what is expected of it in place.

    //- kernels/Fmax.metal             starts a file
    $0                                 the cursor
    //   ^^^^ unresolved-kernel-name   expects a diagnostic on the text above the carets
    //<^^^^ code                       the same, where the text starts in column 0
    //- HEAD:kernels/Fmax.metal        starts a file as the last commit has it

Expectation lines are removed before mkls sees the text, so they may stand anywhere, even between a
macro's continuation lines or inside a raw string.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mkls.facts.extract import facts_of
from mkls.index.snapshot import Snapshot, Source, Workspace
from mkls.text.document import Document, Uri, language_of_text
from mkls.text.span import Span

CURSOR = "$0"
HEAD = "HEAD:"
_FILE = re.compile(r"^//- (\S+)\n", re.MULTILINE)
_EXPECTATION = re.compile(r"^[ \t]*(?://|#)[ \t]*<?\^+ .*\n?", re.MULTILINE)


@dataclass(frozen=True)
class Fixture:
    """A workspace, where the cursor is, and each file as the author wrote it.

    `committed` are the files as the last commit has them, by their paths.
    """

    snapshot: Snapshot
    cursor: tuple[Uri, int] | None
    marked: Mapping[Uri, str]
    committed: Mapping[str, str]

    @property
    def place(self) -> tuple[Uri, int]:
        """Where the cursor is."""
        assert self.cursor, "the fixture has no $0"
        return self.cursor


def parse(source: str) -> Fixture:
    """Read a workspace whose files follow each other in one string."""
    _, *parts = _FILE.split(source.lstrip("\n"))
    return of_files(dict(zip(parts[::2], parts[1::2], strict=True)))


def of_files(files: Mapping[str, str]) -> Fixture:
    """Read a workspace from its files' paths and marked texts."""
    committed = {path: body for path, body in files.items() if path.startswith(HEAD)}
    marked = {Uri(f"file:///{path}"): body for path, body in files.items() if path not in committed}
    cursor = None
    sources: list[Source] = []
    for uri, body in marked.items():
        text = _EXPECTATION.sub("", body)
        if CURSOR in text:
            cursor = uri, text.index(CURSOR)
            text = text.replace(CURSOR, "", 1)
        sources.append(source_of(uri, text))
    now = {source.document.uri: source for source in sources}
    before = [
        _committed(now, Uri(f"file:///{path.removeprefix(HEAD)}"), body)
        for path, body in committed.items()
    ]
    workspace = Workspace.of(Uri("file:///")).compared_with(before)
    return Fixture(Snapshot.of(sources, workspace), cursor, marked, committed)


def _committed(now: Mapping[Uri, Source], uri: Uri, text: str) -> Source:
    source = now.get(uri)
    return source if source and source.document.text == text else source_of(uri, text)


def source_of(uri: Uri, text: str) -> Source:
    """Read one document."""
    language = language_of_text(uri, text)
    assert language, f"mkls does not read {uri}"
    document = Document(uri, language, text)
    return Source(document, facts_of(document))


def annotate(document: Document, notes: Iterable[tuple[Span, str]]) -> str:
    """Write each note under the text that its span covers."""
    comment = "#" if document.uri.endswith((".yaml", ".py")) else "//"
    lines = document.text.splitlines(keepends=True)
    for span, note in sorted(notes, reverse=True):
        start, end = document.lines.range(span)
        assert start.line == end.line, f"{note}: a diagnostic fits on one line"
        carets = "^" * max(1, end.column - start.column)
        if start.column < len(comment):
            assert start.column == 0, f"{note}: no room for carets: report a later token"
            lines.insert(start.line + 1, f"{comment}<{carets} {note}\n")
        else:
            lines.insert(start.line + 1, f"{comment:<{start.column}}{carets} {note}\n")
    return "".join(lines)
