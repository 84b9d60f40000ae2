import os
import signal
import sys

import mkls.session.loading as loading
from mkls.session.cache import encoded
from mkls.session.config import Config
from mkls.session.second_reader import share_for_second_reader, start_second_reader
from mkls.text.document import Document, Language, Uri

HOST = 'void f(const Tensor& t) {\n  lib.getPipelineStateForFunc("cross");\n}\n'


def document(text: str = HOST, language: Language = Language.HOST) -> Document:
    return Document(Uri(f"file:///{len(text)}.mm"), language, text)


def test_it_answers_with_what_this_process_would_have_read():
    documents = [document(), document(HOST + HOST.replace("f", "g"))]

    assert start_second_reader(documents).payloads() == [encoded(it) for it in documents]


def test_a_process_that_was_killed_answers_nothing(monkeypatch):
    monkeypatch.setattr(
        "mkls.session.second_reader.encoded", lambda _: os.kill(os.getpid(), signal.SIGKILL)
    )

    assert start_second_reader([document()]).payloads() is None


def test_only_much_host_code_is_worth_a_process(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr(sys, "platform", "linux")
    large = document(HOST * 10_000)

    assert share_for_second_reader([document()]) == []
    assert share_for_second_reader([large, document(HOST * 10_000, Language.METAL)]) == [large]
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert share_for_second_reader([large]) == []


def test_a_workspace_is_the_same_with_and_without(pytorch_tree, monkeypatch, tmp_path):
    monkeypatch.setenv("MKLS_CACHE_DIR", str(tmp_path / "a"))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    shared = loading.load_workspace(pytorch_tree, Config()).snapshot().sources
    monkeypatch.setenv("MKLS_CACHE_DIR", str(tmp_path / "b"))
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    alone = loading.load_workspace(pytorch_tree, Config()).snapshot().sources

    assert {uri: it.facts for uri, it in shared.items()} == {
        uri: it.facts for uri, it in alone.items()
    }
