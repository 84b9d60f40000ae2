"""What a checked run costs beside an unchecked one, for kernels of 1M threads, and in memory."""

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path

import torch

from mkls.emulator.library import Library, compile_source
from mkls.emulator.settings import EmulatorSettings
from tests.bench.emulator_kernels import HEAD
from tests.bench.measure import Row

COUNT = 1 << 20
_AT = "uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]]"
_ONE, _TWO = "device const float* a", "device const float* a, device const float* b"
_ELEMENTWISE = {
    "negate": ("float", _ONE, "out[i] = -a[i];"),
    "copy": ("float", _ONE, "out[i] = a[i];"),
    "add": ("float", _TWO, "out[i] = a[i] + b[i];"),
    "atan2": ("float", _TWO, "out[i] = precise::atan2(a[i], b[i]);"),
    "twice": ("half", "device const half* a", "out[i] = a[i] * 2;"),
}
_WAITING = {
    "turn": (
        "float",
        _ONE,
        (
            "threadgroup float x[256]; x[t] = a[i]; "
            "threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = x[255 - t];"
        ),
    )
}
_SOURCE = HEAD + "".join(
    f"kernel void {name}(device {kind}* out, {inputs}, {_AT}) {{ {body} }}\n"
    for name, (kind, inputs, body) in (_ELEMENTWISE | _WAITING).items()
)


def rows(_tree: Path, rounds: int) -> Iterator[Row]:
    """Yield ratios of processor time, which no other program disturbs, and the peak of memory."""
    with tempfile.TemporaryDirectory() as folder:
        settings = EmulatorSettings(cache_directory=folder)
        plain = compile_source(_SOURCE, settings=settings)
        checked = compile_source(_SOURCE, settings=settings, checked=True)
        for name in _ELEMENTWISE:
            yield _ratio(name, plain, checked, rounds, 20.0)
        yield Row("memory at its peak, kernels without waits", _peak(), 1.5, "GB")
        for name in _WAITING:
            yield _ratio(name, plain, checked, 1, inf)
        yield Row("memory at its peak", _peak(), 1.5, "GB")


def _ratio(name: str, plain: Library, checked: Library, rounds: int, budget: float) -> Row:
    kind, inputs, _ = (_ELEMENTWISE | _WAITING)[name]
    dtype = torch.float16 if kind == "half" else torch.float32
    tensors = [torch.randn(COUNT).to(dtype) for _ in range(1 + inputs.count("*"))]

    def run(library: Library) -> Callable[[], object]:
        return lambda: library.kernel(name)(*tensors, group_size=256)

    fast, slow = _processor_time(run(plain), rounds), _processor_time(run(checked), rounds)
    note = f"{slow:.1f} ms of a core, and {fast:.1f} ms"
    return Row(f"{name} checked / unchecked", slow / fast, budget, "x", note)


def _processor_time(call: Callable[[], object], rounds: int) -> float:
    """Milliseconds of one call, the least of several, behind one that compiles."""
    call()
    taken: list[float] = []
    for _ in range(2 * rounds + 1):
        started = time.process_time()
        call()
        taken.append((time.process_time() - started) * 1000)
    return min(taken)


def _peak() -> float:
    """Gigabytes that this process has held at most."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (1 << 30 if sys.platform == "darwin" else 1 << 20)
