"""`mkls check` through its real entry point."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mkls.cli.main import run

YAML = "aten/src/ATen/native/native_functions.yaml"
BROKEN = """\
- func: ripple(Tensor self) -> Tensor
  structured_delegate: ripple.out
  dispatch:
    MPS: ripple_mps

- func: ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA: ripple_out
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    path = tmp_path / YAML
    path.parent.mkdir(parents=True)
    path.write_text(BROKEN, encoding="utf-8")
    return tmp_path


def check(*arguments: object) -> int:
    return run(["check", *map(str, arguments)])


def test_the_status_tells_whether_something_was_found(tree, capsys):
    assert check(tree) == 1
    assert check("--exit-zero", tree) == 0
    assert check("--select", "kernel-name", tree) == 0
    capsys.readouterr()


def test_json_counts_from_one_and_ends_exclusively(tree, capsys):
    check("--output-format", "json", "--select", "dispatch-on-delegate", tree)

    (found,) = json.loads(capsys.readouterr().out)
    assert found["code"] == "dispatch-on-delegate"
    assert found["severity"] == "error"
    assert found["path"] == YAML
    assert found["start"] == {"line": 4, "column": 5}
    assert found["end"] == {"line": 4, "column": 8}
    assert found["url"].endswith("/dispatch-on-delegate.md")
    assert {"title", "safe", "edits"} <= found["fixes"][0].keys()


def test_results_go_to_standard_output_and_the_summary_to_standard_error(tree, capsys):
    check("--select", "dispatch-on-delegate", "--output-format", "concise", tree)

    streams = capsys.readouterr()
    assert streams.out.count("\n") == 1
    assert "dispatch-on-delegate" in streams.out
    assert "1 finding in 1 file" in streams.err


def test_full_shows_the_line_with_carets_under_the_token(tree, capsys):
    check("--select", "dispatch-on-delegate", tree)

    lines = capsys.readouterr().out.splitlines()
    row = next(index for index, line in enumerate(lines) if "MPS: ripple_mps" in line)
    assert lines[row].startswith("4 |     MPS: ripple_mps")
    assert lines[row + 1] == "  |     ^^^"


def test_sarif_names_rule_and_region(tree, capsys):
    check("--output-format", "sarif", "--select", "dispatch-on-delegate", tree)

    (log,) = json.loads(capsys.readouterr().out)["runs"]
    (result,) = log["results"]
    assert result["ruleId"] in {rule["id"] for rule in log["tool"]["driver"]["rules"]}
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 4, "startColumn": 5, "endLine": 4, "endColumn": 8}


def test_github_workflow_commands(tree, capsys):
    check("--output-format", "github", "--select", "dispatch-on-delegate", tree)

    out = capsys.readouterr().out
    assert out.startswith("::error file=")
    assert f"{YAML},line=4,col=5,endLine=4,endColumn=8,title=" in out


def test_lintrunner_messages_are_one_json_object_per_line(tree, capsys):
    check("--output-format", "lintrunner", "--select", "dispatch-on-delegate", tree)

    (line,) = capsys.readouterr().out.splitlines()
    message = json.loads(line)
    assert message["path"] == str(tree / YAML)
    assert (message["line"], message["char"]) == (4, 5)
    assert message["severity"] == "error"


def test_diff_shows_what_fix_would_do_and_changes_nothing(tree, capsys):
    assert check("--diff", "--unsafe-fixes", "--select", "dispatch-on-delegate", tree) == 1

    assert "-    MPS: ripple_mps" in capsys.readouterr().out
    assert (tree / YAML).read_text(encoding="utf-8") == BROKEN


def test_fix_mends_the_file_and_the_status_is_what_is_left(tree, capsys):
    assert check("--fix", "--unsafe-fixes", "--select", "dispatch-on-delegate", tree) == 0

    assert "ripple_mps" not in (tree / YAML).read_text(encoding="utf-8").split("ripple.out(")[0]
    capsys.readouterr()


def test_a_comment_silences_a_rule(tree, capsys):
    silenced = BROKEN.replace(
        "    MPS: ripple_mps", "    # mkls: ignore[dispatch-on-delegate]\n    MPS: ripple_mps"
    )
    (tree / YAML).write_text(silenced, encoding="utf-8")

    assert check("--select", "dispatch-on-delegate", tree) == 0
    capsys.readouterr()


def test_configuration_chooses_severity_and_rules(tree, capsys):
    config = 'select = ["dispatch-on-delegate"]\n[severity]\ndispatch = "hint"\n'
    (tree / "mkls.toml").write_text(config, encoding="utf-8")

    check("--output-format", "json", tree)

    assert [it["severity"] for it in json.loads(capsys.readouterr().out)] == ["hint"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no/such/path"], "no/such/path: no such file or folder"),
        (["--root", "no/such/root"], "--root no/such/root: no such folder"),
        (["--select", "nope"], "`nope` is no rule and no group; `mkls rules` lists them"),
        ([""], "a PATH is empty"),
        (["a" * 300], "cannot be read (File name too long)"),
        (["--fix", "--diff"], "--fix and --diff exclude each other"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(arguments, message, capsys):
    assert check(*arguments) == 2
    assert message in capsys.readouterr().err


def test_a_file_that_mkls_does_not_read_is_skipped_aloud(tree, capsys):
    (tree / "notes.txt").touch()

    assert check(tree / "notes.txt") == 0
    assert "notes.txt: not a file that mkls reads; skipped" in capsys.readouterr().err


def test_the_command_itself_from_another_folder(tree, tmp_path_factory):
    done = subprocess.run(
        [sys.executable, "-m", "mkls", "check", "--output-format", "json", str(tree / YAML)],
        cwd=tmp_path_factory.mktemp("elsewhere"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )

    assert done.returncode == 1
    assert json.loads(done.stdout)[0]["path"] == YAML


HOST = 'void host() {\n  auto pso = lib.getPipelineStateForFunc("absent");\n}\n'
KERNEL = "kernel void present(device float* out [[buffer(0)]]) {}\n"


def project(folder: Path, marker: str | None = "mkls.toml") -> Path:
    folder.mkdir(parents=True)
    (folder / "Host.mm").write_text(HOST, encoding="utf-8")
    (folder / "Kernel.metal").write_text(KERNEL, encoding="utf-8")
    if marker:
        (folder / marker).touch()
    return folder


def test_paths_of_several_workspaces_are_refused(tmp_path, capsys):
    one, two = project(tmp_path / "one"), project(tmp_path / "two")

    assert check(one, two) == 2
    assert "the paths belong to several workspaces" in capsys.readouterr().err


def test_a_folder_outside_of_the_root_is_refused(tmp_path, capsys):
    one, two = project(tmp_path / "one"), project(tmp_path / "two")

    assert check("--root", one, two) == 2
    assert f"{two}: lies outside of the root {one}" in capsys.readouterr().err


@pytest.mark.parametrize("marker", [None, "pyproject.toml"])
def test_paths_of_parts_of_one_project_have_its_root(tmp_path, marker, capsys):
    (tmp_path / "pyproject.toml").touch()
    one, two = project(tmp_path / "one", marker), project(tmp_path / "two", marker)

    check("--output-format", "json", "--select", "unresolved-kernel-name", one, two / "Host.mm")

    paths = [it["path"] for it in json.loads(capsys.readouterr().out)]
    assert paths == ["one/Host.mm", "two/Host.mm"]


def test_sarif_names_a_file_outside_of_the_root_whole(tmp_path, capsys):
    one, two = project(tmp_path / "one"), project(tmp_path / "two")

    check("--output-format", "sarif", "--root", one, two / "Host.mm")

    (log,) = json.loads(capsys.readouterr().out)["runs"]
    place = log["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": (two / "Host.mm").as_uri()}


@pytest.mark.parametrize("output_format", ["full", "concise", "json", "sarif", "github"])
@pytest.mark.parametrize("encoding", ["utf-8:strict", "ascii:strict"])
def test_any_bytes_can_be_shown(tmp_path, output_format, encoding):
    name = os.fsdecode(b"caf\xe9.mm")
    folder = project(tmp_path / "work")
    (folder / name).write_bytes(HOST.replace("absent", "f\xe9").encode("latin-1"))

    done = subprocess.run(
        [sys.executable, "-m", "mkls", "check", "--output-format", output_format, str(folder)],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )

    assert done.returncode == 1, done.stderr
    assert b"no Metal source defines kernel" in done.stdout
    if output_format in ("json", "sarif"):
        assert b"f\\ufffd" in done.stdout


def test_a_patch_has_the_lines_that_patch_counts(tree, capsys):
    text = BROKEN.replace("    MPS:", "    # a form\x0cfeed, a\u2028separator, a lone \r\n    MPS:")
    (tree / YAML).write_bytes(text.encode())

    check("--diff", "--unsafe-fixes", "--select", "dispatch-on-delegate", tree)

    patch = capsys.readouterr().out
    assert "No newline" not in patch
    assert all(line[:1] in "+-@ " for line in patch.rstrip("\n").split("\n"))


def test_github_paths_are_those_of_the_folder_in_which_the_job_runs(tree, capsys, monkeypatch):
    monkeypatch.chdir(tree.parent)

    check("--output-format", "github", "--select", "dispatch-on-delegate", tree)

    assert f"file={tree.name}/{YAML}," in capsys.readouterr().out


def test_a_comment_that_silences_what_there_is_not_is_told(tree, capsys):
    silenced = f"# mkls: ignore-file[nope, dispatch-on-delegate]\n{BROKEN}"
    (tree / YAML).write_text(silenced, encoding="utf-8")

    assert check("--select", "dispatch-on-delegate", tree) == 0

    assert f"mkls: {tree}/{YAML}:1: `nope` is no rule and no group" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_told(tree, capsys, monkeypatch):
    (tree / "a.metal").write_text(KERNEL, encoding="utf-8")
    (tree / "mkls.toml").touch()
    (tree / YAML).unlink()

    def refuse(path: str) -> str:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("mkls.session.loading.read_text", refuse)

    assert check(tree) == 0
    assert "a.metal: cannot be read (Permission denied); skipped" in capsys.readouterr().err


def test_a_folder_that_cannot_be_read_is_told(tree, capsys, monkeypatch):
    folder = tree / "c10/metal"
    folder.mkdir(parents=True)
    real = os.scandir

    def refuse(path: str):
        if path == str(folder):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr("mkls.session.discovery.os.scandir", refuse)

    assert check(tree) == 1
    assert "c10/metal: cannot be read (Permission denied); skipped" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["check"], ["rules"], ["explain", "unused-kernel"]])
def test_output_that_cannot_be_written_is_told(command, tree):
    if command == ["check"]:
        command = ["check", str(tree)]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = mkls(*command, stdout=full)

    assert done.returncode == 2
    assert done.stderr == (f"mkls {command[0]}: cannot write the output: No space left on device\n")


def test_the_status_tells_where_standard_output_is_closed(tree):
    done = mkls("check", str(tree), script='exec "$0" -m mkls "$@" >&-')

    assert done.returncode == 1
    assert done.stderr == "1 finding in 1 file\n"


GONE = 'mkdir gone && cd gone && rmdir "$PWD" && exec "$0" -m mkls "$@"'


@pytest.mark.parametrize("arguments", [["check"], ["check", "x"], ["kernels", "x"], ["demo"]])
def test_a_current_folder_that_is_gone_is_told(arguments, tmp_path):
    done = mkls(*arguments, script=GONE, cwd=tmp_path)

    assert done.returncode == 2
    assert done.stderr == f"mkls {arguments[0]}: the current folder does not exist any more\n"


def test_from_a_folder_that_is_gone_paths_are_shown_whole(tree, tmp_path):
    done = mkls("check", str(tree), script=GONE, cwd=tmp_path, stdout=subprocess.PIPE)

    assert done.returncode == 1
    assert f"--> {tree / YAML}:" in done.stdout


def mkls(*arguments: str, script='exec "$0" -m mkls "$@"', **options):
    return subprocess.run(
        ["sh", "-c", script, sys.executable, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        **options,
    )


def test_lines_may_end_at_returns_alone(tree, capsys):
    (tree / YAML).write_bytes(BROKEN.replace("\n", "\r").encode())
    kernel = "kernel void f(device float* a [[buffer(0)]], device float* b [[buffer(0)]]) {}"
    metal = tree / "c10/metal/a.metal"
    metal.parent.mkdir(parents=True)
    metal.write_bytes(f"// one\r{kernel}\r".encode())

    check("--output-format", "concise", "--unsafe-fixes", "--fix", tree)

    out = capsys.readouterr().out
    assert f"{YAML}:4:5: error[dispatch-on-delegate]" in out
    assert "a.metal:2:46: error[argument-mismatch]" in out
    assert (tree / YAML).read_bytes() == BROKEN.replace("\n", "\r").encode()


def test_a_patch_applies_where_it_was_asked_for(tree, capsys, monkeypatch):
    def patched() -> str:
        check("--diff", "--unsafe-fixes", "--select", "dispatch-on-delegate", tree)
        return capsys.readouterr().out.splitlines()[0]

    assert patched() == f"--- a/{YAML}"
    monkeypatch.chdir(tree.parent)
    assert patched() == f"--- a/{tree.name}/{YAML}"
    monkeypatch.chdir(tree / "aten/src")
    assert patched() == f"--- a/{YAML.removeprefix('aten/src/')}"
    (tree / "elsewhere").mkdir()
    monkeypatch.chdir(tree / "elsewhere")
    assert patched() == f"--- a/{YAML}"


def test_a_silenced_code_that_there_is_not_is_told_as_seen_from_here(tree, capsys, monkeypatch):
    text = BROKEN.replace("MPS: ripple_mps", "MPS: ripple_mps # mkls: ignore[nonsense]")
    (tree / YAML).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tree.parent)

    check(tree)

    assert f"mkls: {tree.name}/{YAML}:4: `nonsense` is no rule" in capsys.readouterr().err


def test_paths_may_come_from_a_list(tree, capsys):
    paths = tree / "paths.txt"
    paths.write_text(f"{tree / YAML}\r\n\n", encoding="utf-8")

    assert check("--output-format", "concise", f"@{paths}") == 1
    assert "in 1 file" in capsys.readouterr().err


def test_an_empty_list_is_not_the_current_folder(tree, capsys, monkeypatch):
    (tree / "none.txt").touch()
    monkeypatch.chdir(tree)

    assert check("@none.txt") == 0
    assert capsys.readouterr().err == "nothing to report in 0 files\n"
    assert check("--output-format", "json", "@none.txt") == 0
    assert json.loads(capsys.readouterr().out) == []


def test_a_list_that_is_missing_is_told(tree, capsys):
    assert check(f"@{tree}/absent.txt") == 2
    assert "absent.txt: the list of paths cannot be read: No such file" in capsys.readouterr().err
