"""Ask the client to ask again for what it shows beside the text.

An edit of a document makes the editor ask by itself; a change on the disk does not.
"""

from pygls.lsp.server import LanguageServer

from mkls.server.client import Client


def refresh_views(server: LanguageServer, client: Client) -> None:
    """Have lenses, tokens and hints asked for again, as far as the client can."""
    if client.refreshes_lenses:
        server.workspace_code_lens_refresh(None)
    if client.refreshes_tokens:
        server.workspace_semantic_tokens_refresh(None)
    if client.refreshes_hints:
        server.workspace_inlay_hint_refresh(None)
