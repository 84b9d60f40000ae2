"""Run what the client asks for by name (`workspace/executeCommand`)."""

from lsprotocol import types as lsp

from mkls.server.backend import Backend
from mkls.server.errors import invalid_params


def execute_command(_backend: Backend, params: lsp.ExecuteCommandParams) -> object:
    """Answer `workspace/executeCommand`.

    Raises:
        RefusedError: There is no such command.
    """
    raise invalid_params(f"mkls has no command `{params.command}`")
