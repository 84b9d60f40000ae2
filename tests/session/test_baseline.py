"""Documents as the last commit has them."""

import subprocess
from pathlib import Path

import pytest

from mkls.features.diagnostics import all_findings
from mkls.session.baseline import baseline, committed_texts
from mkls.session.config import Config
from mkls.session.loading import load_workspace
from mkls.text.document import uri_of

YAML = "aten/src/ATen/native/native_functions.yaml"
TESTS = "torch/testing/_internal/common_mps.py"
METAL = "aten/src/ATen/native/mps/kernels/Ripple.metal"
ROW = "- func: ripple(Tensor self) -> Tensor\n  dispatch:\n    CPU: ripple\n"
LISTS = 'if True:\n    UNIMPLEMENTED_XFAILLIST = {\n        "ripple": None,\n    }\n'


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def git(root: Path, *arguments: str) -> None:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    write(tmp_path, YAML, ROW)
    write(tmp_path, TESTS, LISTS)
    write(tmp_path, METAL, "kernel void ripple() {}\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "First")
    return tmp_path


def codes(root: Path) -> list[str]:
    snapshot = load_workspace(root, Config()).snapshot()
    return [it.rule.code for it in all_findings(snapshot, snapshot.sources)]


def test_what_has_not_changed_is_the_very_source(repository):
    session = load_workspace(repository, Config())

    before = session.snapshot().baseline
    assert set(before) == {uri_of(str(repository / name)) for name in (YAML, TESTS, METAL)}
    assert all(before[uri] is session.snapshot().sources[uri] for uri in before)


def test_a_change_is_compared_with_the_commit(repository):
    assert codes(repository) == []

    write(repository, YAML, ROW.replace("CPU:", "CPU, MPS:"))

    assert codes(repository) == ["stale-xfail"]


def test_an_edit_that_is_not_saved_counts_too(repository):
    session = load_workspace(repository, Config())
    uri = uri_of(str(repository / YAML))
    document = session.snapshot().sources[uri].document

    session.edit(uri, document.language, ROW.replace("CPU:", "CPU, MPS:"), 2)

    found = all_findings(session.snapshot(), session.snapshot().sources)
    assert [it.rule.code for it in found] == ["stale-xfail"]


def test_a_workspace_below_the_repository_s_root(repository):
    below = repository / "aten"

    assert committed_texts(below, ["src/ATen/native/native_functions.yaml", "no/such.metal"]) == {
        "src/ATen/native/native_functions.yaml": ROW
    }


@pytest.mark.parametrize("name", ["ünïcode.metal", "with space.metal"])
def test_any_name_and_any_bytes(repository, name):
    text = "// \udcff not UTF-8\r\n"
    (repository / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    git(repository, "add", ".")
    git(repository, "-c", "core.autocrlf=false", "commit", "-q", "-m", "Second")

    assert committed_texts(repository, [name, YAML]) == {name: text, YAML: ROW}


def test_without_a_commit_nothing_is_known(tmp_path):
    write(tmp_path, YAML, ROW.replace("CPU:", "CPU, MPS:"))
    write(tmp_path, TESTS, LISTS)
    git(tmp_path, "init", "-q")

    assert load_workspace(tmp_path, Config()).snapshot().baseline == {}


def test_without_git_nothing_is_known(repository, monkeypatch, tmp_path):
    session = load_workspace(repository, Config())
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))

    assert baseline(repository, session.on_disk()) == []


def test_without_lists_of_tests_git_is_not_asked(repository, monkeypatch):
    (repository / TESTS).unlink()
    monkeypatch.setattr(subprocess, "run", None)

    assert load_workspace(repository, Config()).snapshot().baseline == {}
