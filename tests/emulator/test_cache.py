"""The cache of built files."""

import os
import tempfile
from multiprocessing import get_context
from pathlib import Path

from mkls.emulator.cache import Cache, key_of, open_cache
from mkls.emulator.settings import EmulatorSettings


def writer(text: str, calls: list[str]):
    def build(path: Path) -> None:
        calls.append(text)
        path.write_text(text)

    return build


def test_a_file_is_built_once(tmp_path: Path) -> None:
    calls: list[str] = []
    cache = Cache(tmp_path / "new", 1000)
    first = cache.get_or_build("a", writer("x", calls))
    assert cache.get_or_build("a", writer("y", calls)) == first
    assert (first.read_text(), calls) == ("x", ["x"])


def test_a_damaged_file_is_built_again(tmp_path: Path) -> None:
    calls: list[str] = []
    cache = Cache(tmp_path, 1000)
    cache.get_or_build("a", writer("whole", calls)).write_text("who")
    assert cache.get_or_build("a", writer("whole", calls)).read_text() == "whole"
    assert len(calls) == 2


def test_a_file_without_its_digest_is_built_again(tmp_path: Path) -> None:
    calls: list[str] = []
    cache = Cache(tmp_path, 1000)
    cache.get_or_build("a", writer("x", calls))
    (tmp_path / "a.sha256").unlink()
    cache.get_or_build("a", writer("x", calls))
    assert len(calls) == 2


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    cache, calls = Cache(tmp_path, 350), []
    for number, name in enumerate(("a", "b", "c")):
        path = cache.get_or_build(name, writer(name * 100, calls))
        os.utime(path, (number, number))
    cache.get_or_build("a", writer("", calls))  # used again: now the newest
    cache.get_or_build("d", writer("d" * 100, calls))
    assert not (tmp_path / "b").exists()
    assert not (tmp_path / "b.sha256").exists()
    assert (tmp_path / "a").exists()
    assert (tmp_path / "d").exists()


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    def fail(path: Path) -> None:
        path.write_text("half")
        raise RuntimeError("broken")

    cache = Cache(tmp_path, 1000)
    try:
        cache.get_or_build("a", fail)
    except RuntimeError:
        assert list(tmp_path.iterdir()) == []
    else:
        raise AssertionError("the error was swallowed")


def build_large(root: str) -> bool:
    def build(path: Path) -> None:
        path.write_bytes(b"x" * 1_000_000)

    return Cache(Path(root), 10**8).get_or_build("a", build).stat().st_size == 1_000_000


def test_processes_may_build_the_same_file_at_once(tmp_path: Path) -> None:
    with get_context("spawn").Pool(2) as pool:
        assert all(pool.map(build_large, [str(tmp_path)] * 6))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "a.sha256"]


def test_keys_depend_on_every_part_and_where_it_ends() -> None:
    assert len({key_of("ab", "c"), key_of("a", "bc"), key_of("abc"), key_of("ab", "c", "")}) == 4


def test_the_folder_is_chosen_by_setting_then_variable(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("MKLS_EMULATOR_CACHE", str(tmp_path / "variable"))
    assert open_cache(EmulatorSettings()).root == tmp_path / "variable"
    chosen = EmulatorSettings(cache_directory=str(tmp_path / "setting"))
    assert open_cache(chosen).root == tmp_path / "setting"


def test_without_a_home_a_process_has_a_folder_of_its_own(tmp_path: Path, monkeypatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("MKLS_EMULATOR_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    root = open_cache(EmulatorSettings()).root

    assert root.is_relative_to(tmp_path)
    assert root.parents[1].stat().st_mode & 0o077 == 0
    assert open_cache(EmulatorSettings()).root == root
