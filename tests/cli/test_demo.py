"""`mkls demo` through its real entry point."""

from pathlib import Path

import pytest

from mkls.cli.demo import SAMPLE
from mkls.cli.main import run
from mkls.features.diagnostics import all_findings
from mkls.rules import RULES
from mkls.session.config import Config
from mkls.session.loading import load_workspace


def test_it_shows_mistakes_fixes_and_a_kernel_that_is_wrong(capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert run(["demo"]) == 0

    out = capfd.readouterr().out
    assert "error[unresolved-kernel-name]: no Metal source defines a kernel `faed_…`" in out
    assert '+  lib.exec_unary_kernel(iter, "fade");' in out
    assert "wrong: softsign_dense_float_float (dense float32 [1027])" in out
    assert "1026 of 1027 differ" in out
    assert Path.cwd() == tmp_path


def test_without_torch_it_says_what_to_install(capfd, monkeypatch):
    monkeypatch.setattr("mkls.cli.demo.find_spec", lambda _: None)

    assert run(["demo"]) == 0

    assert "pip install 'mkls[run]'" in capfd.readouterr().out


def test_a_copy_is_left_to_play_with(tmp_path, capsys):
    target = tmp_path / "copy"

    assert run(["demo", "--copy-to", str(target)]) == 0

    assert (target / "c10/metal/indexing.h").is_file()
    assert f"mkls check {target}" in capsys.readouterr().out


def test_the_sample_has_a_mistake_for_each_rule_of_dispatch_and_names():
    snapshot = load_workspace(SAMPLE, Config()).snapshot()
    found = [it.rule.code for it in all_findings(snapshot, snapshot.sources)]

    shown = {
        "dispatch-on-delegate",
        "duplicate-host-name",
        "duplicate-operator",
        "malformed-entry",
        "malformed-schema",
        "missing-sibling-dispatch",
        "mixed-dispatch-group",
        "orphan-implementation",
        "undefined-dispatch-name",
        "unknown-structured-delegate",
        "unregistered-stub",
        "unresolved-kernel-name",
        "unsupported-dispatch-key",
    }
    assert shown <= {rule.code for rule in RULES}
    assert sorted(found) == sorted(shown), "one finding for each, and no other"


@pytest.mark.parametrize("name", ["native_functions.yaml", "Sample.cpp"])
def test_the_sample_is_part_of_the_package(name):
    assert list(SAMPLE.rglob(name))


def test_the_sample_is_not_copied_over_a_file(tmp_path, capsys):
    (tmp_path / "file").touch()

    assert run(["demo", "--copy-to", str(tmp_path / "file")]) == 2
    assert "cannot copy the sample to" in capsys.readouterr().err
