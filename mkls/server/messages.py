"""Read the body of a message (JSON-RPC 2.0)."""

import json
from typing import Any, TypeGuard, cast

import msgspec

from mkls.server.errors import RefusedError, invalid_request
from mkls.text.document import Uri

RequestId = int | str
_PARSE_ERROR = -32700


class Message(msgspec.Struct, frozen=True):
    """A request, or a notification when `id` is None; `params` are as they came."""

    method: str
    params: Any
    id: RequestId | None = None

    @property
    def cancelled(self) -> RequestId | None:
        """The request that a `$/cancelRequest` is about."""
        request = _item(self.params, "id")
        return request if _is_id(request) else None

    @property
    def uri(self) -> Uri | None:
        """The document that the message is about."""
        document = _item(self.params, "textDocument")
        uri = _item(document, "uri")
        return Uri(uri) if isinstance(uri, str) else None


class Response(msgspec.Struct, frozen=True):
    """The client's answer to a request of ours, as it came."""

    content: dict[str, Any]


class MalformedError(Exception):
    """A body that cannot be taken up, and the answer that it gets."""

    def __init__(self, refusal: RefusedError, message_id: RequestId | None = None) -> None:
        """Answer to `message_id`, None when there is none to be read."""
        super().__init__(refusal.message)
        self.refusal = refusal
        self.message_id = message_id


def parse(body: bytes | None) -> Message | Response:
    """Read one body; None is one that came without its length.

    Raises:
        MalformedError: The body is no JSON-RPC 2.0 message.
    """
    if body is None:
        raise MalformedError(RefusedError(_PARSE_ERROR, "a message without Content-Length"))
    try:
        data: object = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise MalformedError(
            RefusedError(_PARSE_ERROR, f"the body is not JSON: {error}")
        ) from error
    if not isinstance(data, dict):
        raise MalformedError(invalid_request("a message is a JSON object"))
    return _message(cast("dict[str, Any]", data))


def _message(data: dict[str, Any]) -> Message | Response:
    message_id = data.get("id")
    if message_id is not None and not _is_id(message_id):
        raise MalformedError(invalid_request("an id is a number or a string"))
    if data.get("jsonrpc") != "2.0":
        raise MalformedError(invalid_request("expected JSON-RPC 2.0"), message_id)
    method = data.get("method")
    if isinstance(method, str):
        return Message(method, data.get("params"), message_id)
    if "method" not in data and ("result" in data or "error" in data):
        return Response(data)
    raise MalformedError(invalid_request("a request has a method"), message_id)


def _is_id(value: object) -> TypeGuard[RequestId]:
    return isinstance(value, (int, str)) and not isinstance(value, bool)


def _item(value: object, key: str) -> object:
    return cast("dict[str, object]", value).get(key) if isinstance(value, dict) else None
