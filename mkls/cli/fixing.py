"""Apply the fixes of `mkls check --fix`, or show them as a diff."""

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

from mkls.diagnostics.model import FileEdit, Finding, Fix
from mkls.features.diagnostics import RuleTable, all_findings
from mkls.session.state import Session, source_of
from mkls.text.document import Document, Uri, path_of
from mkls.text.edit import Edit, apply_edits

_MOST_PASSES = 20


def fix_all(
    session: Session, wanted: Sequence[Uri], rules: RuleTable, unsafe: bool
) -> dict[Uri, tuple[str, str]]:
    """Apply fixes in `session` until none is left; return each changed text, before and after.

    One fix may make room for another, so findings are taken anew after each pass.
    """
    before: dict[Uri, str] = {}
    for _ in range(_MOST_PASSES):
        snapshot = session.snapshot()
        edits = compatible_edits(all_findings(snapshot, wanted, rules), unsafe)
        if not edits:
            break
        for uri, listed in edits.items():
            document = snapshot.sources[uri].document
            before.setdefault(uri, document.text)
            changed = apply_edits(document.text, listed)
            session.load([source_of(Document(uri, document.language, changed))])
    sources = session.snapshot().sources
    changes = ((uri, text, sources[uri].document.text) for uri, text in before.items())
    return {uri: (old, new) for uri, old, new in changes if old != new}


def compatible_edits(findings: Iterable[Finding], unsafe: bool) -> dict[Uri, list[Edit]]:
    """Return the edits of the first fix of each finding, leaving out fixes that would overlap."""
    taken: dict[Uri, list[Edit]] = {}
    for found in findings:
        fix = next((it for it in found.diagnostic.fixes if it.safe or unsafe), None)
        if fix is not None and not _collides(fix, taken):
            for it in fix.edits:
                taken.setdefault(it.uri, []).append(it.edit)
    return taken


def _collides(fix: Fix, taken: dict[Uri, list[Edit]]) -> bool:
    return any(_touches(it, other) for it in fix.edits for other in taken.get(it.uri, ()))


def _touches(one: FileEdit, other: Edit) -> bool:
    # Two insertions at one place collide as well: their order would be a guess.
    mine, theirs = one.edit.span, other.span
    return mine.start <= theirs.end and theirs.start <= mine.end


def unified_diff(changes: dict[Uri, tuple[str, str]], root: Path) -> str:
    """Return `changes` as a patch with paths below `root`."""
    parts: list[str] = []
    for uri, (old, new) in sorted(changes.items()):
        path = Path(path_of(uri))
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
        lines = difflib.unified_diff(
            old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{name}", f"b/{name}"
        )
        for line in lines:
            parts += (line, "" if line.endswith("\n") else "\n\\ No newline at end of file\n")
    return "".join(parts)
