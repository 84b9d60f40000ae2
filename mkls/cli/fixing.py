"""Apply the fixes of `mkls check --fix`, or show them as a diff."""

import difflib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from mkls.cli.places import current_folder, relative_path
from mkls.diagnostics.model import Fix
from mkls.features.code_actions import compatible_fixes
from mkls.features.diagnostics import RuleTable, all_findings
from mkls.session.state import Session, source_of
from mkls.text.document import Document, Uri, path_of
from mkls.text.edit import Edit, apply_edits

_MOST_PASSES = 20
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def fix_all(
    session: Session, wanted: Sequence[Uri], rules: RuleTable, unsafe: bool
) -> dict[Uri, tuple[str, str]]:
    """Apply fixes in `session` until none is left; return each changed text, before and after.

    One fix may make room for another, so findings are taken anew after each pass.
    """
    before: dict[Uri, str] = {}
    for _ in range(_MOST_PASSES):
        snapshot = session.snapshot()
        edits = _edits_by_file(compatible_fixes(all_findings(snapshot, wanted, rules), unsafe))
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


def _edits_by_file(fixes: Iterable[Fix]) -> dict[Uri, list[Edit]]:
    edits: dict[Uri, list[Edit]] = {}
    for it in (edit for fix in fixes for edit in fix.edits):
        edits.setdefault(it.uri, []).append(it.edit)
    return edits


def unified_diff(changes: dict[Uri, tuple[str, str]], root: Path) -> str:
    """Return `changes` as a patch with paths below the folder in which it applies.

    That is the current folder where it holds all that changes, else `root`.
    """
    here = current_folder()
    inside = here is not None and all(Path(path_of(uri)).is_relative_to(here) for uri in changes)
    folder = here if here and inside else root
    parts: list[str] = []
    for uri, (old, new) in sorted(changes.items()):
        name = relative_path(uri, folder)
        before = f"a/{name}" if old else "/dev/null"  # a new file, to `patch` and to git
        lines = difflib.unified_diff(_lines(old), _lines(new), before, f"b/{name}")
        for line in lines:
            parts += (line, "" if line.endswith("\n") else "\n\\ No newline at end of file\n")
    return "".join(parts)


def _lines(text: str) -> list[str]:
    # As `patch` counts them: `str.splitlines` also ends lines at form feeds and lone `\r`.
    return _LINE.findall(text)
