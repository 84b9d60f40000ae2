"""Messages that have arrived and wait for their turn.

What makes waiting work pointless is looked for when it arrives: a cancelled request, or one about a
document that has changed since, is answered without being started (pygls runs them all).

A request that a person made, such as a hover, is answered from the text at which it was made. One
that the editor makes by itself after each edit is dropped when the next edit is there already.
"""

from collections import deque
from collections.abc import Callable, Mapping

from mkls.server.errors import RefusedError, cancelled, content_modified, superseded
from mkls.server.messages import Message, RequestId

OVERTAKEN_BY_EDITS: Mapping[str, Callable[[], RefusedError]] = {
    "textDocument/diagnostic": superseded,
    "textDocument/documentSymbol": content_modified,
    "textDocument/codeAction": content_modified,
    "textDocument/codeLens": content_modified,
    "textDocument/documentHighlight": content_modified,
    "textDocument/documentLink": content_modified,
}
_EDITS = frozenset(("textDocument/didChange", "textDocument/didClose"))

Refuse = Callable[[RequestId, RefusedError], None]


class Inbox:
    """A queue of messages, in the order in which the client sent them."""

    def __init__(self, refuse: Refuse) -> None:
        """Answer through `refuse` the requests that are dropped."""
        self._messages: deque[Message] = deque()
        self._refuse = refuse

    def __len__(self) -> int:
        return len(self._messages)

    def put(self, message: Message) -> None:
        """Take in the newest message, and drop what it makes pointless."""
        if message.method in _EDITS:
            self._drop_overtaken(message)
        self._messages.append(message)

    def pop(self) -> Message:
        """Return the oldest message."""
        return self._messages.popleft()

    def next_is_request(self) -> bool:
        """Whether the oldest message is a request."""
        return bool(self._messages) and self._messages[0].id is not None

    def cancel(self, request: RequestId) -> bool:
        """Drop `request` if it is still waiting; return whether it was."""
        waiting = [message for message in self._messages if message.id == request]
        for message in waiting:
            self._messages.remove(message)
            self._refuse(request, cancelled())
        return bool(waiting)

    def _drop_overtaken(self, edit: Message) -> None:
        overtaken = [message for message in self._messages if _overtakes(edit, message)]
        for message in overtaken:
            assert message.id is not None
            self._messages.remove(message)
            self._refuse(message.id, OVERTAKEN_BY_EDITS[message.method]())


def _overtakes(edit: Message, waiting: Message) -> bool:
    return (
        waiting.method in OVERTAKEN_BY_EDITS and waiting.id is not None and waiting.uri == edit.uri
    )
