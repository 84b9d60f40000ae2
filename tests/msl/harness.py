"""Compiles expressions over Metal types into loops over NumPy arrays, with the product's flags."""

import ctypes
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.msl.catalogue import Case
from tests.msl.numbers import STORAGE

INCLUDE = Path(__file__).parents[2] / "mkls" / "msl" / "include"
COMPILER = [sys.executable, "-m", "ziglang", "c++"]
FLAGS = [
    "-std=c++17", "-fdeclspec", "-ffreestanding", "-nostdinc", "-nostdinc++", "-fno-exceptions",
    "-fno-rtti", "-fsigned-char", "-ffp-contract=off", "-fno-math-errno", "-fwrapv", "-fPIC",
    "-fno-strict-float-cast-overflow", "-fno-stack-protector", "-fno-sanitize=all",
    "-Xclang", "-cl-single-precision-constant", "-Xclang", "-ffloat16-excess-precision=none",
]  # fmt: skip

# The headers of the functions, without those that need the emulator's runtime.
PRELUDE = "".join(
    f"#include <{name}>\n"
    for name in (
        "metal_array", "metal_assert", "metal_common", "metal_extended_vector", "metal_functional",
        "metal_geometric", "metal_initializer_list", "metal_integer", "metal_limits", "metal_math",
        "metal_matrix", "metal_pack", "metal_relational", "metal_type_traits", "metal_types",
        "metal_uniform", "metal_utility", "mkls/intrinsics.h",
    )
)  # fmt: skip

_LOOPS = """
template <class T> struct stored { using type = T; };
template <class T, int N> struct stored<metal::vec<T, N>> { using type = metal::packed_vec<T, N>; };
#define LOOP1(symbol, R, A, ...) extern "C" void symbol(long n, const void *pa, const void *, \\
    const void *, void *out) { for (long i = 0; i < n; ++i) { \\
    const A a(((const stored<A>::type *)pa)[i]); \\
    ((stored<R>::type *)out)[i] = stored<R>::type(__VA_ARGS__); } }
#define LOOP2(symbol, R, A, B, ...) extern "C" void symbol(long n, const void *pa, \\
    const void *pb, const void *, void *out) { for (long i = 0; i < n; ++i) { \\
    const A a(((const stored<A>::type *)pa)[i]); const B b(((const stored<B>::type *)pb)[i]); \\
    ((stored<R>::type *)out)[i] = stored<R>::type(__VA_ARGS__); } }
#define LOOP3(symbol, R, A, B, C, ...) extern "C" void symbol(long n, const void *pa, \\
    const void *pb, const void *pc, void *out) { for (long i = 0; i < n; ++i) { \\
    const A a(((const stored<A>::type *)pa)[i]); const B b(((const stored<B>::type *)pb)[i]); \\
    const C c(((const stored<C>::type *)pc)[i]); \\
    ((stored<R>::type *)out)[i] = stored<R>::type(__VA_ARGS__); } }
"""


def program(cases: Sequence[Case]) -> str:
    """C++ with one loop for each case."""
    loops = (
        f"LOOP{len(case.arguments)}({case.symbol}, {case.result}, {', '.join(case.arguments)}, "
        f"{case.expression})\n"
        for case in cases
    )
    return PRELUDE + _LOOPS + "".join(loops)


def compile_errors(text: str, *flags: str) -> str:
    """What the compiler says about `text` after all headers; empty when it accepts it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*COMPILER, *FLAGS, *flags, "-I", str(INCLUDE), "-x", "c++", "-c", "-"]
        done = subprocess.run(
            [*command, "-o", str(Path(folder) / "unused.o")],
            input=(PRELUDE + text).encode(),
            capture_output=True,
            check=False,
        )
    return "" if done.returncode == 0 else done.stderr.decode()[:3000]


class Compilation:
    """A library under way; `library` waits for it."""

    def __init__(self, text: str, folder: Path, name: str) -> None:
        self._output = folder / f"{name}.so"
        source = folder / f"{name}.cc"
        source.write_text(text, encoding="utf-8")
        command = [
            *COMPILER, *FLAGS, "-O1", "-g0", "-I", str(INCLUDE), "-shared", str(source), "-lm",
            "-o", str(self._output),
        ]  # fmt: skip
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def library(self) -> ctypes.CDLL:
        """The loaded library; fails the test with the compiler's words."""
        output, _ = self._process.communicate()
        assert self._process.returncode == 0, output[:4000]
        return ctypes.CDLL(str(self._output))

    def close(self) -> None:
        """End the compiler if nobody waited for it."""
        if self._process.returncode is None:
            self._process.kill()
            self._process.communicate()


def call(library: ctypes.CDLL, case: Case, *arrays: np.ndarray) -> np.ndarray:
    """Results of a case; arguments and results are flat arrays of components."""
    kinds = [_element(kind) for kind in case.arguments]
    stored = [
        np.ascontiguousarray(array, dtype=STORAGE[kind])
        for array, kind in zip(arrays, kinds, strict=True)
    ]
    count = len(stored[0]) // _width(case.arguments[0])
    result = np.zeros(count * _width(case.result), dtype=STORAGE[_element(case.result)])
    pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in stored]
    pointers += [ctypes.c_void_p()] * (3 - len(pointers))
    loop = getattr(library, case.symbol)
    loop.restype = None
    loop(ctypes.c_long(count), *pointers, result.ctypes.data_as(ctypes.c_void_p))
    return result


def _element(name: str) -> str:
    return name.rstrip("234")


def _width(name: str) -> int:
    return int(name[-1]) if name[-1] in "234" else 1
