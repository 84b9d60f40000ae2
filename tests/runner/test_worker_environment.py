"""Where a worker runs: any interpreter, another machine, and never the workspace's own code."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from mkls.runner.client import Runner
from mkls.runner.command import worker_command
from mkls.runner.process import WorkerUnavailableError
from mkls.runner.requests import file_request
from mkls.runner.settings import WorkerSettings
from tests.runner.conftest import only

SOURCE = """
#include "scale factor.h"
// mkls-arg: out = zeros(8)
// mkls-expect: out == 5
kernel void fill(device float* out, uint tid [[thread_position_in_grid]]) { out[tid] = FACTOR; }
"""
TRAP = "open({marker!r}, 'w').close()\nraise SystemExit(9)\n"


def place(folder: Path, factor: str = "5") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scale factor.h").write_text(f"#define FACTOR {factor}\n", encoding="utf-8")
    source = folder / "ünïcode 🎉.metal"
    source.write_text(SOURCE, encoding="utf-8")
    return source


def test_paths_may_hold_spaces_and_any_character(runner, tmp_path):
    source = place(tmp_path / "a folder")

    report = runner.submit(file_request(source, tmp_path)).result(timeout=120)

    assert only(report).outcome == "passed"
    assert only(report).path == str(source)


def test_nothing_of_the_workspace_is_imported(tmp_path, monkeypatch):
    source = place(tmp_path)
    marker = str(tmp_path / "executed")
    names = ("torch", "json", "mkls", "ast", "msgspec", "numpy", "sitecustomize", "queue")
    for name in names:
        (tmp_path / f"{name}.py").write_text(TRAP.format(marker=marker), encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    with Runner() as own:
        report = own.submit(file_request(source, tmp_path)).result(timeout=120)

    assert only(report).outcome == "passed"
    assert not Path(marker).exists()


def test_only_mkls_itself_becomes_importable_to_the_worker():
    script = worker_command(WorkerSettings())[2]
    code = f"""
import runpy, sys
before = set(sys.path)
worker = runpy.run_path({script!r})
from pathlib import Path
worker["make_importable"](Path({script!r}).parents[1])
import mkls.runner.request, mkls.runner.expressions
assert "tests" not in sys.modules
assert set(sys.path) <= before, sys.path
try:
    import conftest
except ImportError:
    print("isolated")
"""
    found = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, cwd="/"
    )

    assert found.stdout.strip() == "isolated"


def test_the_worker_needs_no_more_than_torch_until_the_emulator_runs():
    script = worker_command(WorkerSettings())[2]
    code = f"""
import sys
from pathlib import Path
import runpy
worker = runpy.run_path({script!r})
worker["make_importable"](Path({script!r}).parents[1])
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("msgspec", "pygls", "lsprotocol", "tree_sitter", "ruamel"):
            raise ImportError(name)
sys.meta_path.insert(0, Refuse())
import mkls.runner.worker_loop, mkls.runner.execution, mkls.runner.backends.mps
print("light")
"""
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )

    assert found.stdout.strip() == "light", found.stderr


@pytest.fixture
def far_machine(tmp_path):
    """A stand-in for `ssh host`: another home, another folder, a shell that reads one argument."""
    home = tmp_path / "far home"
    home.mkdir()
    script = tmp_path / "ssh stand-in"
    script.write_text(
        "#!/bin/sh\n"
        'test "$1" = far-mac || exit 77\n'
        "shift\n"
        "echo 'Welcome to far-mac!'\n"
        f"cd '{home}'\n"
        f'HOME=\'{home}\' PATH="{Path(sys.executable).parent}:$PATH" exec sh -c "$*"\n',
        encoding="utf-8",
    )
    script.chmod(0o755)
    return WorkerSettings(interpreter=sys.executable, command_prefix=(str(script), "far-mac")), home


def test_a_worker_on_another_machine_gets_mkls_and_the_headers_over_the_wire(far_machine, tmp_path):
    settings, home = far_machine
    source = place(tmp_path / "near")
    with Runner(settings) as own:
        request = file_request(source, tmp_path)
        job = own.submit(request)
        # What is on this machine's disk does not matter any more: the text was sent.
        (tmp_path / "near" / "scale factor.h").write_text("#define FACTOR 6\n", encoding="utf-8")
        report = job.result(timeout=180)

    assert only(report).outcome == "passed"
    assert only(report).path == str(source)
    (sent,) = (home / ".cache" / "mkls" / "worker").iterdir()
    assert (sent / "mkls" / "runner" / "worker.py").is_file()
    assert not (sent / "mkls" / "server").exists()


def test_errors_of_a_far_worker_name_the_files_here(far_machine, tmp_path):
    settings, _ = far_machine
    source = place(tmp_path / "near", factor="undefined_here")
    with Runner(settings) as own:
        report = own.submit(file_request(source, tmp_path)).result(timeout=180)

    (problem,) = only(report).problems
    assert problem.path in (str(source), str(source.parent / "scale factor.h"))
    assert "undefined_here" in problem.message


def test_a_machine_that_cannot_be_reached_is_one_message(tmp_path, far_machine):
    settings, _ = far_machine
    wrong = replace(settings, command_prefix=(settings.command_prefix[0], "elsewhere"))
    with Runner(wrong) as own, pytest.raises(WorkerUnavailableError, match="status 77"):
        own.submit(file_request(place(tmp_path), tmp_path)).result(timeout=60)


def test_the_client_half_never_imports_torch():
    code = (
        "import sys, mkls.runner.client, mkls.runner.requests, mkls.runner.diagnostics,"
        " mkls.runner.lens, mkls.runner.directives; print('torch' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )

    assert found.stdout.strip() == "False"
