"""A client that holds every message in both directions against the meta-model."""

import json
from pathlib import Path
from typing import cast

from tests.support.lsp_client import Json, LspClient
from tests.support.lsp_schema import (
    faults_of_error,
    faults_of_params,
    faults_of_progress,
    faults_of_result,
)
from tests.support.lsp_server import Server

_RECORDED = Path(__file__).with_name("clients")
CLIENTS = ("vscode", "neovim")
"""Recorded: VS Code's from vscode-languageclient 9.0.1 (`computeClientCapabilities`, with all its
built-in features), Neovim's from 0.11.4 (`vim.lsp.protocol.make_client_capabilities`)."""


def recorded(client: str) -> Json:
    """Return the capabilities that a real client sent."""
    return json.loads((_RECORDED / f"{client}.json").read_text(encoding="utf-8"))


class CheckedClient(LspClient):
    """An `LspClient` that keeps what is wrong with the messages that pass."""

    def __init__(self, server: Server, capabilities: Json) -> None:
        """Talk to `server` as a client with these capabilities."""
        self.faults: list[str] = []
        self.methods: set[str] = set()
        self._asked: dict[object, str] = {}
        self._partial: dict[object, str] = {}
        self.offered: Json = {}
        super().__init__(server, capabilities)

    def request_message(self, method: str, params: object, message_id: int) -> Json:
        """Return a request; the answer will be checked as one to `method`."""
        self._asked[message_id] = method
        token = cast("Json", params).get("partialResultToken") if params else None
        if token is not None:
            self._partial[token] = method
        return super().request_message(method, params, message_id)

    def send(self, *messages: Json) -> None:
        """Send messages that are right; a test that sends wrong ones sends them as bytes."""
        for it in messages:
            if "method" in it:
                self.methods.add(it["method"])
                self.faults += faults_of_params(it["method"], it.get("params"))
        super().send(*messages)

    def _answer_by_itself(self, message: Json) -> None:
        self.faults += self._faults(message)
        super()._answer_by_itself(message)

    def _faults(self, message: Json) -> list[str]:
        if message.get("jsonrpc") != "2.0":
            return [f"not JSON-RPC 2.0: {message}"]
        if "method" in message:
            self.methods.add(message["method"])
            found = faults_of_params(message["method"], message.get("params"))
            if message["method"] == "$/progress" and not found:
                params = message["params"]
                found += faults_of_progress(params["value"], self._partial.get(params["token"]))
            return found
        if "error" in message:
            return faults_of_error(message["error"])
        return faults_of_result(self._asked[message["id"]], message["result"])
