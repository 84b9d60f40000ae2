"""The Metal compiler's part in `mkls check`."""

import json
import subprocess
from pathlib import Path

import pytest

from mkls.cli.main import run
from mkls.diagnostics.compiler import COMPILER_RULES
from tests.support.checks import texts
from tests.support.pages import sections

GOOD = """\
#include <metal_stdlib>
#include "twice.h"
kernel void f(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  out[i] = twice(out[i]);
}
"""
BAD = GOOD.replace("twice(out[i])", "  twise(out[i])")
HEADER = "template <typename T> T twice(T x) { return x * 2; }\n"
WHO = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.metal").write_text(BAD)
    (tmp_path / "b.metal").write_text(GOOD)
    (tmp_path / "twice.h").write_text(HEADER)
    return tmp_path


def found(capsys, *arguments: object) -> list[dict]:
    capsys.readouterr()
    run(["check", "--output-format", "json", *map(str, arguments)])
    return json.loads(capsys.readouterr().out)


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *WHO, *arguments], cwd=root, check=True, capture_output=True)


def places(findings: list[dict]) -> list[tuple[str, str, int, int]]:
    return [(it["code"], it["path"], it["start"]["line"], it["start"]["column"]) for it in findings]


def test_a_file_that_is_named_is_compiled(tree, capsys):
    (error,) = found(capsys, tree / "a.metal")

    assert places([error]) == [("msl-error", "a.metal", 4, 14)]
    assert error["end"] == {"line": 4, "column": 19}
    assert error["message"] == "use of undeclared identifier 'twise'; did you mean 'twice'?"
    (near,) = error["related"]
    assert (near["path"], near["start"]) == ("twice.h", {"line": 1, "column": 25})
    assert error["url"].endswith("/msl-error.md")
    assert found(capsys, tree / "b.metal") == []
    assert found(capsys, "--no-msl", tree / "a.metal") == []


def test_a_folder_is_compiled_on_request(tree, capsys):
    assert found(capsys, tree) == []
    assert places(found(capsys, "--msl", tree)) == [("msl-error", "a.metal", 4, 14)]
    (tree / "mkls.toml").write_text('msl = "all"\n')
    assert len(found(capsys, tree)) == 1
    assert found(capsys, "--no-msl", tree) == []
    (tree / "mkls.toml").write_text('msl = "off"\n')
    assert found(capsys, tree / "a.metal") == []
    assert run(["check", "--msl", "--no-msl", str(tree)]) == 2


def test_what_differs_from_the_last_commit_is_compiled(tree, capsys):
    (tree / ".git").rmdir()
    git(tree, "init", "-q")
    assert found(capsys, tree) == [], "without a commit, nothing is known to differ"
    git(tree, "add", "b.metal", "twice.h")
    git(tree, "commit", "-q", "-m", "First")
    assert places(found(capsys, tree)) == [("msl-error", "a.metal", 4, 14)]
    git(tree, "add", "a.metal")
    git(tree, "commit", "-q", "-m", "Second")
    assert found(capsys, tree) == []
    (tree / "b.metal").write_text(BAD)
    assert places(found(capsys, tree)) == [("msl-error", "b.metal", 4, 14)]


def test_an_error_in_a_header_is_reported_there_once(tree, capsys):
    (tree / "twice.h").write_text(HEADER.replace("x * 2", "y * 2"))

    (error,) = [it for it in found(capsys, "--msl", tree) if it["path"] == "twice.h"]

    assert error["message"] == "use of undeclared identifier 'y'"
    assert error["start"] == {"line": 1, "column": 45}
    assert ("included here", 2) in [(it["message"], it["start"]["line"]) for it in error["related"]]


def test_codes_can_be_selected_and_silenced(tree, capsys):
    assert found(capsys, "--ignore", "msl-error", tree / "a.metal") == []
    assert found(capsys, "--select", "kernel-name", tree / "a.metal") == []
    assert len(found(capsys, "--select", "msl-error", tree / "a.metal")) == 1
    silenced = BAD.replace("twise(out[i]);", "twise(out[i]);  // mkls: ignore[msl-error]")
    (tree / "a.metal").write_text(silenced)
    assert found(capsys, tree / "a.metal") == []


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("out[i] = metal::from_tomorrow(1.0f);", "library has no `from_tomorrow`"),
        ("raytracing::ray r; out[i] = missing;", "library has no `raytracing`"),
        ("int whole = bfloat(2.5f);", "`bfloat` converts to integers explicitly only"),
    ],
)
def test_what_the_emulator_lacks_is_no_mistake_of_the_users(tree, capsys, line, what):
    text = GOOD.replace("  out[i] =", f"  {line}\n  out[i] =")
    (tree / "a.metal").write_text(text)

    (note,) = found(capsys, tree / "a.metal")

    assert note["code"] == "msl-unchecked"
    assert note["severity"] == "information"
    assert note["message"].startswith("not checked: ")
    assert what in note["message"]
    assert note["start"]["line"] == 4


def test_a_header_that_is_not_found_is_named(tree, capsys):
    text = GOOD.replace("twice.h", "elsewhere/thrice.h")
    (tree / "a.metal").write_text(text)

    notes = [it for it in found(capsys, tree / "a.metal") if it["code"].startswith("msl")]

    assert places(notes) == [("msl-unchecked", "a.metal", 2, 10)]
    assert "`elsewhere/thrice.h` is not found" in notes[0]["message"]


def test_without_a_compiler_nothing_is_said_unless_asked(tree, capsys, monkeypatch):
    monkeypatch.setenv("MKLS_CXX", "/nowhere/clang++")

    assert run(["check", str(tree / "a.metal")]) == 0
    assert "clang" not in capsys.readouterr().err
    assert run(["check", "--msl", str(tree / "a.metal")]) == 0
    assert "mkls: Metal is not compiled: the compiler" in capsys.readouterr().err


@pytest.mark.parametrize("output_format", ["full", "concise", "sarif", "github", "lintrunner"])
def test_every_format_shows_it(tree, capsys, output_format):
    assert run(["check", "--output-format", output_format, str(tree / "a.metal")]) == 1

    assert "use of undeclared identifier 'twise'" in capsys.readouterr().out


@pytest.mark.parametrize("rule", COMPILER_RULES, ids=lambda rule: rule.code)
def test_the_pages_are_true(rule, tmp_path, capsys):
    pages = sections(rule.page)
    for title, expected in (("Example", {rule.code}), ("Use instead", set())):
        folder = tmp_path / title.split()[0]
        for name, text in texts(pages[title]).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)

        assert {it["code"] for it in found(capsys, "--msl", "--root", folder, folder)} == expected
