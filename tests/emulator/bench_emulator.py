"""Ratios of the emulator's speed, all from one run: `python tests/emulator/bench_emulator.py`.

Not a test: times depend on the machine. Every figure is the median of several runs.
"""

# ruff: noqa: E501  (Metal text and tables of cases read best unbroken)

import ctypes
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch

from mkls.emulator.library import compile_source
from mkls.emulator.settings import EmulatorSettings
from mkls.emulator.shim import include_directory
from mkls.emulator.toolchain import find_toolchain

COUNT = 1 << 20
HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
AT = "uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]], uint n [[threads_per_threadgroup]]"
BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"
KERNELS = f"""
kernel void atan2_plain(device float* out, device const float* a, device const float* b, {AT}) {{ out[i] = precise::atan2(a[i], b[i]); }}
kernel void atan2_barrier(device float* out, device const float* a, device const float* b, {AT}) {{
  float r = precise::atan2(a[i], b[i]);
  {BARRIER}
  out[i] = r;
}}
kernel void atan2_fiber(device float* out, device const float* a, device const float* b, {AT}) {{
  float r = precise::atan2(a[i], b[i]);
  if (n > 1) {BARRIER}
  out[i] = r;
}}
kernel void shared_plain(device float* out, device const float* a, {AT}) {{ threadgroup float x[1024]; x[t] = a[i]; out[i] = x[t]; }}
kernel void shared_barrier(device float* out, device const float* a, {AT}) {{ threadgroup float x[1024]; x[t] = a[i]; {BARRIER} out[i] = x[n - 1 - t]; }}
kernel void negate(device float* out, device const float* a, {AT}) {{ out[i] = -a[i]; }}
kernel void simd_total(device float* out, device const float* a, {AT}) {{ out[i] = simd_sum(a[i]); }}
"""
LOOP = "float atan2f(float, float); void f(float* o, const float* a, const float* b, long n) { for (long i = 0; i < n; i++) o[i] = atan2f(a[i], b[i]); }"


def median(run: Callable[[], object], times: int = 9) -> float:
    """Milliseconds of one call."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def own_loop() -> str:
    """A loop over the shim's own atan2: what a kernel costs beside its arithmetic."""
    header = (include_directory() / "mkls" / "arc_tangent.h").read_text()
    lines = [line for line in header.splitlines() if not line.startswith("#")]
    text = "\n".join(lines).replace("MKLS_INLINE", "static inline")
    return (
        f'{text}\nextern "C" void f(float* o, const float* a, const float* b, long n) '
        "{ for (long i = 0; i < n; i++) o[i] = mkls::arc_tangent(a[i], b[i]); }"
    )


def c_loop(
    folder: Path, language: str, text: str, out: torch.Tensor, a: torch.Tensor, b: torch.Tensor
) -> float:
    """Milliseconds of a compiled loop, with the emulator's compiler and optimisation."""
    toolchain = find_toolchain()
    object_file, library = folder / f"loop-{language}.o", folder / f"loop-{language}.so"
    flags = ["-O2", "-march=native", "-fPIC", "-fno-math-errno", "-ffp-contract=off"]
    subprocess.run(
        [*toolchain.kernel, *flags, "-x", language, "-c", "-", "-o", str(object_file)],
        input=text,
        text=True,
        check=True,
    )
    subprocess.run([*toolchain.linker, str(object_file), "-o", str(library)], check=True)
    loaded = ctypes.CDLL(str(library))
    pointers = [ctypes.c_void_p(x.data_ptr()) for x in (out, a, b)]
    return median(lambda: loaded.f(*pointers, ctypes.c_long(COUNT)))


def edit_to_result(settings: EmulatorSettings) -> float:
    """A changed kernel in a file that uses torch's headers, to its first result, caches warm."""
    include = Path(torch.__file__).parent / "include"
    a, out = torch.randn(1000), torch.zeros(1000)
    number = iter(range(100))

    def edit() -> None:
        source = "#include <c10/metal/indexing.h>\nstruct f_functor { template <typename T> T operator()(const T x) { return x + T(%d); } };\n"
        source = (
            source % next(number)
            + "REGISTER_UNARY_OP(f, float, float);\nREGISTER_UNARY_OP(f, half, half);\n"
        )
        library = compile_source(
            source,
            include_dirs=[include],
            kernels=["f_dense_scalar_float_float"],
            settings=settings,
        )
        library.kernel("f_dense_scalar_float_float")(out, a)

    edit()
    return median(edit, 5)


def main() -> None:
    """Print the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        settings = EmulatorSettings(cache_directory=folder)
        one_core = EmulatorSettings(cache_directory=folder, cores=1)
        start = time.perf_counter()
        library = compile_source(HEAD + KERNELS, settings=settings)
        cold = time.perf_counter() - start
        single = compile_source(HEAD + KERNELS, settings=one_core)
        checked = compile_source(HEAD + KERNELS, settings=settings, checked=True)
        a, b, out = torch.randn(COUNT), torch.randn(COUNT), torch.zeros(COUNT)

        def run(lib: object, kernel: str) -> float:
            args = (out, a, b) if kernel.startswith("atan2") else (out, a)
            return median(lambda: getattr(lib, kernel)(*args, group_size=256))

        torch_ms = median(lambda: torch.atan2(a, b, out=out))
        loop_ms = c_loop(Path(folder), "c", LOOP, out, a, b)
        own_ms = c_loop(Path(folder), "c++", own_loop(), out, a, b)
        names = [
            line.split("(")[0].split()[-1]
            for line in KERNELS.splitlines()
            if line.startswith("kernel")
        ]
        fast = {name: run(library, name) for name in names}
        alone = {name: run(single, name) for name in names}
        slow = {name: run(checked, name) for name in ("atan2_plain", "negate", "shared_barrier")}
        edit_ms = edit_to_result(settings)
    for name in names:
        print(f"{name:16} {fast[name]:8.2f} ms   one core {alone[name]:8.2f} ms", file=sys.stdout)
    print(
        f"torch atan2      {torch_ms:8.2f} ms   C, libm {loop_ms:8.2f} ms   C, ours {own_ms:8.2f} ms"
    )
    print(f"cold start                        {cold:8.2f} s")
    print(f"edit to result                    {edit_ms / 1000:8.2f} s   (at most 0.5)")
    print(
        f"atan2 / torch                     {fast['atan2_plain'] / torch_ms:8.2f}     (at most 30)"
    )
    print(
        f"atan2 / loop in C, one core       {alone['atan2_plain'] / own_ms:8.2f}     (at most 1.5)"
    )
    print(f"atan2 / the C library's, one core {alone['atan2_plain'] / loop_ms:8.2f}")
    print(
        f"atan2 with a barrier / without    {fast['atan2_barrier'] / fast['atan2_plain']:8.2f}     (at most 2)"
    )
    print(f"the same on fibers                {fast['atan2_fiber'] / fast['atan2_plain']:8.2f}")
    print(f"threadgroup memory, barrier / not {fast['shared_barrier'] / fast['shared_plain']:8.2f}")
    for name, ms in slow.items():
        print(f"checked / unchecked, {name:14} {ms / fast[name]:8.2f}")


if __name__ == "__main__":
    main()
