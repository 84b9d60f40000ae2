"""What the actions write computes what torch's CPU operator computes."""

import json
from dataclasses import replace

import pytest

from mkls.cli.main import run
from mkls.cli.workspace import open_workspace
from mkls.runner.operator_kernels import requests_of
from tests.support.legacy_tree import NATIVE, Legacy, legacy_files, write_tree

MIGRATED = (
    # unary: floating point, and integers to float
    *(Legacy(it, 1) for it in ("acos", "asinh", "erfc", "expm1", "sigmoid", "sinc", "rsqrt")),
    *(Legacy(it, 1) for it in ("trunc", "frac", "sign")),
    Legacy("signbit", 1),
    Legacy("hardshrink", 1, "hardshrink_stub", "const Scalar&", "lambd"),
    # binary
    *(Legacy(it, 2) for it in ("hypot", "fmod", "remainder", "logaddexp", "minimum", "xlogy")),
    *(Legacy(it, 2) for it in ("bitwise_xor", "lcm", "heaviside")),
    *(Legacy(it, 2) for it in ("ne", "lt", "logical_xor")),  # results are bool
    Legacy("add", 2, "add_stub", "const Scalar&", "alpha"),
)
CREATED = (*(Legacy(it, 1) for it in ("cos", "log1p")), Legacy("fmin", 2))


def quietly(capsys, *arguments: str) -> tuple[int, str]:
    capsys.readouterr()
    status = run(arguments)
    return status, capsys.readouterr().out


@pytest.fixture(scope="module")
def migrated(tmp_path_factory):
    root = tmp_path_factory.mktemp("migrated")
    write_tree(root, legacy_files(MIGRATED))
    assert run(["check", str(root), "--exit-zero"]) == 0
    for it in MIGRATED:
        assert run(["migrate", it.name, "--root", str(root), "--apply"]) == 0
    return root


@pytest.fixture(scope="module")
def created(tmp_path_factory):
    root = tmp_path_factory.mktemp("created")
    write_tree(root, legacy_files(CREATED, has_mps=False))
    for it in CREATED:
        assert run(["add-mps", it.name, "--root", str(root), "--apply"]) == 0
    return root


def check_agreement(runner, root, name):
    snapshot = open_workspace([str(root)], str(root)).session.snapshot()
    (request,) = requests_of(snapshot, name)
    # Unchecked: the observers have tests of their own.
    report = runner.submit(replace(request, check=False)).result(timeout=300)

    wrong = [it for it in report.runs if it.outcome not in ("passed", "skipped")]
    assert wrong == []
    assert sum(it.verified for it in report.runs) >= 15


@pytest.mark.parametrize("name", [it.name for it in MIGRATED])
def test_a_migrated_operator_agrees_with_torch(runner, migrated, name):
    check_agreement(runner, migrated, name)


@pytest.mark.parametrize("name", [it.name for it in CREATED])
def test_a_created_operator_agrees_with_torch(runner, created, name):
    check_agreement(runner, created, name)


def test_the_command_line_runs_what_it_has_written(capsys, created):
    status, out = quietly(capsys, "run", "--op", "cos", "--root", str(created), "--no-check",
                          "--output-format", "json")  # fmt: skip

    assert status == 0
    assert {it["outcome"] for it in json.loads(out)["runs"]} == {"passed"}


def test_nothing_is_left_of_the_old_functions(migrated):
    left = (migrated / f"{NATIVE}/mps/operations/Legacy.mm").read_text(encoding="utf-8")

    assert "TORCH_IMPL_FUNC" not in left
    assert "_native.h" not in left
    assert "run_graph" not in left


def test_nothing_is_wrong_afterwards(capsys, migrated):
    status, out = quietly(capsys, "check", str(migrated), "--output-format", "json")

    assert json.loads(out) == []
    assert status == 0
