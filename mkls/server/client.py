"""What the client at the other end can do, and how it writes things."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from lsprotocol import types as lsp

from mkls.text.document import Uri, path_of, uri_of
from mkls.text.line_index import Encoding


class Client(msgspec.Struct, frozen=True):
    """What the client said at `initialize`, as far as mkls cares.

    `spellings` are the URIs of open documents as the client writes them: editors disagree on which
    characters to escape, and mkls writes each in one way.
    """

    encoding: Encoding = Encoding.UTF16
    process: int | None = None
    pulls: bool = False
    refreshes: bool = False
    related_documents: bool = False
    related_information: bool = False
    tags: frozenset[int] = frozenset()
    code_description: bool = False
    diagnostic_data: bool = False
    publish_versions: bool = False
    document_changes: bool = False
    change_annotations: bool = False
    creates_files: bool = False
    action_literals: bool = False
    action_edits_resolve: bool = False
    disabled_actions: bool = False
    definition_links: bool = False
    declaration_links: bool = False
    type_definition_links: bool = False
    implementation_links: bool = False
    prepares_renames: bool = False
    resolves_symbol_ranges: bool = False
    will_rename_files: bool = False
    markdown_hovers: bool = False
    symbol_trees: bool = False
    refreshes_lenses: bool = False
    refreshes_tokens: bool = False
    refreshes_hints: bool = False
    most_folds: int | None = None
    snippets: bool = False
    markdown_completions: bool = False
    label_offsets: bool = False
    fetches_content: bool = False
    shows_documents: bool = False
    progress: bool = False
    configuration: bool = False
    registers_configuration: bool = False
    registers_watchers: bool = False
    folders: tuple[Path, ...] = ()
    options: Any = None
    spellings: dict[Uri, str] = {}

    def uri(self, uri: Uri) -> str:
        """Return `uri` as the client writes it."""
        return self.spellings.get(uri, uri)


def client_of(params: lsp.InitializeParams) -> Client:
    """Return what `params` tell of the client."""
    can = _Capabilities(params.capabilities)
    publish = "text_document.publish_diagnostics"
    pull = "text_document.diagnostic"
    return Client(
        encoding=_encoding(can("general.position_encodings") or ()),
        process=params.process_id,
        pulls=_pulls(can),
        refreshes=bool(can("workspace.diagnostics.refresh_support")),
        related_documents=bool(can(f"{pull}.related_document_support")),
        related_information=_either(can, "related_information"),
        tags=frozenset(can(f"{publish}.tag_support.value_set") or ())
        | frozenset(can(f"{pull}.tag_support.value_set") or ()),
        code_description=_either(can, "code_description_support"),
        diagnostic_data=_either(can, "data_support"),
        publish_versions=bool(can(f"{publish}.version_support")),
        document_changes=bool(can("workspace.workspace_edit.document_changes")),
        change_annotations=bool(can("workspace.workspace_edit.change_annotation_support")),
        creates_files=lsp.ResourceOperationKind.Create
        in (can("workspace.workspace_edit.resource_operations") or ()),
        action_literals=bool(can("text_document.code_action.code_action_literal_support")),
        action_edits_resolve=_resolves_edits(can),
        disabled_actions=bool(can("text_document.code_action.disabled_support")),
        definition_links=bool(can("text_document.definition.link_support")),
        declaration_links=bool(can("text_document.declaration.link_support")),
        type_definition_links=bool(can("text_document.type_definition.link_support")),
        implementation_links=bool(can("text_document.implementation.link_support")),
        prepares_renames=bool(can("text_document.rename.prepare_support")),
        resolves_symbol_ranges="location.range"
        in (can("workspace.symbol.resolve_support.properties") or ()),
        will_rename_files=bool(can("workspace.file_operations.will_rename")),
        markdown_hovers=lsp.MarkupKind.Markdown
        in (can("text_document.hover.content_format") or ()),
        symbol_trees=bool(
            can("text_document.document_symbol.hierarchical_document_symbol_support")
        ),
        refreshes_lenses=bool(can("workspace.code_lens.refresh_support")),
        refreshes_tokens=bool(can("workspace.semantic_tokens.refresh_support")),
        refreshes_hints=bool(can("workspace.inlay_hint.refresh_support")),
        snippets=bool(can("text_document.completion.completion_item.snippet_support")),
        markdown_completions=lsp.MarkupKind.Markdown
        in (can("text_document.completion.completion_item.documentation_format") or ()),
        label_offsets=bool(
            can(
                "text_document.signature_help.signature_information"
                ".parameter_information.label_offset_support"
            )
        ),
        fetches_content=can("workspace.text_document_content") is not None,
        shows_documents=bool(can("window.show_document.support")),
        most_folds=can("text_document.folding_range.range_limit"),
        progress=bool(can("window.work_done_progress")),
        configuration=bool(can("workspace.configuration")),
        registers_configuration=bool(
            can("workspace.did_change_configuration.dynamic_registration")
        ),
        registers_watchers=bool(can("workspace.did_change_watched_files.dynamic_registration")),
        folders=tuple(_folders(params)),
        options=params.initialization_options,
        spellings={},
    )


class _Capabilities:
    def __init__(self, capabilities: lsp.ClientCapabilities) -> None:
        self._capabilities = capabilities

    def __call__(self, path: str) -> Any:  # noqa: ANN401
        """Return what stands at the dotted `path`, None when nothing does."""
        value: Any = self._capabilities
        for name in path.split("."):
            value = getattr(value, name, None)
        return value


def _encoding(offered: Iterable[str]) -> Encoding:
    """Return the first of `offered`, which the client likes best; UTF-16 is what all know."""
    known = {encoding.value: encoding for encoding in Encoding}
    return next((known[name] for name in offered if name in known), Encoding.UTF16)


def _pulls(can: _Capabilities) -> bool:
    """Whether the client is to ask for diagnostics, rather than be told.

    An edit of one file changes the diagnostics of others. A client that asks but that cannot be
    told to ask again (Neovim 0.11) would go on showing the old ones, so it is told if it can be.
    """
    hears_of_others = can("workspace.diagnostics.refresh_support") or can(
        "text_document.diagnostic.related_document_support"
    )
    asks = can("text_document.diagnostic") is not None
    return asks and bool(hears_of_others or can("text_document.publish_diagnostics") is None)


def _either(can: _Capabilities, name: str) -> bool:
    # LSP 3.18 lets these stand under either way of sending diagnostics.
    return bool(
        can(f"text_document.publish_diagnostics.{name}") or can(f"text_document.diagnostic.{name}")
    )


def _resolves_edits(can: _Capabilities) -> bool:
    properties = can("text_document.code_action.resolve_support.properties") or ()
    return "edit" in properties and bool(can("text_document.code_action.data_support"))


def _folders(params: lsp.InitializeParams) -> Iterable[Path]:
    if params.workspace_folders:
        return [path for folder in params.workspace_folders for path in folder_path(folder.uri)]
    if params.root_uri:
        return folder_path(params.root_uri)
    return [Path(params.root_path)] if params.root_path else []


def folder_path(uri: str) -> list[Path]:
    """Return the path of a `file:` URI, and nothing for any other."""
    return [Path(path_of(Uri(uri)))] if uri.startswith("file:") else []


def canonical(uri: str) -> Uri:
    """Return `uri` as mkls writes it, whatever the client escapes."""
    return uri_of(path_of(Uri(uri))) if uri.startswith("file:") else Uri(uri)
