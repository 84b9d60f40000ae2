"""The functions through which tests call rules: tests say what, these say how."""

from mkls.diagnostics.model import Finding, Fix
from mkls.features.diagnostics import ALL_RULES, findings
from mkls.text.document import Uri
from mkls.text.edit import apply_edits
from tests.support.fixture import Fixture, annotate, of_files


def reports(fixture: Fixture) -> list[Finding]:
    """Every finding of every file, of the rules that are on by default and of all others."""
    snapshot = fixture.snapshot
    return [found for uri in snapshot.sources for found in findings(snapshot, uri, ALL_RULES)]


def check_diagnostics(fixture: Fixture) -> None:
    """Every diagnostic is expected, and every expectation is met."""
    by_uri: dict[Uri, list[Finding]] = {uri: [] for uri in fixture.marked}
    for found in reports(fixture):
        by_uri[found.uri].append(found)
    for uri, found in by_uri.items():
        document = fixture.snapshot.sources[uri].document
        notes = ((it.diagnostic.span, it.rule.code) for it in found)
        assert annotate(document, notes) == fixture.marked[uri]


def fixes(fixture: Fixture) -> list[Fix]:
    """Every fix on offer."""
    return [fix for found in reports(fixture) for fix in found.diagnostic.fixes]


def texts(fixture: Fixture) -> dict[str, str]:
    """The text of each file by its path."""
    return {
        uri.removeprefix("file:///"): source.document.text
        for uri, source in fixture.snapshot.sources.items()
    }


def after(fixture: Fixture, fix: Fix) -> Fixture:
    """Return the workspace after `fix`."""
    files = texts(fixture)
    for path, text in files.items():
        uri = Uri(f"file:///{path}")
        edits = [it.edit for it in fix.edits if it.uri == uri]
        files[path] = apply_edits(text, edits)
    return of_files(files | dict(fixture.committed))
