"""What mkls says that it can do."""

from lsprotocol import types as lsp

from mkls.server.client import Client
from mkls.server.legend import KINDS, MODIFIERS

FIX_ALL = "source.fixAll.mkls"
COMMANDS = (
    "mkls.runKernel",
    "mkls.runOperator",
    "mkls.restartWorker",
    "mkls.showExpansion",
    "mkls.showKernel",
    "mkls.showOperator",
    "mkls.showShader",
)


def server_capabilities(client: Client) -> lsp.ServerCapabilities:
    """Return what mkls offers to `client`."""
    return lsp.ServerCapabilities(
        position_encoding=client.encoding.value,
        text_document_sync=lsp.TextDocumentSyncOptions(
            open_close=True,
            change=lsp.TextDocumentSyncKind.Incremental,
            save=lsp.SaveOptions(include_text=False),
        ),
        diagnostic_provider=_diagnostics() if client.pulls else None,
        definition_provider=True,
        declaration_provider=True,
        type_definition_provider=True,
        implementation_provider=True,
        references_provider=True,
        document_highlight_provider=True,
        call_hierarchy_provider=True,
        document_link_provider=lsp.DocumentLinkOptions(resolve_provider=True),
        workspace_symbol_provider=lsp.WorkspaceSymbolOptions(
            resolve_provider=client.resolves_symbol_ranges
        ),
        rename_provider=lsp.RenameOptions(prepare_provider=True)
        if client.prepares_renames
        else True,
        hover_provider=True,
        document_symbol_provider=True,
        completion_provider=lsp.CompletionOptions(
            trigger_characters=list(' "(,:.[-<>/'), resolve_provider=True
        ),
        signature_help_provider=lsp.SignatureHelpOptions(["(", ","], [")"]),
        folding_range_provider=True,
        selection_range_provider=True,
        inlay_hint_provider=lsp.InlayHintOptions(resolve_provider=True),
        semantic_tokens_provider=_semantic_tokens(),
        code_lens_provider=lsp.CodeLensOptions(resolve_provider=True),
        execute_command_provider=lsp.ExecuteCommandOptions(COMMANDS, work_done_progress=True),
        code_action_provider=_code_actions(client) if client.action_literals else None,
        workspace=lsp.WorkspaceOptions(
            workspace_folders=lsp.WorkspaceFoldersServerCapabilities(
                supported=True, change_notifications=True
            ),
            file_operations=_file_operations() if client.will_rename_files else None,
            text_document_content=lsp.TextDocumentContentOptions(["mkls"])
            if client.fetches_content
            else None,
        ),
    )


def _semantic_tokens() -> lsp.SemanticTokensOptions:
    legend = lsp.SemanticTokensLegend(list(KINDS), list(MODIFIERS))
    return lsp.SemanticTokensOptions(legend, range=True, full=lsp.SemanticTokensFullDelta(True))


def _diagnostics() -> lsp.DiagnosticOptions:
    return lsp.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=True, identifier="mkls"
    )


def _code_actions(client: Client) -> lsp.CodeActionOptions:
    return lsp.CodeActionOptions(
        code_action_kinds=[
            lsp.CodeActionKind.QuickFix,
            lsp.CodeActionKind.RefactorRewrite,
            FIX_ALL,
        ],
        resolve_provider=client.action_edits_resolve,
    )


def _file_operations() -> lsp.FileOperationOptions:
    """Ask to be told before Metal sources and headers, or folders with such, are renamed."""
    patterns = (
        lsp.FileOperationPattern("**/*.{metal,h}", matches=lsp.FileOperationPatternKind.File),
        lsp.FileOperationPattern("**/*", matches=lsp.FileOperationPatternKind.Folder),
    )
    filters = [lsp.FileOperationFilter(it, scheme="file") for it in patterns]
    return lsp.FileOperationOptions(will_rename=lsp.FileOperationRegistrationOptions(filters))
