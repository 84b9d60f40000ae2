"""`mkls kernels` through its real entry point."""

import json
from pathlib import Path

import pytest

from mkls.cli.demo import SAMPLE
from mkls.cli.main import run

KERNELS = SAMPLE / "aten/src/ATen/native/mps/kernels"


def as_json(capsys: pytest.CaptureFixture[str], *files: Path) -> list[dict[str, object]]:
    assert run(["kernels", *map(str, files), "--output-format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_macro_made_kernels_are_listed_in_source_order(capsys):
    listed = as_json(capsys, KERNELS / "UnaryKernel.metal")

    assert [it["host_name"] for it in listed] == [
        f"{name}_{flavour}_{dtype}_{dtype}"
        for name in ("softsign", "fade")
        for dtype in ("float", "half", "bfloat")
        for flavour in ("dense", "strided")
    ]
    assert {it["path"] for it in listed} == {"aten/src/ATen/native/mps/kernels/UnaryKernel.metal"}


def test_arguments_are_as_the_host_must_bind_them(capsys):
    first = as_json(capsys, KERNELS / "UnaryKernel.metal")[0]

    assert first["function"] == "unary_dense"
    assert first["arguments"] == [
        {
            "name": "output",
            "type": "device float *",
            "kind": "buffer",
            "index": 0,
            "access": "write",
        },
        {
            "name": "input",
            "type": "constant float *",
            "kind": "buffer",
            "index": 1,
            "access": "read",
        },
        {
            "name": "index",
            "type": "uint",
            "kind": "builtin",
            "attribute": "thread_position_in_grid",
        },
    ]


def test_a_lone_file_with_kernels_by_hand(tmp_path, capsys):
    path = tmp_path / "own.metal"
    path.write_text(
        "kernel void own(device half* out, constant uint& n, texture2d<float> image,\n"
        "                threadgroup float* shared [[threadgroup(1)]],\n"
        "                uint lane [[thread_index_in_simdgroup]]) {}\n",
        encoding="utf-8",
    )

    (kernel,) = as_json(capsys, path)

    numbered = [(it["name"], it["kind"], it.get("index")) for it in kernel["arguments"]]
    assert numbered == [
        ("out", "buffer", 0),
        ("n", "buffer", 1),
        ("image", "texture", 0),
        ("shared", "threadgroup", 1),
        ("lane", "builtin", None),
    ]


def test_what_is_missing_is_said(tmp_path, capsys):
    path = tmp_path / "own.metal"
    path.write_text("#include <no/such/header.h>\nREGISTER_ME(float);\n", encoding="utf-8")

    assert run(["kernels", str(path)]) == 0

    assert "own.metal:1: `no/such/header.h` is not found" in capsys.readouterr().err


def test_the_196_kernels_of_2_6(pytorch_tree, capsys):
    listed = as_json(capsys, pytorch_tree / "aten/src/ATen/native/mps/kernels")

    assert len({it["host_name"] for it in listed}) == len(listed) == 196
