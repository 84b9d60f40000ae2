"""Rewritten text → shared library."""

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from mkls.emulator.cache import Cache, key_of
from mkls.emulator.shim import include_directory, shim_hash
from mkls.emulator.toolchain import Toolchain, ToolchainError, supports_native

_LANGUAGE = (
    "-std=c++17", "-fdeclspec", "-ffreestanding", "-nostdinc", "-nostdinc++",
    "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-fsigned-char",
    "-Xclang", "-cl-single-precision-constant", "-ffp-contract=off",
    "-Xclang", "-ffloat16-excess-precision=none",
    "-fPIC", "-fno-stack-protector", "-fno-omit-frame-pointer", "-fno-strict-aliasing",
    "-fwrapv", "-fno-strict-float-cast-overflow", "-Wno-everything", "-g1", "-gdwarf-4",
    "-fdebug-compilation-dir=/nonexistent",  # else files below the working directory lose it
)  # fmt: skip
_FAST = ("-O2", "-mllvm", "-disable-block-placement", "-fno-slp-vectorize", "-fno-math-errno")
_CHECKED = (
    "-O1",
    "-fno-math-errno",
    "-DMKLS_CHECKED=1",
    "-fsanitize=thread,array-bounds,integer-divide-by-zero,shift,alignment",
    "-fno-sanitize-trap=all",
    "-mllvm", "-tsan-instrument-func-entry-exit=0",
)  # fmt: skip
DIAGNOSTICS = (
    "-fno-caret-diagnostics", "-fno-color-diagnostics", "-ferror-limit=60",
    "-ftemplate-backtrace-limit=12", "-Xclang", "-fno-diagnostics-use-presumed-location",
)  # fmt: skip

_HEADERS = (
    "mkls/runtime.h",
    "metal_stdlib",
    "metal_logging",
    "mkls/kernel.h",
    "mkls/address_spaces.h",
)


class Build(msgspec.Struct, frozen=True):
    """How kernels are compiled: which language version, and whether for a checked run."""

    toolchain: Toolchain
    version_number: int
    checked: bool

    def flags(self) -> tuple[str, ...]:
        """The compiler's options, without inputs and outputs."""
        native = ("-march=native",) if supports_native(self.toolchain) else ()
        mode = _CHECKED if self.checked else _FAST
        return (
            *_LANGUAGE,
            *native,
            *mode,
            *("-Xclang", "-fno-pch-timestamp"),
            f"-D__METAL_VERSION__={self.version_number}",
            *("-I", str(include_directory())),
        )

    def key(self, *parts: str) -> str:
        """A cache key over everything that shapes the compiler's output."""
        toolchain = self.toolchain
        command = (*toolchain.kernel, "|", *toolchain.linker)
        return key_of(
            *command, toolchain.version, toolchain.target, shim_hash(), *self.flags(), *parts
        )


class CompilerOutputError(Exception):
    """The compiler refused the text; `output` is what it printed."""

    def __init__(self, output: str) -> None:
        """Keep `output`."""
        super().__init__(output)
        self.output = output


def compile_kernels(text: str, build: Build, cache: Cache) -> Path:
    """The shared library made from rewritten `text`. Raises CompilerOutputError."""
    header = precompiled_shim(build, cache)

    def build_library(output: Path) -> None:
        with tempfile.TemporaryDirectory(dir=cache.root) as scratch:
            object_file = Path(scratch) / "kernels.o"
            command = [
                *build.toolchain.kernel, *build.flags(), *DIAGNOSTICS,
                "-include-pch", str(header), "-x", "c++", "-c", "-", "-o", str(object_file),
            ]  # fmt: skip
            _compile(command, text)
            link(build.toolchain, object_file, output)

    return cache.get_or_build(f"kernels-{build.key(text)}.so", build_library)


def precompiled_shim(build: Build, cache: Cache) -> Path:
    """The shim's headers, read once for all kernels of a build."""
    umbrella = "".join(f"#include <{name}>\n" for name in _HEADERS)

    def build_header(output: Path) -> None:
        command = [
            *build.toolchain.kernel, *build.flags(), *DIAGNOSTICS,
            "-x", "c++-header", "-", "-o", str(output),
        ]  # fmt: skip
        _compile(command, umbrella)

    return cache.get_or_build(f"shim-{build.key(umbrella)}.pch", build_header)


def _compile(command: Sequence[str], text: str) -> None:
    try:
        done = subprocess.run(
            command, input=text.encode("utf-8", "surrogateescape"), capture_output=True, check=False
        )
    except OSError as error:
        raise ToolchainError(f"the compiler {command[0]} cannot be started: {error}") from error
    if done.returncode != 0:
        raise CompilerOutputError(done.stderr.decode("utf-8", "replace"))


def link(toolchain: Toolchain, object_file: Path, output: Path) -> None:
    """Make a shared library whose unknown symbols are the runtime's and the C library's."""
    command = [*toolchain.linker, str(object_file), "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ToolchainError(f"linking a kernel failed: {done.stderr.strip()}")
