"""The cold start of `mkls check` on a real checkout: a second process reads ahead."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mkls.cli import head_start
from mkls.features.diagnostics import all_findings
from mkls.session.config import Config
from mkls.session.loading import load_workspace
from mkls.session.second_reader import SecondReader


def check(tree: Path, cache: Path) -> list[dict[str, object]]:
    done = subprocess.run(
        [sys.executable, "-m", "mkls", "check", "--output-format", "json", str(tree)],
        env={**os.environ, "MKLS_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1, done.stderr
    return json.loads(done.stdout)


def test_the_findings_are_those_of_one_process_alone(pytorch_tree, tmp_path):
    ahead = check(pytorch_tree, tmp_path)

    alone = load_workspace(pytorch_tree, Config()).snapshot()
    found = all_findings(alone, alone.sources)
    assert sorted((it["code"], it["message"]) for it in ahead) == sorted(
        (it.rule.code, it.diagnostic.message) for it in found
    )


@pytest.mark.parametrize(
    "arguments", [["{tree}"], ["--root", "{tree}"], ["--output-format", "json", "{tree}/aten"]]
)
def test_the_root_is_told_from_the_call(arguments, tmp_path, monkeypatch):
    (tmp_path / "aten/src/ATen/native").mkdir(parents=True)
    (tmp_path / "aten/src/ATen/native/native_functions.yaml").touch()
    second = SecondReader(0, 0)
    monkeypatch.setattr(head_start, "is_worthwhile", lambda root: root == tmp_path)
    monkeypatch.setattr(head_start, "start_second_reader", lambda _: second)

    head_start.begin([it.format(tree=tmp_path) for it in arguments])

    assert head_start.take(tmp_path) is second
    assert head_start.take(tmp_path) is None


def test_a_call_that_names_nothing_there_begins_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(head_start, "is_worthwhile", lambda _: False)

    head_start.begin(["--root", str(tmp_path / "gone")])
    head_start.begin(["--root"])

    assert head_start.take(tmp_path) is None
