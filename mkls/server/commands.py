"""Run what the client asks for by name (`workspace/executeCommand`)."""

from lsprotocol import types as lsp

from mkls.server import show_commands
from mkls.server.backend import Backend
from mkls.server.errors import invalid_params


def execute_command(backend: Backend, params: lsp.ExecuteCommandParams) -> object:
    """Answer `workspace/executeCommand`.

    Raises:
        RefusedError: There is no such command.
    """
    # What runs kernels is imported when somebody does: most conversations never do.
    from mkls.server.run_commands import COMMANDS  # noqa: PLC0415

    command = show_commands.COMMANDS.get(params.command) or COMMANDS.get(params.command)
    if command is None:
        raise invalid_params(f"mkls has no command `{params.command}`")
    return command(backend, params)


def work_done_progress_cancel(backend: Backend, params: lsp.WorkDoneProgressCancelParams) -> None:
    """Stop the run whose progress the user no longer wants to see."""
    backend.runs.cancel(params.token)
