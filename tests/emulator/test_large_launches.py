"""Large launches: proved right where that is plain, else looked over, and watched in doubt."""

import pytest
import torch

from mkls.emulator.elementwise import Access, accesses_of
from mkls.emulator.library import Library
from tests.emulator.kernels import Compile

COUNT = (1 << 17) + 3
AT = "uint i [[thread_position_in_grid]]"
KERNELS = f"""
kernel void negate(device float* out, device const float* in, {AT}) {{ out[i] = -in[i]; }}
kernel void guarded(device half* out, device const half* in, constant uint& n, {AT}) {{ if (i < n) out[i] = in[i] * 2; }}
kernel void shifted(device float* out, device const float* in, {AT}) {{ out[i] = in[i + 1]; }}
kernel void reversed_(device float* out, device const float* in, constant uint& n, {AT}) {{ out[n - 1 - i] = in[i]; }}
kernel void halved(device float* out, device const float* in, {AT}) {{ out[i / 2] = in[i] + i; }}
kernel void neighbour(device float* x, {AT}) {{ x[i] = x[i ? i - 1 : 0]; }}
kernel void gather(device float* out, device const float* in, device const int* index, {AT}) {{ out[i] = in[index[i]]; }}
kernel void skips(device float* out, device const float* in, {AT}) {{ if (i != 70000) out[i] = in[i]; }}
kernel void divides(device int* out, device const int* in, {AT}) {{ out[i] = 7 / in[i]; }}
kernel void counts(device atomic_int* count, {AT}) {{ atomic_fetch_add_explicit(count, 1, memory_order_relaxed); }}
kernel void no_value(device float* out, {AT}) {{ float v; if (i > COUNT) v = 1; out[i] = v; }}
kernel void in_place(device float* x, {AT}) {{ x[i] = x[i] * 2; }}
kernel void reads(device float* out, device const float* in, {AT}) {{ float v = in[i]; (void)v; }}
kernel void vectors(device float4* out, device const float4* in, {AT}) {{ out[i] = in[i] + 1; }}
"""  # noqa: E501


@pytest.fixture(scope="module")
def library(compile_: Compile) -> Library:
    return compile_(KERNELS.replace("COUNT", str(COUNT)), checked=True)


def accesses(library: Library, name: str) -> tuple[Access, ...] | None:
    return library._program.accesses(name)  # pyright: ignore[reportPrivateUsage]


def test_what_an_elementwise_kernel_accesses_is_plain(library: Library) -> None:
    assert accesses(library, "negate") == (
        Access(buffer=1, scale=4, offset=0, size=4, write=False, always=True),
        Access(buffer=0, scale=4, offset=0, size=4, write=True, always=True),
    )
    found = accesses(library, "guarded")
    assert found is not None
    assert [(it.buffer, it.scale, it.always) for it in found] == [
        (2, 0, True),
        (1, 2, False),
        (0, 2, False),
    ]


@pytest.mark.parametrize(
    "name", ["reversed_", "halved", "neighbour", "gather", "divides", "counts"]
)
def test_what_is_not_plain_is_not_guessed(library: Library, name: str) -> None:
    assert accesses(library, name) is None


@pytest.mark.parametrize(
    "text", ["", "define void @f(ptr %0, i32 %1) {\n", "define void @f() {\n}"]
)
def test_code_that_cannot_be_read_tells_nothing(text: str) -> None:
    assert not accesses_of(text, "g")


def test_right_kernels_are_clean_and_give_the_right_result(library: Library) -> None:
    x, out = torch.randn(COUNT), torch.zeros(COUNT)
    assert library.negate.run(out, x, group_size=256).findings == ()
    assert torch.equal(out, -x)
    assert library.reversed_.run(out, x, COUNT, group_size=256).findings == ()
    assert torch.equal(out, x.flip(0))
    assert library.in_place.run(x, group_size=256).findings == ()
    assert torch.equal(x, 2 * -(-x / 2))
    index = torch.arange(COUNT, dtype=torch.int32).flip(0)
    assert library.gather.run(out, x, index, group_size=256).findings == ()
    assert torch.equal(out, x.flip(0))
    h, half = torch.randn(COUNT).half(), torch.zeros(COUNT).half()
    assert library.guarded.run(half, h, COUNT - 5, group_size=256).findings == ()
    assert torch.equal(half[:-5], h[:-5] * 2)
    vectors = torch.randn(COUNT - 3)
    assert library.vectors.run(out[: COUNT - 3], vectors, threads=(COUNT - 3) // 4).findings == ()
    assert torch.equal(out[: COUNT - 3], vectors + 1)


def kinds(library: Library, name: str, *arguments: object) -> list[tuple[str, str | None]]:
    outcome = library.kernel(name).run(*arguments, threads=COUNT, group_size=256)
    return [(it.kind, it.argument) for it in outcome.findings]


def test_one_wrong_access_among_many_is_found(library: Library) -> None:
    x, out = torch.randn(COUNT), torch.zeros(COUNT)
    assert kinds(library, "shifted", out, x) == [("out-of-bounds-read", "in")]
    assert kinds(library, "halved", out, x) == [("data-race", "out")]
    assert kinds(library, "neighbour", x) == [("data-race", "x")]
    index = torch.zeros(COUNT, dtype=torch.int32)
    index[70000] = COUNT
    assert kinds(library, "gather", out, x, index) == [("out-of-bounds-read", "in")]
    numbers = torch.ones(COUNT, dtype=torch.int32)
    numbers[70000] = 0
    assert kinds(library, "divides", out.int(), numbers) == [("division-by-zero", None)]
    assert kinds(library, "negate", out[:-1], x) == [("out-of-bounds-write", "out")]
    assert kinds(library, "no_value", out) == [("uninitialized-read", "out")]


def test_one_element_that_nobody_writes_is_found(library: Library) -> None:
    x, out = torch.randn(COUNT), torch.full((COUNT,), float("nan"))
    (found,) = library.skips.run(out, x, group_size=256).findings
    assert (found.kind, found.index, found.count) == ("unwritten-output", 70000, 1)
    assert library.negate.run(torch.full((COUNT,), float("nan")), x).findings == ()


def test_outputs_that_threads_are_too_few_for_are_found(library: Library) -> None:
    x, out = torch.randn(COUNT), torch.full((COUNT,), float("nan"))
    (found,) = library.negate.run(out, x, threads=COUNT - 2, group_size=256).findings
    assert (found.kind, found.index, found.count) == ("unwritten-output", COUNT - 2, 2)
    out = torch.full((COUNT,), float("nan"))
    (found,) = library.reads.run(out, x, threads=COUNT, group_size=256).findings
    assert (found.kind, found.index, found.count) == ("unwritten-output", 0, COUNT)


def test_atomic_operations_may_meet(library: Library) -> None:
    count = torch.zeros(1, dtype=torch.int32)
    assert kinds(library, "counts", count) == []
    assert count.item() == COUNT


def test_two_arguments_that_overlap_are_no_elementwise_launch(library: Library) -> None:
    x = torch.randn(COUNT + 1)
    assert kinds(library, "negate", x[1:], x[:-1]) == [("data-race", "out")]
    assert kinds(library, "negate", x[1:], x[1:]) == []
