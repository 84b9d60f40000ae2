"""pygls's protocol with its own reading and dispatching of messages left out.

What stays is what pygls does well: converting to and from the protocol's types, sending, and
matching the client's answers to our requests. `mkls.server.dispatch` does the rest.
"""

from enum import Enum
from typing import Any, cast

import cattrs
from cattrs.errors import BaseValidationError
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.protocol.json_rpc import RPCMessage

from mkls.server.errors import RefusedError, invalid_params
from mkls.server.messages import RequestId

_TYPES = cast(
    "dict[str, tuple[type[Any] | None, ...]]",
    lsp.METHOD_TO_TYPES,  # pyright: ignore[reportUnknownMemberType]
)
_PARAMS = 2  # the place of the parameters' type in lsprotocol's table of methods


class Protocol(LanguageServerProtocol):
    """Converts and sends; what arrives comes through `params_of` and `take_response`."""

    def params_of(self, method: str, params: object) -> Any:  # noqa: ANN401
        """Return `params` as the type that `method` takes.

        Raises:
            RefusedError: They are something else.
        """
        kind = _TYPES[method][_PARAMS]
        if kind is None:
            return None
        try:
            return self._converter.structure(params, kind)
        except BaseValidationError as error:
            raise invalid_params("; ".join(cattrs.transform_error(error, path="params"))) from error
        except Exception as error:
            raise invalid_params(f"{type(error).__name__}: {error}") from error

    def answer(self, request: RequestId, result: object) -> None:
        """Answer `request`."""
        self._send_response(request, result)

    def refuse(self, request: RequestId | None, refusal: RefusedError) -> None:
        """Answer `request` with an error."""
        error = lsp.ResponseError(refusal.code, refusal.message, cast("Any", refusal.data))
        self._send_data(lsp.ResponseErrorMessage(id=request, error=error))

    def take_response(self, content: dict[str, Any]) -> None:
        """Hand the client's answer to whoever waits for it."""
        request = content.get("id")
        if request not in self._request_futures:
            return
        if content.get("error") is None:
            content.pop("error", None)
        if self._request_futures[request].cancelled():
            del self._request_futures[request]
            return
        try:
            message = self.structure_message(content)
            self.handle_message(cast("RPCMessage", message))
        except JsonRpcException as error:
            self._handle_response(request, error=error.to_response_error())


def strict_converter() -> cattrs.Converter:
    """Return lsprotocol's converter, made to refuse what it would otherwise coerce.

    By default a missing string becomes `"None"` and a fraction loses its decimals.
    """
    converter = default_converter()
    for kind in (str, int, bool):
        converter.register_structure_hook(kind, _exactly)
    return converter


def _exactly(value: object, kind: type) -> object:
    if issubclass(kind, Enum):
        return kind(value)
    if type(value) is not kind:
        raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value
