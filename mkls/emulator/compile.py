"""Rewritten text → shared library."""

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from mkls.emulator.cache import Cache, key_of
from mkls.emulator.phases.module import sources_hash, with_phases
from mkls.emulator.shim import include_directory, shim_hash
from mkls.emulator.toolchain import Toolchain, ToolchainError, supports_native
from mkls.emulator.trampolines import entry_symbol

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
_UNDEFINED = (
    "array-bounds,integer-divide-by-zero,shift,alignment,signed-integer-overflow,"
    "unsigned-integer-overflow,implicit-integer-truncation"
)
_DETAILED = (
    # Unoptimised: optimisers take what has no value for whatever suits them, and merge accesses.
    # `-O1` without its passes marks where the lives of variables begin, which `-O0` does not.
    "-O1", "-mllvm", "-opt-bisect-limit=0", "-mllvm", "-opt-bisect-verbose=false",
    "-fno-math-errno", "-DMKLS_CHECKED=1", f"-fsanitize={_UNDEFINED}", "-fno-sanitize-trap=all",
    "-Xclang", "-fsanitize=kernel-memory", "-Xclang", "-fsanitize-memory-track-origins=1",
    "-mllvm", "-msan-instrumentation-with-call-threshold=-1",
)  # fmt: skip
_SCREENING = (
    "-O1", "-fno-math-errno", "-DMKLS_CHECKED=2", f"-fsanitize=thread,{_UNDEFINED}",
    "-fno-sanitize-trap=all", "-mllvm", "-tsan-instrument-func-entry-exit=0",
)  # fmt: skip
DIAGNOSTICS = (
    "-fno-caret-diagnostics", "-fno-color-diagnostics", "-ferror-limit=60",
    "-ftemplate-backtrace-limit=12", "-Xclang", "-fno-diagnostics-use-presumed-location",
)  # fmt: skip

# Loops are left as they are until phases have made new ones around them.
_AS_MODULE = (
    "-S", "-emit-llvm", "-fno-vectorize", "-fno-unroll-loops",
    "-fdiscard-value-names", "-o", "-",
)  # fmt: skip

# Many conditions are the same for all threads: each way gets a loop of its own.
_FROM_MODULE = ("-x", "ir", "-mllvm", "-enable-nontrivial-unswitch")

_HEADERS = (
    "mkls/runtime.h",
    "metal_stdlib",
    "metal_logging",
    "mkls/kernel.h",
    "mkls/address_spaces.h",
)


class Build(msgspec.Struct, frozen=True):
    """How kernels are compiled: which language version, and for what kind of run.

    `detailed` shows every access and every value that nobody gave; `screening` is quick and tells
    only whether a detailed run has to look.
    """

    toolchain: Toolchain
    version_number: int
    purpose: Literal["speed", "detailed", "screening"] = "speed"

    @property
    def checked(self) -> bool:
        """Whether the kernels watch themselves."""
        return self.purpose != "speed"

    def flags(self) -> tuple[str, ...]:
        """The compiler's options, without inputs and outputs."""
        native = ("-march=native",) if supports_native(self.toolchain) else ()
        mode = {"speed": _FAST, "detailed": _DETAILED, "screening": _SCREENING}[self.purpose]
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


def compile_kernels(text: str, build: Build, cache: Cache, *, waiting: Sequence[int] = ()) -> Path:
    """The shared library made from rewritten `text`. Raises CompilerOutputError.

    The kernels with the numbers `waiting` are made to run in phases where that is possible.
    """
    header = precompiled_shim(build, cache)
    source = ["-include-pch", str(header), "-x", "c++", "-"]

    def build_library(output: Path) -> None:
        with tempfile.TemporaryDirectory(dir=cache.root) as scratch:
            object_file = Path(scratch) / "kernels.o"
            if waiting:
                module = _run(build, [*source, *_AS_MODULE], text)
                _compile_module(module, build, object_file, waiting)
            else:
                _run(build, [*source, "-c", "-o", str(object_file)], text)
            link(build.toolchain, object_file, output)

    how = [sources_hash(), *(str(number) for number in waiting)] if waiting else []
    key = build.key(text, *how)
    return cache.get_or_build(f"kernels-{key}.so", build_library)


def _compile_module(module: str, build: Build, output: Path, waiting: Sequence[int]) -> None:
    """Make an object file from optimised code, cut into phases where that is possible."""
    rest = [*_FROM_MODULE, "-c", "-", "-o", str(output)]
    entries = {number: entry_symbol(number) for number in waiting}
    try:
        _run(build, rest, with_phases(module, entries))
    except CompilerOutputError:
        _run(build, rest, module)


def _run(build: Build, arguments: Sequence[str], text: str) -> str:
    return _compile([*build.toolchain.kernel, *build.flags(), *DIAGNOSTICS, *arguments], text)


_LOOKED_AT = {
    "accesses": ("-fno-vectorize", "-fno-unroll-loops"),
    "overflows": (
        "-fno-vectorize", "-fno-unroll-loops", "-fno-sanitize-trap=all",
        "-fsanitize=signed-integer-overflow,unsigned-integer-overflow,implicit-integer-truncation",
    ),
    "copies": ("-O0",),
}  # fmt: skip


def intermediate_code(
    text: str, build: Build, cache: Cache, why: Literal["accesses", "overflows", "copies"]
) -> str:
    """The compiler's own form of rewritten `text`, to look something up in.

    Raises CompilerOutputError.
    """

    def build_code(output: Path) -> None:
        headers = [part for name in _HEADERS for part in ("-include", name)]
        command = [
            *build.toolchain.kernel, *build.flags(), *_LOOKED_AT[why], "-S", "-emit-llvm",
            *DIAGNOSTICS, *headers, "-x", "c++", "-", "-o", str(output),
        ]  # fmt: skip
        _compile(command, text)

    return cache.get_or_build(
        f"code-{build.key(text, *_LOOKED_AT[why])}.ll", build_code
    ).read_text()


def precompiled_shim(build: Build, cache: Cache) -> Path:
    """The shim's headers, read once for all kernels of a build."""
    umbrella = "".join(f"#include <{name}>\n" for name in _HEADERS)

    def build_header(output: Path) -> None:
        _run(build, ["-x", "c++-header", "-", "-o", str(output)], umbrella)

    return cache.get_or_build(f"shim-{build.key(umbrella)}.pch", build_header)


def _compile(command: Sequence[str], text: str) -> str:
    try:
        done = subprocess.run(
            command, input=text.encode("utf-8", "surrogateescape"), capture_output=True, check=False
        )
    except OSError as error:
        raise ToolchainError(f"the compiler {command[0]} cannot be started: {error}") from error
    if done.returncode != 0:
        raise CompilerOutputError(done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8", "surrogateescape")


def link(toolchain: Toolchain, object_file: Path, output: Path) -> None:
    """Make a shared library whose unknown symbols are the runtime's and the C library's."""
    command = [*toolchain.linker, str(object_file), "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ToolchainError(f"linking a kernel failed: {done.stderr.strip()}")
