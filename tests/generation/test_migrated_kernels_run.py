"""What the actions write computes what torch's CPU operator computes."""

import json

import pytest

from mkls.cli.main import run
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


def check_agreement(capsys, root, name):
    status, out = quietly(capsys, "run", "--op", name, "--root", str(root), "--no-check",
                          "--output-format", "json")  # fmt: skip
    runs = json.loads(out)["runs"]
    wrong = [it for it in runs if it["outcome"] not in ("passed", "skipped")]
    assert wrong == []
    assert status == 0
    assert sum(it["outcome"] == "passed" for it in runs) >= 15
    return runs


@pytest.mark.parametrize("name", [it.name for it in MIGRATED])
def test_a_migrated_operator_agrees_with_torch(capsys, migrated, name):
    check_agreement(capsys, migrated, name)


@pytest.mark.parametrize("name", [it.name for it in CREATED])
def test_a_created_operator_agrees_with_torch(capsys, created, name):
    check_agreement(capsys, created, name)


def test_nothing_is_left_of_the_old_functions(migrated):
    left = (migrated / f"{NATIVE}/mps/operations/Legacy.mm").read_text(encoding="utf-8")

    assert "TORCH_IMPL_FUNC" not in left
    assert "_native.h" not in left
    assert "run_graph" not in left


def test_nothing_is_wrong_afterwards(capsys, migrated):
    status, out = quietly(capsys, "check", str(migrated), "--output-format", "json")

    assert json.loads(out) == []
    assert status == 0
