"""Trees without `exec_*` functions, as 2.6: one file runs all kernels that are generated."""

import json

import pytest

from mkls.cli.main import run
from mkls.generation.migrate import plan_migration
from mkls.generation.plan import Plan, changed_texts
from tests.generation.workspaces import workshop_at

KERNELS = "aten/src/ATen/native/mps/kernels/ElementwiseKernel.metal"
HOST = "aten/src/ATen/native/mps/operations/ElementwiseKernel.mm"
OPERATORS = ("atan2", "hypot", "ne", "signbit", "clamp_min", "tan")


@pytest.fixture(scope="module")
def texts(pytorch_tree) -> dict[str, str]:
    """The new files after several operators have moved, one after the other."""
    workshop = workshop_at(pytorch_tree)
    found: dict[str, str] = {}
    for operator in OPERATORS:
        plan = plan_migration(workshop.snapshot, operator)
        assert isinstance(plan, Plan), plan
        found |= {
            uri.rpartition("/pytorch/")[2] or uri: text
            for uri, text in changed_texts(workshop.snapshot, plan).items()
        }
        workshop = workshop._replace(snapshot=workshop.after(plan))
    return {uri: text for uri, text in found.items() if "ElementwiseKernel" in uri}


def text_of(texts: dict[str, str], path: str) -> str:
    return next(text for uri, text in texts.items() if uri.endswith(path))


def test_what_kernels_share_is_written_once(texts):
    metal, host = text_of(texts, KERNELS), text_of(texts, HOST)

    assert metal.count("kernel void binary_elementwise(") == 1
    assert metal.count("#define REGISTER_BINARY_ELEMENTWISE(") == 1
    assert metal.count("kernel void unary_elementwise(") == 1
    assert host.count("static void exec_elementwise_kernel(") == 1
    assert host.count("REGISTER_DISPATCH(") >= len(OPERATORS)


def test_bfloat_is_for_metal_3_1_alone(texts):
    metal = text_of(texts, KERNELS)

    guarded = metal.split("#if __METAL_VERSION__ >= 310\n")[1:]
    assert sum("bfloat" in part.partition("#endif")[0] for part in guarded) == len(guarded)
    assert "bfloat" not in metal.partition("#if __METAL_VERSION__")[0]


def test_they_run_as_they_are(texts, tmp_path, capsys):
    path = tmp_path / "ElementwiseKernel.metal"
    path.write_text(text_of(texts, KERNELS), encoding="utf-8")
    capsys.readouterr()

    status = run(["run", str(path), "--no-check", "--output-format", "json"])

    runs = json.loads(capsys.readouterr().out)["runs"]
    assert [it for it in runs if it["outcome"] != "passed"] == []
    assert status == 0
    assert len({it["kernel"] for it in runs}) > 40
