"""Waiting requests are dropped when they have become pointless."""

from mkls.server.inbox import Inbox
from mkls.server.messages import Message

URI = "file:///a.metal"


def about(method: str, message_id: int | None = None, uri: str = URI) -> Message:
    return Message(f"textDocument/{method}", {"textDocument": {"uri": uri}}, message_id)


def filled(*messages: Message) -> tuple[Inbox, list[tuple[int | str, int]]]:
    refused: list[tuple[int | str, int]] = []
    inbox = Inbox(lambda request, refusal: refused.append((request, int(refusal.code))))
    for message in messages:
        inbox.put(message)
    return inbox, refused


def drained(inbox: Inbox) -> list[Message]:
    return [inbox.pop() for _ in range(len(inbox))]


def test_messages_keep_their_order():
    messages = about("didOpen"), about("hover", 1), about("didChange"), about("hover", 2)

    assert drained(filled(*messages)[0]) == list(messages)


def test_a_cancelled_request_is_answered_and_dropped():
    inbox, refused = filled(about("hover", 1), about("hover", 2))

    assert inbox.cancel(1)
    assert drained(inbox) == [about("hover", 2)]
    assert refused == [(1, -32800)]


def test_a_request_that_is_not_waiting_is_not_cancelled():
    inbox, refused = filled(about("hover", 1))

    assert not inbox.cancel("1")
    assert refused == []


def test_an_edit_overtakes_what_editors_ask_after_each_edit():
    inbox, refused = filled(
        about("diagnostic", 1),
        about("documentSymbol", 2),
        about("codeAction", 3),
        about("didChange"),
    )

    assert drained(inbox) == [about("didChange")]
    assert refused == [(1, -32802), (2, -32801), (3, -32801)]


def test_an_edit_does_not_overtake_what_a_person_asks():
    messages = about("hover", 1), about("definition", 2), about("didChange")

    assert drained(filled(*messages)[0]) == list(messages)


def test_an_edit_of_another_document_overtakes_nothing():
    messages = about("diagnostic", 1), about("didChange", uri="file:///b.metal")

    assert drained(filled(*messages)[0]) == list(messages)


def test_a_request_after_the_edit_stays():
    messages = about("didChange"), about("diagnostic", 1)

    assert drained(filled(*messages)[0]) == list(messages)
