"""How a request is refused (JSON-RPC 2.0, “Error object”; LSP 3.17, `ErrorCodes`)."""

from lsprotocol import types as lsp


class RefusedError(Exception):
    """A request that gets an error for an answer, through no fault of mkls."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        """Answer with `code`, `message` and `data`."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


def cancelled() -> RefusedError:
    """The client asked for a request to be cancelled."""
    return RefusedError(lsp.LSPErrorCodes.RequestCancelled, "the request was cancelled")


def content_modified() -> RefusedError:
    """The document changed before its request was taken up; the client will ask again."""
    return RefusedError(lsp.LSPErrorCodes.ContentModified, "the document has changed since")


def superseded() -> RefusedError:
    """Diagnostics of a document that has changed; the client asks for the newer ones anyway."""
    return RefusedError(
        lsp.LSPErrorCodes.ServerCancelled,
        "the document has changed since",
        lsp.DiagnosticServerCancellationData(retrigger_request=False),
    )


def invalid_params(reason: str) -> RefusedError:
    """The parameters are not what the method takes."""
    return RefusedError(lsp.ErrorCodes.InvalidParams, f"invalid parameters: {reason}")


def request_failed(reason: str) -> RefusedError:
    """A well-formed request that cannot be carried out; `reason` is shown to the user."""
    return RefusedError(lsp.LSPErrorCodes.RequestFailed, reason)


def invalid_request(reason: str) -> RefusedError:
    """The message is no request that could be taken up now."""
    return RefusedError(lsp.ErrorCodes.InvalidRequest, reason)
