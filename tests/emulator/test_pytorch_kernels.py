"""The kernels of the real PyTorch 2.6 tree against torch's CPU operators."""

# ruff: noqa: E501  (Metal text and tables of cases read best unbroken)

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

from mkls.emulator.launch_arguments import bind
from mkls.emulator.library import Library, compile_source
from mkls.emulator.settings import EmulatorSettings

FLOATS = {"float": torch.float32, "half": torch.float16, "bfloat": torch.bfloat16}


@pytest.fixture(scope="module", params=[False, True], ids=["fast", "checked"])
def library(
    request: pytest.FixtureRequest, pytorch_tree: Path, emulator_settings: EmulatorSettings
) -> Any:
    folder = pytorch_tree / "aten/src/ATen/native/mps/kernels"

    @cache
    def open_(name: str) -> Library:
        path = folder / f"{name}.metal"
        source = path.read_text(encoding="utf-8", errors="surrogateescape")
        return compile_source(
            source,
            filename=str(path),
            kernels=(),
            settings=emulator_settings,
            checked=request.param,
        )

    return open_


def run(library: Library, kernel: str, *args: object, **options: Any) -> None:
    """Run `kernel`, which must be clean in a checked build."""
    outcome = library.kernel(kernel).run(*args, **options)
    assert outcome.status == "completed", outcome.message
    assert not outcome.findings


def u32(*values: int) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.int32)


def offsets(*columns: torch.Tensor) -> torch.Tensor:
    """uint3 byte offsets, each padded to 16 bytes."""
    table = torch.zeros(len(columns[0]), 4, dtype=torch.int32)
    for index, column in enumerate(columns):
        table[:, index] = column
    return table


def pointers(*tensors: torch.Tensor, at: tuple[int, ...], size: int) -> torch.Tensor:
    """An argument buffer: `size` bytes with the tensors' addresses at the offsets `at`."""
    table = torch.zeros(size // 8, dtype=torch.int64)
    for tensor, offset in zip(tensors, at, strict=True):
        table[offset // 8] = tensor.data_ptr()
    return table


@pytest.mark.parametrize("t", FLOATS)
@pytest.mark.parametrize("op", ["fmax", "fmin", "copysign"])
def test_binary(library: Any, op: str, t: str) -> None:
    a, b = torch.randn(1000).to(FLOATS[t]), torch.randn(1000).to(FLOATS[t])
    out, step = torch.zeros_like(a), torch.arange(1000) * a.element_size()
    run(
        library("BinaryKernel"),
        f"{op}_{t}",
        a,
        b,
        out,
        offsets(step, step, step),
        threads=1000,
        group_size=256,
    )
    assert torch.equal(out, getattr(torch, op)(a, b))


@pytest.mark.parametrize("t", ["float", "bfloat"])
def test_nextafter(library: Any, t: str) -> None:
    a, b = torch.randn(500).to(FLOATS[t]), torch.randn(500).to(FLOATS[t])
    out, step = torch.zeros_like(a), torch.arange(500) * a.element_size()
    run(
        library("BinaryKernel"),
        f"nextafter_kernel_{t}",
        a,
        b,
        out,
        offsets(step, step, step),
        threads=500,
    )
    assert torch.equal(out, torch.nextafter(a, b))


def test_complex_multiplication_and_polar(library: Any) -> None:
    a, b = torch.randn(300, dtype=torch.complex64), torch.randn(300, dtype=torch.complex64)
    out, step = torch.zeros(300, 2), torch.arange(300)
    real = torch.view_as_real
    run(
        library("BinaryKernel"),
        "complex_mul_float",
        real(a),
        real(b),
        out,
        offsets(step * 8, step * 8, step * 8),
        threads=300,
    )
    torch.testing.assert_close(torch.view_as_complex(out), a * b)
    length, angle = torch.rand(300), torch.randn(300)
    run(
        library("BinaryKernel"),
        "polar_float",
        length,
        angle,
        out,
        offsets(step * 8, step * 4, step * 4),
        threads=300,
    )
    torch.testing.assert_close(torch.view_as_complex(out), torch.polar(length, angle))


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize(("i", "o"), [("float", "long"), ("int", "int"), ("half", "long")])
def test_searchsorted(library: Any, i: str, o: str, right: bool) -> None:
    dtype = {"float": torch.float32, "int": torch.int32, "half": torch.float16}[i]
    edges, x = (
        torch.randint(0, 50, (37,)).to(dtype).sort().values,
        torch.randint(0, 50, (300,)).to(dtype),
    )
    out = torch.zeros(300, dtype=torch.int64 if o == "long" else torch.int32)
    run(
        library("Bucketization"),
        f"searchsorted_{i}_{o}",
        x,
        edges,
        out,
        300,
        37,
        300,
        int(right),
        1,
        threads=256,
        group_size=256,
    )
    assert torch.equal(out, torch.searchsorted(edges, x, right=right).to(out.dtype))


@pytest.mark.parametrize(
    ("t", "dtype"), [*FLOATS.items(), ("int", torch.int32), ("long", torch.int64)]
)
def test_cross(library: Any, t: str, dtype: torch.dtype) -> None:
    a, b = (torch.randn(200, 3) * 5).to(dtype), (torch.randn(200, 3) * 5).to(dtype)
    out, step = torch.zeros_like(a), torch.arange(200) * 3 * a.element_size()
    run(
        library("CrossKernel"),
        f"cross_{t}",
        a,
        b,
        out,
        offsets(step, step, step),
        1,
        1,
        1,
        threads=200,
    )
    expected = torch.linalg.cross(a.double(), b.double())
    torch.testing.assert_close(
        out.double(), expected, rtol=2e-2, atol=0.3 if t in ("half", "bfloat") else 1e-4
    )


def test_histogram(library: Any) -> None:
    x, edges, out = torch.rand(500, 1), torch.linspace(0, 1, 11), torch.zeros(500, 10)
    byte = torch.uint8
    run(
        library("HistogramKernel"), "histogramdd_float", x, torch.ones(500), out, torch.arange(500).int(), 1, edges, [11],
        [0.0], [1.0], [10, 1], torch.tensor([2], dtype=byte), torch.tensor([0], dtype=byte), threads=500,
    )  # fmt: skip
    assert torch.equal(out.sum(0), torch.histogramdd(x, [edges])[0])


def test_im2col(library: Any) -> None:
    x = torch.randn(2, 3, 8, 9)
    expected = torch.nn.functional.unfold(x, (3, 2), 1, 1, 2)
    out, columns = torch.zeros_like(expected), expected.shape[2]
    height = (8 + 2 - 3) // 2 + 1
    run(
        library("Im2Col"), "im2col_float", x, out, u32(2, 3, 1, 1), u32(1, 1, 2, 2),
        torch.tensor(x.stride()[::-1]), torch.tensor([out.stride(2), out.stride(1), out.stride(0), columns // height]),
        torch.tensor([9, 8, 3, 2]), threads=[columns, 3, 2],
    )  # fmt: skip
    assert torch.equal(out, expected)


def test_index_offsets(library: Any) -> None:
    out, i = torch.zeros(20, 4, dtype=torch.int64), torch.arange(20)
    run(
        library("Indexing"),
        "kernel_index_offsets_64",
        u32(4, 4, 8, 16, 20, 40),
        out,
        u32(4, 5),
        u32(2),
        threads=20,
    )
    assert torch.equal(out[:, 1], i % 4 * 4 + i // 4 * 20)
    assert torch.equal(out[:, 2], i % 4 * 8 + i // 4 * 40)


@pytest.mark.parametrize("t", FLOATS)
def test_matmul(library: Any, t: str) -> None:
    a, b = torch.randn(7, 11).to(FLOATS[t]), torch.randn(11, 5).to(FLOATS[t])
    out = torch.zeros(7, 5, dtype=FLOATS[t])
    run(
        library("LinearAlgebra"),
        f"naive_matmul_{t}",
        a,
        b,
        out,
        torch.tensor([11, 1, 5, 1, 5, 1]),
        u32(7, 11, 5),
        threads=35,
    )
    torch.testing.assert_close(out.float(), a.float() @ b.float(), rtol=5e-2, atol=0.1)


def test_int4_matrix_product(library: Any) -> None:
    rows, inner, group = 64, 128, 32
    w = torch.randint(0, 16, (rows, inner), dtype=torch.uint8)
    packed = (w[:, 1::2] << 4 | w[:, ::2]).contiguous()
    scale, zero = torch.rand(inner // group, rows) * 0.1, torch.randn(inner // group, rows)
    x, out = torch.randn(1, inner), torch.zeros(1, rows)
    run(
        library("Quantized"), "int4pack_mm_32_float", x, packed, torch.stack([scale, zero], -1), out, u32(1, inner, rows),
        threads=[rows // 4 * 32, 1, 1], group_size=[64, 1, 1],
    )  # fmt: skip
    weights = (w.float().reshape(rows, -1, group) - 8) * scale.t()[:, :, None] + zero.t()[
        :, :, None
    ]
    torch.testing.assert_close(out, x @ weights.reshape(rows, inner).t(), rtol=1e-3, atol=1e-3)


def test_int8_matrix_vector_product(library: Any) -> None:
    inner, rows = 128, 32
    x, w, scale = (
        torch.randn(1, inner),
        torch.randint(-127, 127, (rows, inner), dtype=torch.int8),
        torch.rand(rows) * 0.01,
    )
    out = torch.zeros(1, rows)
    run(
        library("Quantized"), "int8pack_mv_float", x, w, scale, out, u32(1, inner, rows),
        threads=[rows // 8 * 64, 1, 1], group_size=[64, 1, 1], threadgroup_memory={0: 32},
    )  # fmt: skip
    torch.testing.assert_close(out, x @ (w.float() * scale[:, None]).t(), rtol=1e-3, atol=1e-3)


def test_repeat_interleave(library: Any) -> None:
    repeats = torch.randint(0, 5, (40,))
    ends = repeats.cumsum(0)
    out = torch.zeros(int(ends[-1]), dtype=torch.int64)
    run(library("Repeat"), "repeat_interleave_int64_t", repeats, ends, out, threads=40)
    assert torch.equal(out, torch.repeat_interleave(repeats))


@pytest.mark.parametrize("t", FLOATS)
@pytest.mark.parametrize("op", ["i0", "i1"])
def test_bessel(library: Any, op: str, t: str) -> None:
    x = (torch.randn(500) * 3).clamp(-9, 9).to(FLOATS[t])
    out = torch.zeros_like(x)
    run(library("SpecialOps"), f"{op}_{t}_{t}", x, out, threads=500)
    torch.testing.assert_close(
        out.float(),
        getattr(torch.special, op)(x.float()),
        rtol=3e-2 if t != "float" else 1e-4,
        atol=1e-2 if t != "float" else 1e-5,
    )


def test_renorm(library: Any) -> None:
    norms, out = torch.rand(64) * 3, torch.zeros(64)
    run(library("RenormKernel"), "renorm_float", norms, out, 1.0, threads=64)
    torch.testing.assert_close(out, torch.where(norms > 1, 1 / (norms + 1e-7), torch.ones(64)))


def test_tril_indices(library: Any) -> None:
    expected = torch.tril_indices(6, 6)
    count, out = expected.shape[1], torch.zeros_like(expected)
    run(library("TriangularOps"), "tril_indices_long", out, 0, 1, 6, 21, count, threads=count)
    assert torch.equal(out, expected)


def test_unfold_backward(library: Any) -> None:
    x = torch.randn(12, requires_grad=True)
    unfolded = x.unfold(0, 4, 2)
    gradient = torch.randn_like(unfolded)
    unfolded.backward(gradient)
    out = torch.zeros(12)
    run(
        library("UnfoldBackward"),
        "unfold_backward_float",
        gradient,
        out,
        [*gradient.stride()],
        [12],
        [1],
        u32(0, 4, 2, 1),
        threads=12,
    )
    torch.testing.assert_close(out, x.grad)


@pytest.mark.parametrize("align", [False, True])
@pytest.mark.parametrize("t", FLOATS)
def test_bicubic_upsampling(library: Any, t: str, align: bool) -> None:
    x = torch.randn(1, 2, 6, 7).to(FLOATS[t])
    expected = torch.nn.functional.interpolate(
        x.float(), size=(11, 13), mode="bicubic", align_corners=align
    )
    out = torch.zeros(expected.shape, dtype=FLOATS[t])
    scales = [(i - 1) / (o - 1) if align else i / o for i, o in ((7, 13), (6, 11))]
    run(
        library("UpSample"), f"upsample_bicubic2d_{t}", x, out, torch.tensor(x.stride()[::-1]), torch.tensor(out.stride()[::-1]),
        torch.tensor([7, 6, 2, 1]), torch.tensor([13, 11, 2, 1]), scales, torch.tensor([align]), threads=143,
    )  # fmt: skip
    torch.testing.assert_close(
        out.float(),
        expected,
        rtol=5e-2 if t != "float" else 1e-4,
        atol=0.1 if t != "float" else 1e-4,
    )


def test_fused_adam_through_an_argument_buffer(
    pytorch_tree: Path, emulator_settings: EmulatorSettings
) -> None:
    path = pytorch_tree / "aten/src/ATen/native/mps/kernels/FusedOptimizerOps.metal"
    adam = compile_source(
        path.read_text(), filename=str(path), kernels=(), settings=emulator_settings
    )
    p, g, m, v, step = (
        torch.randn(100),
        torch.randn(100),
        torch.randn(100),
        torch.rand(100),
        torch.tensor([3.0]),
    )
    expected = [t.clone() for t in (p, m, v)]
    torch._fused_adam_(
        [expected[0]], [g.clone()], [expected[1]], [expected[2]], [], [step.clone()], lr=0.1, beta1=0.9, beta2=0.99,
        weight_decay=0.01, eps=1e-8, amsgrad=False, maximize=False,
    )  # fmt: skip
    table = pointers(p, g, m, v, step, at=(0, 256, 512, 768, 1024), size=1280)
    sizes = bytes(u32(100, *[0] * 31).numpy()) + bytes(256)
    outcome = adam.kernel("fused_adam_float_float").run(
        table,
        sizes,
        0.1,
        0.9,
        0.99,
        0.01,
        1e-8,
        torch.tensor([0], dtype=torch.uint8),
        threads=256,
        group_size=256,
    )
    assert outcome.status == "completed"
    for actual, wanted in zip((p, m, v), expected, strict=True):
        torch.testing.assert_close(actual, wanted)


def test_a_bound_buffer_is_taken_as_it_is() -> None:
    bound = bind(torch.zeros(4))
    assert bind(bound) is bound
