"""The runtime and compiled kernels as loaded libraries."""

import ctypes
import ctypes.util
import platform
import subprocess
import tempfile
import threading
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from mkls.emulator.cache import Cache, key_of
from mkls.emulator.compile import link
from mkls.emulator.phases.module import plan_symbol
from mkls.emulator.shim import include_directory
from mkls.emulator.toolchain import Toolchain, ToolchainError, supports_native
from mkls.emulator.trampolines import entry_symbol, layout_symbol

BUFFERS = 32
_RUNTIME_FLAGS = (
    "-std=c++17", "-O2", "-g1", "-fPIC", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics",
    "-fno-omit-frame-pointer", "-fno-stack-protector", "-fno-sanitize=all", "-w",
    *(("-mno-red-zone",) if platform.machine() in ("x86_64", "AMD64") else ()),
)  # fmt: skip
_lock = threading.Lock()


class LaunchTable(ctypes.Structure):
    """`mkls_launch` of mkls/runtime.h."""

    _fields_ = (
        ("buffers", ctypes.c_void_p * BUFFERS),
        ("grid", ctypes.c_uint32 * 3),
        ("group_size", ctypes.c_uint32 * 3),
        ("groups", ctypes.c_uint32 * 3),
    )


class Request(ctypes.Structure):
    """`mkls_request` of runtime/run.h."""

    _fields_ = (
        ("entry", ctypes.c_void_p),
        ("launch", LaunchTable),
        ("threadgroup_bytes", ctypes.c_ulong * BUFFERS),
        ("plan", ctypes.c_void_p),
        ("cooperative", ctypes.c_uint32),
        ("cores", ctypes.c_uint32),
        ("checked", ctypes.c_uint32),
        ("stride", ctypes.c_uint32),
        ("seed", ctypes.c_uint32),
        ("deadline_seconds", ctypes.c_double),
    )


class Stop(ctypes.Structure):
    """`Stop` of runtime/run.h: where and why a launch ended early."""

    _fields_ = (
        ("signal", ctypes.c_int),
        ("address", ctypes.c_void_p),
        ("frames", ctypes.c_void_p * 8),
        ("frame_count", ctypes.c_int),
        ("thread", ctypes.c_uint32 * 3),
        ("threadgroup", ctypes.c_uint32 * 3),
        ("stack_overflow", ctypes.c_int),
    )


class RawOutcome(ctypes.Structure):
    """`mkls_outcome` of runtime/run.h."""

    _fields_ = (
        ("status", ctypes.c_int),
        ("seconds", ctypes.c_double),
        ("stop", Stop),
        ("saw_atomics", ctypes.c_uint32),
    )


class ArgumentLayout(ctypes.Structure):
    """`argument_layout` of mkls/kernel.h."""

    _fields_ = (
        ("kind", ctypes.c_int),
        ("size", ctypes.c_uint32),
        ("by_reference", ctypes.c_int),
        ("read_only", ctypes.c_int),
    )


class KernelLibrary:
    """Compiled kernels, loaded. Kernels are known by their numbers."""

    def __init__(self, path: Path) -> None:
        """Load the shared library at `path`; the runtime must be loaded already."""
        self.path = path
        self._library = ctypes.CDLL(str(path))

    def entry(self, number: int) -> int:
        """The address that runs a kernel's threads; 0 when only its plan does."""
        if self.plan(number):
            return 0
        function = getattr(self._library, entry_symbol(number))
        return ctypes.cast(function, ctypes.c_void_p).value or 0

    def plan(self, number: int) -> int:
        """The address of the table for running a kernel in phases; 0 when it has none."""
        try:
            table = ctypes.c_char.in_dll(self._library, plan_symbol(number))
        except ValueError:
            return 0
        return ctypes.addressof(table)

    def layouts(self, number: int, count: int) -> list[ArgumentLayout]:
        """The layout of each of the kernel's `count` arguments."""
        table = (ArgumentLayout * (count + 1))()
        getattr(self._library, layout_symbol(number))(table)
        return list(table)[:count]

    def base_address(self) -> int:
        """Where the library's first byte is mapped; 0 when the platform does not tell."""
        return _mapped_at(self.path)


def _mapped_at(path: Path) -> int:
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return 0
    starts = [int(line.split("-")[0], 16) for line in lines if line.endswith(str(path))]
    return min(starts, default=0)


@lru_cache(maxsize=1)
def runtime_directory() -> Path:
    """The folder with the runtime's sources."""
    return Path(str(files("mkls") / "emulator" / "runtime"))


def load_runtime(toolchain: Toolchain, cache: Cache) -> ctypes.CDLL:
    """The runtime; it is loaded once a process, whatever toolchain asks for it."""
    with _lock:
        return _load_runtime(toolchain, cache)


_loaded: list[ctypes.CDLL] = []


def _load_runtime(toolchain: Toolchain, cache: Cache) -> ctypes.CDLL:
    if not _loaded:
        _load_mathematics()
        library = ctypes.CDLL(str(_runtime_library(toolchain, cache)), mode=ctypes.RTLD_GLOBAL)
        library.mkls_run.restype = ctypes.c_int
        library.mkls_run.argtypes = [ctypes.POINTER(Request), ctypes.POINTER(RawOutcome)]
        _declare_checked(library)
        _loaded.append(library)
    return _loaded[0]


def _declare_checked(library: ctypes.CDLL) -> None:
    size = ctypes.c_size_t
    library.mkls_checked_buffer.restype = ctypes.c_void_p
    library.mkls_checked_buffer.argtypes = [ctypes.c_int, size, size, size, ctypes.c_int]
    library.mkls_unwritten.restype = size
    library.mkls_unwritten.argtypes = [ctypes.c_int, size, size, size, ctypes.c_void_p]
    library.mkls_writer.restype = ctypes.c_uint32
    library.mkls_writer.argtypes = [ctypes.c_int, size, ctypes.c_void_p, ctypes.c_void_p]
    library.mkls_writers.argtypes = [ctypes.c_int, size, size, size, ctypes.c_void_p]
    library.mkls_slot_name.restype = ctypes.c_char_p
    library.mkls_slot_size.restype = size
    library.mkls_slot_item.restype = ctypes.c_uint32


def _load_mathematics() -> None:
    """Kernels call `sinf` and its like by name, so the C library's must be visible to all."""
    name = ctypes.util.find_library("m")
    if name:
        ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)


def _runtime_library(toolchain: Toolchain, cache: Cache) -> Path:
    folder = runtime_directory()
    sources = sorted(folder.glob("*.cc")) + sorted(folder.glob("*.h"))
    abi = include_directory() / "mkls" / "runtime.h"
    texts = [path.read_text() for path in (*sources, abi)]
    native = ("-march=native",) if supports_native(toolchain) else ()
    flags = (*_RUNTIME_FLAGS, *native)
    key = key_of(*toolchain.hosted, toolchain.version, toolchain.target, *flags, *texts)

    def build(output: Path) -> None:
        with tempfile.TemporaryDirectory(dir=cache.root) as scratch:
            object_file = Path(scratch) / "runtime.o"
            command = [
                *toolchain.hosted, *flags, "-I", str(include_directory()),
                "-c", str(folder / "runtime.cc"), "-o", str(object_file),
            ]  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise ToolchainError(f"building the emulator's runtime failed: {done.stderr}")
            link(toolchain, object_file, output)

    return cache.get_or_build(f"runtime-{key}.so", build)
