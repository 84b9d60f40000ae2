"""Answer requests for semantic tokens."""

from lsprotocol import types as lsp

from mkls.features.tokens.semantic_tokens import semantic_tokens
from mkls.server import from_proto
from mkls.server.backend import Backend
from mkls.server.token_data import changed_part, token_data
from mkls.text.document import Language, Uri


def full(backend: Backend, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
    """Answer `textDocument/semanticTokens/full`."""
    uri = from_proto.document_uri(params.text_document)
    data = _data(backend, uri)
    if data is None:
        return None
    told = backend.tokens.tell(uri, data)
    return lsp.SemanticTokens(data, told.result_id)


def delta(
    backend: Backend, params: lsp.SemanticTokensDeltaParams
) -> lsp.SemanticTokens | lsp.SemanticTokensDelta | None:
    """Answer `textDocument/semanticTokens/full/delta`: what changed, or everything."""
    uri = from_proto.document_uri(params.text_document)
    before = backend.tokens.told(uri, params.previous_result_id)
    data = _data(backend, uri)
    if data is None:
        return None
    told = backend.tokens.tell(uri, data)
    if before is None:
        return lsp.SemanticTokens(data, told.result_id)
    start, old_end, new_end = changed_part(before.data, data)
    if old_end == start == new_end:
        return lsp.SemanticTokensDelta([], told.result_id)
    edit = lsp.SemanticTokensEdit(start, old_end - start, data[start:new_end])
    return lsp.SemanticTokensDelta([edit], told.result_id)


def of_range(backend: Backend, params: lsp.SemanticTokensRangeParams) -> lsp.SemanticTokens | None:
    """Answer `textDocument/semanticTokens/range`."""
    data = _data(backend, from_proto.document_uri(params.text_document), params.range)
    return lsp.SemanticTokens(data) if data is not None else None


_OF_OTHERS = (Language.PYTHON, Language.CPP)
"""Editors show the tokens of one server: of these, those of their own say more than mkls's."""


def _data(backend: Backend, uri: Uri, within: lsp.Range | None = None) -> list[int] | None:
    snapshot, source = backend.snapshot(uri)
    if source is None or source.document.language in _OF_OTHERS:
        return None
    document = source.document
    span = from_proto.span(backend.client, document, within) if within else None
    tokens = semantic_tokens(snapshot, source, span)
    return token_data(document, tokens, backend.client.encoding)
