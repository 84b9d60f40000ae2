import os
import signal

import mkls.session.second_reader as second_reader
from mkls.session.cache import FactsCache
from mkls.session.config import Config
from mkls.session.loading import load_workspace
from mkls.session.second_reader import (
    is_shared,
    is_worthwhile,
    stamp_of,
    start_second_reader,
)

OPERATIONS = "aten/src/ATen/native/mps/operations"
HOST = 'void f(const Tensor& t) {\n  lib.getPipelineStateForFunc("cross");\n}\n'


def tree(root, count=2):
    (root / OPERATIONS).mkdir(parents=True)
    (root / "aten/src/ATen/native/native_functions.yaml").touch()
    for number in range(count):
        (root / OPERATIONS / f"{number}.mm").write_text(HOST, encoding="utf-8")
    return root


def facts(snapshot):
    return {uri: it.facts for uri, it in snapshot.sources.items()}


def test_it_reads_the_host_files_and_some_of_the_rest(tmp_path):
    root = tree(tmp_path)

    readings = start_second_reader(root).readings()

    assert sorted(readings) == [str(root / OPERATIONS / f"{it}.mm") for it in range(2)]
    assert all(it.stamp == stamp_of(path) for path, it in readings.items())
    assert not is_shared(str(root / "a.metal"))


def test_a_process_that_was_killed_has_read_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(second_reader, "_readings", lambda _: os.kill(os.getpid(), signal.SIGKILL))

    assert start_second_reader(tree(tmp_path)).readings() == {}


def test_a_file_that_has_changed_since_is_read_again(tmp_path, monkeypatch):
    root = tree(tmp_path / "tree")
    monkeypatch.setenv("MKLS_CACHE_DIR", str(tmp_path / "cache"))
    second = start_second_reader(root)
    readings = second.readings()
    changed = root / OPERATIONS / "0.mm"
    changed.write_text(HOST.replace("f(", "another_name("), encoding="utf-8")
    monkeypatch.setattr(second, "readings", lambda: readings)

    shared = load_workspace(root, Config(), second=second).snapshot()

    assert facts(shared) == facts(load_workspace(root, Config()).snapshot())


def test_it_pays_only_on_a_large_checkout_that_was_not_read_before(tmp_path, monkeypatch):
    monkeypatch.setenv("MKLS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr("sys.platform", "linux")
    large, small = tree(tmp_path / "large", 40), tree(tmp_path / "small")

    assert is_worthwhile(large)
    assert not is_worthwhile(small)
    assert not is_worthwhile(tmp_path)
    load_workspace(large, Config())
    assert not is_worthwhile(large), "now its facts are kept"


def test_a_workspace_is_the_same_with_and_without(pytorch_tree, monkeypatch, tmp_path):
    monkeypatch.setenv("MKLS_CACHE_DIR", str(tmp_path / "a"))
    second = start_second_reader(pytorch_tree)
    accepted: list[object] = []
    accept = FactsCache.accept
    monkeypatch.setattr(FactsCache, "accept", lambda *it: accepted.append(it[1]) or accept(*it))
    shared = load_workspace(pytorch_tree, Config(), second=second).snapshot()
    monkeypatch.setenv("MKLS_CACHE_DIR", str(tmp_path / "b"))

    assert len(accepted) > 200
    assert facts(shared) == facts(load_workspace(pytorch_tree, Config()).snapshot())
