"""Answer requests for folding and selection ranges."""

from lsprotocol import types as lsp

from mkls.features.folding import Fold, FoldKind, folds
from mkls.features.selection import selection_at
from mkls.server import from_proto
from mkls.server.backend import Backend
from mkls.server.client import Client
from mkls.server.to_proto import range_
from mkls.text.document import Document
from mkls.text.line_index import LineIndex
from mkls.text.span import Span

_KINDS = {
    FoldKind.COMMENT: lsp.FoldingRangeKind.Comment,
    FoldKind.IMPORTS: lsp.FoldingRangeKind.Imports,
    FoldKind.REGION: lsp.FoldingRangeKind.Region,
}


def folding_range(backend: Backend, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    """Answer `textDocument/foldingRange`, with no more than the client wants."""
    snapshot, source = backend.snapshot(from_proto.document_uri(params.text_document))
    if source is None:
        return []
    found = folds(snapshot, source)[: backend.client.most_folds]
    return [_fold(source.document.lines, it) for it in found]


def _fold(lines: LineIndex, fold: Fold) -> lsp.FoldingRange:
    first, last = lines.line(fold.start), lines.line(fold.end)
    return lsp.FoldingRange(first, last, kind=_KINDS.get(fold.kind))


def selection_range(backend: Backend, params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
    """Answer `textDocument/selectionRange`: a chain of ranges for each position."""
    _, source = backend.snapshot(from_proto.document_uri(params.text_document))
    if source is None:
        return []
    document = source.document
    offsets = (from_proto.offset(backend.client, document, it) for it in params.positions)
    return [_chain(backend.client, document, selection_at(source, it)) for it in offsets]


def _chain(client: Client, document: Document, spans: list[Span]) -> lsp.SelectionRange:
    chain: lsp.SelectionRange | None = None
    for span in reversed(spans):
        chain = lsp.SelectionRange(range_(client, document, span), chain)
    assert chain is not None
    return chain
