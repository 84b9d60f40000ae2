"""`mkls check` on an extension, with no PyTorch checkout in sight."""

import json
import shutil
from pathlib import Path

import pytest

from mkls.cli.main import run
from tests.support.trees import EXTENSION


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXTENSION, tmp_path / "ripple"))


def broken(tree: Path) -> Path:
    path = tree / "ripple/waves.py"
    text = path.read_text("utf-8").replace(', arg_casts={3: "int32"})', ")")
    path.write_text(text, encoding="utf-8")
    return path


def check(*arguments: object) -> int:
    return run(["check", *map(str, arguments)])


def test_the_sample_is_clean(tree, capsys):
    assert check(tree) == 0
    assert "nothing to report in 5 files" in capsys.readouterr().err


def test_a_mistake_is_found_and_mended(tree, capsys):
    path = broken(tree)

    assert check("--output-format", "json", tree) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert found["code"] == "missing-arg-cast"
    assert found["path"].endswith("ripple/waves.py")
    assert check("--fix", tree) == 0
    assert path.read_text("utf-8") == (EXTENSION / "ripple/waves.py").read_text("utf-8")


def test_the_group_can_be_selected_and_ignored(tree, capsys):
    broken(tree)

    assert check("--select", "extension", tree) == 1
    assert check("--select", "binding", tree) == 0
    assert check("--ignore", "extension", tree) == 0
    capsys.readouterr()


def test_a_comment_silences_it(tree, capsys):
    path = broken(tree)
    text = path.read_text("utf-8")
    line = next(it for it in text.splitlines() if "kernel(out" in it)
    path.write_text(text.replace(line, f"{line}  # mkls: ignore[missing-arg-cast]"), "utf-8")

    assert check(tree) == 0
    capsys.readouterr()


def test_python_that_runs_no_shader_is_not_read(tree, capsys):
    (tree / "setup.py").write_text("from setuptools import setup\n", encoding="utf-8")

    assert check(tree) == 0
    assert "in 5 files" in capsys.readouterr().err
