"""The CPU emulator: what waiting costs, and its kernels against torch's operators and C loops."""

import ctypes
import itertools
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

from mkls.emulator.cache import open_cache
from mkls.emulator.compile import Build, precompiled_shim
from mkls.emulator.library import Library, compile_source
from mkls.emulator.preprocess import version_number
from mkls.emulator.settings import EmulatorSettings
from mkls.emulator.toolchain import find_toolchain
from tests.bench import emulator_kernels
from tests.bench.emulator_kernels import ELEMENTWISE, LANES, PAIRS, TYPES
from tests.bench.measure import Row

COUNT = 1 << 20
_DTYPES = {"float": torch.float32, "half": torch.float16, "bfloat": torch.bfloat16}
_NO_BUDGET = float("inf")


def rows(_tree: Path, rounds: int) -> Iterator[Row]:
    """Yield all figures, of one core. Times are the best of several, which is what noise spares."""
    torch.set_num_threads(1)  # its idle threads spin, which would count as the kernels' time
    with tempfile.TemporaryDirectory() as folder:
        settings = EmulatorSettings(cache_directory=folder, cores=1)
        yield from _pairs(settings, rounds)
        yield from _elementwise(settings, Path(folder), rounds)
        yield from _real(settings, rounds)
        yield _edit_to_result(settings, rounds)


def best(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Milliseconds of processor time of each of `calls`, taken in turn."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(4 * rounds + 1):
        for name, call in calls.items():
            started = time.process_time()
            call()
            taken[name].append((time.process_time() - started) * 1000)
    return {name: min(values) for name, values in taken.items()}


def _pairs(settings: EmulatorSettings, rounds: int) -> Iterator[Row]:
    library = compile_source(emulator_kernels.PAIR_SOURCE, settings=settings)
    a, b, out = torch.randn(COUNT), torch.randn(COUNT), torch.zeros(COUNT)
    for index, name in enumerate(PAIRS | LANES):
        budget = 2.0 if name in PAIRS else 3.0  # 32 lanes are a short loop
        kernels = {kind: library.kernel(f"{kind}_{index}") for kind in ("plain", "waits")}
        calls = {
            kind: _call(kernel, out, a, b, 8, group_size=256) for kind, kernel in kernels.items()
        }
        times = best(calls, rounds)
        note = f"{times['waits']:.2f} ms, {kernels['waits'].mode}"
        yield Row(f"{name} / without", times["waits"] / times["plain"], budget, "x", note)


def _call(kernel: Any, *args: object, **options: Any) -> Callable[[], object]:
    return lambda: kernel(*args, **options)


def _elementwise(settings: EmulatorSettings, folder: Path, rounds: int) -> Iterator[Row]:
    library = compile_source(emulator_kernels.elementwise_source(), settings=settings)
    loops = _c_loops(settings, folder)
    for name in ELEMENTWISE:
        for t in TYPES:
            yield _against_torch(library, name, t, rounds)
        count = (
            COUNT if name == "atan2" else 8 * COUNT
        )  # so that the cost of a launch counts little
        a, b, out = torch.randn(count), torch.rand(count), torch.zeros(count)
        pointers = [ctypes.c_void_p(x.data_ptr()) for x in (out, a, b)]
        loop = loops[f"loop_{name}"]
        times = best(
            {
                "kernel": _call(library.kernel(f"{name}_float"), out, a, b),
                "loop": _call(loop, *pointers, ctypes.c_long(count)),
            },
            rounds,
        )
        yield Row(f"{name} / the loop in C", times["kernel"] / times["loop"], 1.5, "x")


def _against_torch(library: Library, name: str, t: str, rounds: int) -> Row:
    a, b = torch.randn(COUNT).to(_DTYPES[t]), torch.rand(COUNT).to(_DTYPES[t])
    out = torch.zeros_like(a)
    operators: dict[str, Callable[[], object]] = {
        "atan2": lambda: torch.atan2(a, b, out=out),
        "pow": lambda: torch.pow(b, a, out=out),
    }
    operator = getattr(torch, name)
    x = b if name in ("log", "sqrt") else a
    times = best(
        {
            "kernel": _call(library.kernel(f"{name}_{t}"), out, a, b),
            "torch": operators.get(name, lambda: operator(x, out=out)),
        },
        rounds,
    )
    note = f"{times['kernel']:.2f} ms"
    return Row(f"{name} of {t} / torch", times["kernel"] / times["torch"], 30.0, "x", note)


def _c_loops(settings: EmulatorSettings, folder: Path) -> ctypes.CDLL:
    """The functions as loops, with the emulator's compiler, headers and options."""
    toolchain = find_toolchain(settings)
    build = Build(toolchain, version_number(None))
    header = precompiled_shim(build, open_cache(settings))
    object_file, library = folder / "loops.o", folder / "loops.so"
    command = [*toolchain.kernel, *build.flags(), "-include-pch", str(header), "-x", "c++", "-c"]
    subprocess.run(
        [*command, "-", "-o", str(object_file)],
        input=emulator_kernels.loop_source(),
        text=True,
        check=True,
    )
    subprocess.run([*toolchain.linker, str(object_file), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


def _real(settings: EmulatorSettings, rounds: int) -> Iterator[Row]:
    include = Path(torch.__file__).parent / "include"
    source = emulator_kernels.REAL_SOURCE
    library = compile_source(source, include_dirs=[include], settings=settings)
    x, totals, out = torch.randn(1024, 1024), torch.zeros(1024), torch.zeros(1024, 1024)
    a, b, c = (torch.randn(256, 256) for _ in range(3))
    rows_of = {"threads": COUNT // 4, "group_size": 256}
    whole = {"threads": COUNT, "group_size": 1024}
    matrix = {"threads": [256, 256], "group_size": [16, 16]}
    lanes = {"threads": [32 * 32, 32], "group_size": [32, 1]}
    cases: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "row_sum": (_call(library.row_sum, x, totals, 1024, **rows_of), lambda: x.sum(1)),
        "softmax": (_call(library.softmax, x, out, 1024, **rows_of), lambda: x.softmax(1)),
        "scan": (_call(library.scan, x, out, 1024, **whole), lambda: x.cumsum(1)),
        "sort": (_call(library.sort, x, out, 1024, **whole), lambda: x.sort(1)),
        "tiled": (_call(library.tiled, a, b, c, 256, **matrix), lambda: a @ b),
        "matrices": (_call(library.matrices, a, b, c, 256, **lanes), lambda: a @ b),
    }
    for name, (kernel, operator) in cases.items():
        times = best({"kernel": kernel, "torch": operator}, rounds)
        ratio = times["kernel"] / times["torch"]
        note = f"{times['kernel']:.2f} ms, {library.kernel(name).mode}"
        yield Row(f"{name} / torch", ratio, _NO_BUDGET, "x", note)


def _edit_to_result(settings: EmulatorSettings, rounds: int) -> Row:
    """A changed kernel in a file that uses torch's headers, to its first result, caches warm."""
    include = Path(torch.__file__).parent / "include"
    x, out = torch.randn(64, 1024), torch.zeros(64)
    number = itertools.count()

    def edit() -> None:
        changed = emulator_kernels.REAL_SOURCE.replace("sum = 0;", f"sum = {next(number)};", 1)
        library = compile_source(
            changed, include_dirs=[include], kernels=["row_sum"], settings=settings
        )
        library.row_sum(x, out, 1024, threads=64 * 256, group_size=256)

    edit()
    started = _processor_seconds()
    for _ in range(rounds):
        edit()
    seconds = (_processor_seconds() - started) / rounds
    name = "edit of a kernel with barriers to its result, on a core"
    return Row(name, seconds, 0.5, "s", "processor time, compiler included")


def _processor_seconds() -> float:
    """What this process and those it has waited for have used."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system
