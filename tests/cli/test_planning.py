"""`mkls migrate` and `mkls add-mps`: the plan first, then what one asks for."""

import subprocess

import pytest

from mkls.cli.main import run
from tests.support.legacy_tree import YAML, Legacy, legacy_files, write_tree

OPERATORS = [Legacy("hypot", 2), Legacy("ripple", 2)]


@pytest.fixture
def root(tmp_path):
    tree = tmp_path / "pytorch"
    write_tree(tree, legacy_files(OPERATORS))
    return tree


def test_the_plan_comes_first(capsys, root):
    before = (root / YAML).read_bytes()

    assert run(["migrate", "hypot", "--root", str(root)]) == 0

    out, err = capsys.readouterr()
    assert (
        out
        == """\
Migrate `hypot` from MPSGraph to its dispatch stub
1. List MPS beside CPU and CUDA in `hypot.out`
   look at it: MPS runs another kernel than before
2. Write the kernel of `hypot` in BinaryKernel.metal
3. Register `hypot_stub` in BinaryKernel.mm
4. Delete `hypot_out_mps` from Legacy.mm
   look at it: What is deleted ran until now
"""
    )
    assert "--diff prints this as a patch, --apply carries it out" in err
    assert (root / YAML).read_bytes() == before


def test_a_patch_does_what_apply_does(capsys, root, tmp_path):
    assert run(["migrate", "hypot", "--root", str(root), "--diff"]) == 0
    patch = capsys.readouterr().out
    other = tmp_path / "other"
    write_tree(other, legacy_files(OPERATORS))

    subprocess.run(["git", "apply", "-"], input=patch, text=True, cwd=other, check=True)
    assert run(["migrate", "hypot", "--root", str(root), "--apply"]) == 0

    def texts(tree):
        return {it.relative_to(tree): it.read_bytes() for it in tree.rglob("*") if it.is_file()}

    assert texts(other) == texts(root)


def test_what_is_left_to_do_is_said(capsys, root):
    assert run(["migrate", "ripple", "--root", str(root)]) == 0

    out = capsys.readouterr().out
    assert "   look at it: The body of `ripple` is left to write\n" in out
    assert "left to do: write the body of `ripple_functor`" in out


def test_a_refusal_says_why(capsys, root):
    assert run(["add-mps", "hypot", "--root", str(root)]) == 1

    assert capsys.readouterr().out == (
        "refused: every row of `hypot` runs on MPS, by itself or by a composite kernel\n"
    )


def test_what_can_be_done_is_listed(capsys, root):
    assert run(["migrate", "--list", "--root", str(root)]) == 0

    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "hypot: 4 steps"
    assert "2 operators offered" in err


@pytest.mark.parametrize("arguments", [["migrate"], ["migrate", "hypot", "--list"]])
def test_a_wrong_call_says_what_to_give(capsys, root, arguments):
    assert run([*arguments, "--root", str(root)]) == 2

    assert "give an OPERATOR, or --list" in capsys.readouterr().err


def test_a_folder_without_rows_has_no_operators(capsys, tmp_path):
    (tmp_path / "pyproject.toml").touch()

    assert run(["add-mps", "hypot", "--root", str(tmp_path)]) == 2
    assert "no native_functions.yaml, so no operators" in capsys.readouterr().err
