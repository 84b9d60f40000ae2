import os
from pathlib import Path

import mkls.session.cache as cache_module
from mkls.facts.extract import facts_of
from mkls.session.cache import FactsCache, workspace_cache
from mkls.session.cache_place import cache_folder
from mkls.text.document import Document, Language, Uri

TEXT = "kernel void cross(device float* out [[buffer(0)]]) {}\n"


def document(text: str = TEXT, language: Language = Language.METAL) -> Document:
    return Document(Uri("file:///a.metal"), language, text)


def counting(monkeypatch) -> list[str]:
    read: list[str] = []

    def facts_of_counted(it: Document) -> object:
        read.append(it.text)
        return facts_of(it)

    monkeypatch.setattr(cache_module, "facts_of", facts_of_counted)
    return read


def test_what_one_run_read_the_next_one_has(tmp_path, monkeypatch):
    path = tmp_path / "facts.msgpack"
    first = FactsCache(path)
    written = first.facts_of(document())
    first.save()
    read = counting(monkeypatch)

    assert FactsCache(path).facts_of(document()) == written
    assert read == []


def test_another_text_or_language_is_read_anew(tmp_path, monkeypatch):
    path = tmp_path / "facts.msgpack"
    first = FactsCache(path)
    first.facts_of(document())
    first.save()
    read = counting(monkeypatch)

    again = FactsCache(path)
    again.facts_of(document(TEXT + "\n"))
    again.facts_of(document(language=Language.CPP))

    assert read == [TEXT + "\n", TEXT]


def test_a_broken_file_counts_as_empty_and_is_replaced(tmp_path):
    path = tmp_path / "facts.msgpack"
    path.write_bytes(b"\xc1 nonsense")

    cache = FactsCache(path)
    facts = cache.facts_of(document())
    cache.save()

    assert facts == facts_of(document())
    assert path.read_bytes() != b"\xc1 nonsense"


def test_what_is_not_used_any_more_is_dropped(tmp_path):
    path = tmp_path / "facts.msgpack"
    first = FactsCache(path)
    first.facts_of(document())
    first.facts_of(document(TEXT * 2))
    first.save()
    full = path.stat().st_size

    second = FactsCache(path)
    second.facts_of(document())
    second.save()

    assert path.stat().st_size < full


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path):
    blocked = tmp_path / "file"
    blocked.touch()
    cache = FactsCache(blocked / "facts.msgpack")

    cache.facts_of(document())
    cache.save()

    assert blocked.read_bytes() == b""


def test_a_new_version_of_the_readers_has_a_new_file(tmp_path, monkeypatch):
    monkeypatch.setenv("MKLS_CACHE_DIR", str(tmp_path))
    before = workspace_cache(tmp_path)
    monkeypatch.setattr("mkls.__version__", "9.9.9")

    after = workspace_cache(tmp_path)

    before.facts_of(document())
    before.save()
    after.facts_of(document())
    after.save()
    assert len(list((tmp_path / "facts").iterdir())) == 2


def test_a_file_that_is_no_utf8_is_read_all_the_same(tmp_path):
    latin1 = b"kernel void caf\xe9(device float* out [[buffer(0)]]) {}\n"
    path = tmp_path / "facts.msgpack"
    cache = FactsCache(path)
    broken = document(latin1.decode("utf-8", "surrogateescape"))

    assert cache.facts_of(broken) == facts_of(broken)
    cache.facts_of(document())
    cache.save()

    assert FactsCache(path).facts_of(document()) == facts_of(document())


def test_without_a_home_folder_nothing_is_kept(tmp_path, monkeypatch):
    def home() -> Path:
        raise RuntimeError("could not determine home directory")

    for variable in ("MKLS_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(Path, "home", home)

    assert cache_folder() is None
    cache = workspace_cache(tmp_path)
    cache.facts_of(document())
    cache.save()
    assert list(tmp_path.iterdir()) == []


def test_a_process_aside_writes_what_the_next_run_reads(tmp_path, monkeypatch):
    path = tmp_path / "facts.msgpack"
    monkeypatch.setattr("sys.platform", "linux")
    forked: list[int] = []
    fork = os.fork
    monkeypatch.setattr("os.fork", lambda: forked.append(fork()) or forked[-1])
    cache = FactsCache(path)
    written = cache.facts_of(document())

    cache.save_aside()
    os.waitpid(forked[0], 0)

    monkeypatch.undo()
    read = counting(monkeypatch)
    assert FactsCache(path).facts_of(document()) == written
    assert read == []
