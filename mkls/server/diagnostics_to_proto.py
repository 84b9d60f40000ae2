"""From findings to the protocol's diagnostics."""

from collections.abc import Iterable, Mapping

from lsprotocol import types as lsp

from mkls.diagnostics.model import Diagnostic, Related, Severity
from mkls.index.snapshot import Snapshot
from mkls.server.client import Client
from mkls.server.reports import Report, Shown
from mkls.server.run_diagnostics import run_diagnostic
from mkls.server.to_proto import location, range_
from mkls.text.document import Document, Uri
from mkls.text.span import Span

SOURCE = "mkls"
_SEVERITIES: Mapping[Severity, lsp.DiagnosticSeverity] = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFORMATION: lsp.DiagnosticSeverity.Information,
    Severity.HINT: lsp.DiagnosticSeverity.Hint,
}


def diagnostics(
    client: Client, snapshot: Snapshot, uri: Uri, report: Report
) -> list[lsp.Diagnostic]:
    """Convert what is to be shown about `uri`, with a note when that is not all."""
    found = [diagnostic(client, snapshot, shown) for shown in report.shown]
    if report.left_out:
        document = snapshot.sources[uri].document
        found.append(_left_out(client, document, report.left_out))
    return [*found, *(run_diagnostic(client, snapshot, it) for it in report.ran)]


def diagnostic(client: Client, snapshot: Snapshot, shown: Shown) -> lsp.Diagnostic:
    """Convert one finding."""
    found, rule = shown.finding.diagnostic, shown.finding.rule
    document = snapshot.sources[shown.finding.uri].document
    return lsp.Diagnostic(
        range=range_(client, document, found.span),
        message=found.message,
        severity=_SEVERITIES[shown.severity],
        code=rule.code,
        code_description=lsp.CodeDescription(rule.url) if client.code_description else None,
        source=SOURCE,
        tags=_tags(client, found),
        related_information=_related(client, snapshot, found.related),
        data={"fixes": len(found.fixes)} if client.diagnostic_data and found.fixes else None,
    )


def _tags(client: Client, found: Diagnostic) -> list[lsp.DiagnosticTag] | None:
    tag = lsp.DiagnosticTag.Unnecessary
    return [tag] if found.unnecessary and tag in client.tags else None


def _related(
    client: Client, snapshot: Snapshot, related: Iterable[Related]
) -> list[lsp.DiagnosticRelatedInformation] | None:
    if not client.related_information:
        return None
    return [
        lsp.DiagnosticRelatedInformation(location(client, snapshot, it.uri, it.span), it.message)
        for it in related
        if it.uri in snapshot.sources
    ] or None


def _left_out(client: Client, document: Document, count: int) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        range=range_(client, document, Span(0, 0)),
        message=f"{count:,} more findings are not shown; `mkls check` lists them all",
        severity=lsp.DiagnosticSeverity.Information,
        source=SOURCE,
    )
