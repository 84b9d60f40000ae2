"""Results of runs as diagnostics, kept apart from the rules' by their source."""

from collections.abc import Mapping

from lsprotocol import types as lsp

from mkls.index.snapshot import Snapshot
from mkls.runner.diagnostics import RunDiagnostic
from mkls.server.client import Client
from mkls.server.to_proto import location, range_

SOURCE = "mkls run"
_SEVERITIES: Mapping[str, lsp.DiagnosticSeverity] = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}


def run_diagnostic(client: Client, snapshot: Snapshot, found: RunDiagnostic) -> lsp.Diagnostic:
    """Convert one thing that a run showed."""
    document = snapshot.sources[found.uri].document
    return lsp.Diagnostic(
        range=range_(client, document, found.span),
        message=found.message,
        severity=_SEVERITIES.get(found.severity, lsp.DiagnosticSeverity.Warning),
        code=found.code,
        source=SOURCE,
        related_information=_related(client, snapshot, found),
    )


def _related(
    client: Client, snapshot: Snapshot, found: RunDiagnostic
) -> list[lsp.DiagnosticRelatedInformation] | None:
    if not client.related_information:
        return None
    return [
        lsp.DiagnosticRelatedInformation(location(client, snapshot, it.uri, it.span), it.message)
        for it in found.related
        if it.uri in snapshot.sources
    ] or None
