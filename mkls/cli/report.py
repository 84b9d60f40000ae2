"""What `mkls check` found, ready for any output format."""

from pathlib import Path

import msgspec

from mkls.cli.places import Place, place
from mkls.diagnostics.model import Finding, Fix
from mkls.diagnostics.selection import Selection
from mkls.index.snapshot import Snapshot
from mkls.text.document import path_of
from mkls.text.wording import printable


class ReportedEdit(msgspec.Struct, frozen=True):
    """Replace the text at `place` by `text`."""

    place: Place
    text: str


class ReportedFix(msgspec.Struct, frozen=True):
    """A fix in users' terms."""

    title: str
    safe: bool
    edits: tuple[ReportedEdit, ...]


class ReportedRelated(msgspec.Struct, frozen=True):
    """Another place of a finding."""

    place: Place
    message: str


class Reported(msgspec.Struct, frozen=True):
    """One finding in users' terms, with the line of source that it is on."""

    code: str
    severity: str
    message: str
    place: Place
    line_text: str
    related: tuple[ReportedRelated, ...]
    fixes: tuple[ReportedFix, ...]
    url: str


class Report(msgspec.Struct, frozen=True):
    """All findings of a run, sorted by path and position."""

    root: Path
    findings: tuple[Reported, ...]
    files: int

    @property
    def fixable(self) -> int:
        """How many findings have a safe fix."""
        return sum(any(fix.safe for fix in found.fixes) for found in self.findings)


def report(snapshot: Snapshot, findings: list[Finding], selection: Selection, files: int) -> Report:
    """Turn `findings` into what formats print."""
    reported = (_reported(snapshot, found, selection) for found in findings)
    ordered = sorted(reported, key=lambda it: (it.place, it.code, it.message))
    return Report(Path(path_of(snapshot.root)), tuple(ordered), files)


def _reported(snapshot: Snapshot, found: Finding, selection: Selection) -> Reported:
    lines = snapshot.sources[found.uri].document.lines
    where = place(snapshot, found.uri, found.diagnostic.span)
    return Reported(
        code=found.rule.code,
        severity=selection.severity(found).value,
        message=printable(found.diagnostic.message),
        place=where,
        line_text=printable(lines.content(where.line - 1)),
        related=tuple(
            ReportedRelated(place(snapshot, it.uri, it.span), printable(it.message))
            for it in found.diagnostic.related
        ),
        fixes=tuple(_fix(snapshot, it) for it in found.diagnostic.fixes),
        url=found.rule.url,
    )


def _fix(snapshot: Snapshot, fix: Fix) -> ReportedFix:
    edits = (
        ReportedEdit(place(snapshot, it.uri, it.edit.span), it.edit.new_text) for it in fix.edits
    )
    return ReportedFix(fix.title, fix.safe, tuple(edits))
