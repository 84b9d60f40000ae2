"""Answer requests for completion and for help with a call's arguments."""

import msgspec
from lsprotocol import types as lsp

from mkls.features.completion.comments import Vocabulary
from mkls.features.completion.completion import completions
from mkls.features.completion.documentation import documentation
from mkls.features.completion.item import Item, ItemKind
from mkls.features.signature_help import Signature, signatures
from mkls.runner.expression_names import CONSTANTS, DTYPES, FUNCTIONS
from mkls.server import from_proto
from mkls.server.backend import Backend
from mkls.server.client import Client, canonical
from mkls.server.errors import invalid_params
from mkls.server.to_proto import range_
from mkls.text.document import Document, Language
from mkls.text.line_index import Encoding, units

_VOCABULARY = Vocabulary(
    tuple(name for name in FUNCTIONS if "." not in name), tuple(CONSTANTS), tuple(DTYPES)
)
_KINDS = {
    ItemKind.ENTRY_KEY: lsp.CompletionItemKind.Property,
    ItemKind.DISPATCH_KEY: lsp.CompletionItemKind.EnumMember,
    ItemKind.HOST_FUNCTION: lsp.CompletionItemKind.Function,
    ItemKind.OPERATOR: lsp.CompletionItemKind.Method,
    ItemKind.TAG: lsp.CompletionItemKind.EnumMember,
    ItemKind.SCHEMA_TYPE: lsp.CompletionItemKind.Class,
    ItemKind.VALUE: lsp.CompletionItemKind.Value,
    ItemKind.KERNEL: lsp.CompletionItemKind.Function,
    ItemKind.STEM: lsp.CompletionItemKind.Text,
    ItemKind.STUB: lsp.CompletionItemKind.Interface,
    ItemKind.HOST_WORD: lsp.CompletionItemKind.Function,
    ItemKind.METAL_WORD: lsp.CompletionItemKind.Function,
    ItemKind.ATTRIBUTE: lsp.CompletionItemKind.Property,
    ItemKind.MACRO: lsp.CompletionItemKind.Snippet,
    ItemKind.FUNCTOR: lsp.CompletionItemKind.Struct,
    ItemKind.DTYPE: lsp.CompletionItemKind.TypeParameter,
    ItemKind.HEADER: lsp.CompletionItemKind.File,
    ItemKind.DIRECTIVE: lsp.CompletionItemKind.Keyword,
    ItemKind.EXPRESSION: lsp.CompletionItemKind.Function,
    ItemKind.CODE: lsp.CompletionItemKind.Constant,
    ItemKind.KEYWORD: lsp.CompletionItemKind.Keyword,
}


class Ticket(msgspec.Struct, frozen=True):
    """What an item carries: the document that it is for, and what to look up."""

    uri: str
    kind: ItemKind
    name: str


def completion(backend: Backend, params: lsp.CompletionParams) -> lsp.CompletionList | None:
    """Answer `textDocument/completion`."""
    uri = from_proto.document_uri(params.text_document)
    snapshot, source = backend.snapshot(uri)
    if source is None:
        return None
    document = source.document
    if _is_idle_blank(params, document):
        return None
    offset = from_proto.offset(backend.client, document, params.position)
    found = completions(snapshot, source, offset, _VOCABULARY)
    ranked = enumerate(found.items)
    converted = [_item(backend.client, document, it, rank) for rank, it in ranked]
    return lsp.CompletionList(is_incomplete=not found.complete, items=converted)


def _is_idle_blank(params: lsp.CompletionParams, document: Document) -> bool:
    """Whether a blank triggered it in code, where a blank says nothing."""
    context = params.context
    blank = context is not None and context.trigger_character == " "
    return blank and document.language is not Language.NATIVE_FUNCTIONS


def _item(client: Client, document: Document, item: Item, rank: int) -> lsp.CompletionItem:
    snippet = item.snippet if client.snippets else ""
    edit = lsp.TextEdit(range_(client, document, item.span), snippet or item.text)
    ticket = Ticket(document.uri, item.kind, item.label)
    typed = item.span.of(document.text)
    return lsp.CompletionItem(
        label=item.label,
        kind=_KINDS[item.kind],
        detail=item.detail or None,
        sort_text=f"{rank:04d}",
        # Clients compare it with what stands in the range of the edit, blanks included.
        filter_text=item.text if typed[:1] in (" ", "-") else None,
        insert_text_format=lsp.InsertTextFormat.Snippet if snippet else None,
        text_edit=edit,
        data=msgspec.to_builtins(ticket),
    )


def resolve(backend: Backend, item: lsp.CompletionItem) -> lsp.CompletionItem:
    """Answer `completionItem/resolve`: add the documentation.

    Raises:
        RefusedError: The item is none of ours.
    """
    try:
        ticket = msgspec.convert(item.data, Ticket)
    except msgspec.ValidationError as error:
        raise invalid_params(str(error)) from error
    snapshot, _ = backend.snapshot(canonical(ticket.uri))
    if text := documentation(snapshot, ticket.kind, ticket.name):
        item.documentation = _markup(text, backend.client.markdown_completions)
    return item


def _markup(text: str, markdown: bool) -> lsp.MarkupContent:
    kind = lsp.MarkupKind.Markdown if markdown else lsp.MarkupKind.PlainText
    return lsp.MarkupContent(kind, text)


def signature_help(backend: Backend, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    """Answer `textDocument/signatureHelp`."""
    snapshot, source = backend.snapshot(from_proto.document_uri(params.text_document))
    if source is None:
        return None
    offset = from_proto.offset(backend.client, source.document, params.position)
    found = signatures(snapshot, source, offset)
    if not found:
        return None
    return lsp.SignatureHelp(
        signatures=[_signature(it, backend.client) for it in found],
        active_signature=0,
        active_parameter=max(found[0].active, 0),
    )


def _signature(signature: Signature, client: Client) -> lsp.SignatureInformation:
    label = signature.label
    parameters: list[lsp.ParameterInformation] = []
    at = len(signature.name) + 1
    for text in signature.parameters:
        # Offsets in a label count UTF-16 units, whatever was negotiated for documents.
        start, end = (units(label[:it], Encoding.UTF16) for it in (at, at + len(text)))
        parameters.append(lsp.ParameterInformation((start, end) if client.label_offsets else text))
        at += len(text) + 2
    page = _markup(signature.documentation, True) if signature.documentation else None
    active = signature.active if signature.active >= 0 else None
    return lsp.SignatureInformation(label, page, parameters, active)
