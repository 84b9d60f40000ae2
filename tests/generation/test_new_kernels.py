"""`mkls new-kernel`: what it writes passes `mkls check` and `mkls run` at once."""

import json

import pytest

from mkls.cli.main import run
from tests.support.legacy_tree import NATIVE, YAML, legacy_files, write_tree
from tests.support.trees import assemble_new_style_tree

KERNELS = f"{NATIVE}/mps/kernels"
SOURCES = {
    "unary": "UnaryKernel",
    "binary": "BinaryKernel",
    "ternary": "TernaryKernel",
    "custom": "Ripple",
}


def told(capsys, *arguments: str) -> tuple[int, str]:
    capsys.readouterr()
    status = run(arguments)
    return status, capsys.readouterr().out


def check_file(capsys, root, path):
    status, out = told(capsys, "check", str(root), "--output-format", "json")
    assert json.loads(out) == []
    assert status == 0
    status, out = told(capsys, "run", str(path), "--output-format", "json", "--no-check")
    assert status == 0
    return [it for it in json.loads(out)["runs"] if it["kernel"].startswith("ripple")]


@pytest.mark.parametrize("kind", SOURCES)
def test_an_operator_of_pytorch(capsys, tmp_path, kind):
    root = tmp_path / "pytorch"
    write_tree(root, legacy_files(()))

    assert run(["new-kernel", "ripple", "--kind", kind, "--root", str(root), "--apply"]) == 0

    runs = check_file(capsys, root, root / KERNELS / f"{SOURCES[kind]}.metal")
    assert len(runs) >= (2 if kind == "custom" else 12)
    assert {it["outcome"] for it in runs} == {"passed"}
    rows = (root / YAML).read_text(encoding="utf-8")
    assert "- func: ripple(Tensor self" in rows
    assert (root / "test/test_mps_ripple.py").is_file()


@pytest.mark.parametrize("extension", ["compile_shader", "torch_library"])
@pytest.mark.parametrize("kind", SOURCES)
def test_a_kernel_of_an_extension(capsys, tmp_path, kind, extension):
    arguments = ["new-kernel", "ripple", "--kind", kind, "--extension", extension]

    assert run([*arguments, "--root", str(tmp_path), "--apply"]) == 0

    runs = check_file(capsys, tmp_path, tmp_path / "ripple/ripple.metal")
    assert [it["outcome"] for it in runs] == ["passed"] * 3
    for path in (tmp_path / "ripple").glob("*.py"):
        compile(path.read_text(encoding="utf-8"), path, "exec")


def test_it_computes_what_is_asked_for(capsys, tmp_path):
    arguments = ["new-kernel", "ripple", "--kind", "binary", "--extension", "compile_shader"]
    expression = ["--expression", "a * b - 2"]

    assert run([*arguments, *expression, "--root", str(tmp_path), "--apply"]) == 0

    text = (tmp_path / "ripple/ripple.metal").read_text(encoding="utf-8")
    assert "output[index] = static_cast<T>(a * b - 2);" in text
    assert "// mkls-expect: output == input.float() * other.float() - 2" in text
    assert "TODO" not in text
    assert {
        it["outcome"] for it in check_file(capsys, tmp_path, tmp_path / "ripple/ripple.metal")
    } == {"passed"}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("9lives", "`9lives` is no name for an operator: use letters, digits and `_`"),
        ("_hidden", "`_hidden` is no name for an operator: use letters, digits and `_`"),
        ("sub", "`sub` is taken by a row"),
    ],
)
def test_names_that_cannot_be(capsys, tmp_path, name, reason):
    root = assemble_new_style_tree(tmp_path / "pytorch")

    status, out = told(capsys, "new-kernel", name, "--root", str(root))

    assert (status, out) == (1, f"refused: {reason}\n")


def test_nothing_is_written_over(capsys, tmp_path):
    arguments = ["new-kernel", "ripple", "--extension", "compile_shader", "--root", str(tmp_path)]
    assert run([*arguments, "--apply"]) == 0

    status, out = told(capsys, *arguments, "--apply")

    assert (status, out) == (1, "refused: ripple.metal exists already\n")


def test_outside_of_pytorch_it_asks_for_the_kind_of_extension(capsys, tmp_path):
    (tmp_path / "pyproject.toml").touch()

    assert run(["new-kernel", "ripple", "--root", str(tmp_path)]) == 2
    assert "give --extension compile_shader|torch_library" in capsys.readouterr().err


def test_a_plan_is_shown_and_nothing_written(capsys, tmp_path):
    root = tmp_path / "pytorch"
    write_tree(root, legacy_files(()))
    before = (root / YAML).read_text(encoding="utf-8")

    status, out = told(capsys, "new-kernel", "ripple", "--root", str(root))
    _, diff = told(capsys, "new-kernel", "ripple", "--root", str(root), "--diff")

    assert status == 0
    assert "1. Write the rows of `ripple`\n" in out
    assert "left to do: say what `ripple` computes: as yet it is `a`\n" in out
    assert "--- /dev/null\n+++ b/aten/src/ATen/native/Ripple.h\n" in diff
    assert (root / YAML).read_text(encoding="utf-8") == before
