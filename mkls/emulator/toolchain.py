"""The C++ compiler that builds kernels: the `ziglang` wheel, or a clang that the user names."""

import importlib.util
import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from mkls.emulator.settings import EmulatorSettings

MINIMUM_CLANG = 16
_HELP = (
    "install the compiler with `pip install ziglang`, "
    "or name a clang++ (16 or newer) in the variable MKLS_CXX"
)


class ToolchainError(RuntimeError):
    """No compiler that can build kernels; the message says what to do."""


class Toolchain(msgspec.Struct, frozen=True):
    """How to call the compiler.

    `kernel` compiles and preprocesses freestanding code, `hosted` compiles the runtime against the
    platform's C headers, `linker` makes a shared library from one object. `version` is the
    compiler's own line, `target` the processor that `-march=native` means.
    """

    kernel: tuple[str, ...]
    hosted: tuple[str, ...]
    linker: tuple[str, ...]
    version: str
    description: str
    target: str


def find_toolchain(settings: EmulatorSettings | None = None) -> Toolchain:
    """The compiler to use. Raises ToolchainError when there is none, or one that is too old."""
    named = (settings.compiler if settings else None) or os.environ.get("MKLS_CXX", "")
    return _named(named) if named else _bundled()


@lru_cache(maxsize=8)
def _named(command: str) -> Toolchain:
    words = tuple(shlex.split(command))
    version = _version(words, f"the compiler `{command}`")
    return Toolchain(
        kernel=words,
        hosted=words,
        linker=(*words, *_shared_flags()),
        version=version,
        description=f"{version} ({command})",
        target=_native_target(words),
    )


@lru_cache(maxsize=1)
def _bundled() -> Toolchain:
    found = importlib.util.find_spec("ziglang")
    locations = found.submodule_search_locations if found else None
    if not locations:
        raise ToolchainError(f"no compiler for Metal kernels was found: {_HELP}")
    zig = str(Path(locations[0]) / ("zig.exe" if sys.platform == "win32" else "zig"))
    version = _version((zig, "clang"), "the ziglang wheel")
    macos = sys.platform == "darwin"
    linker = (zig, "c++", *_shared_flags()) if macos else (zig, "ld.lld", "-shared")
    return Toolchain(
        kernel=(zig, "clang"),
        hosted=(zig, "c++"),
        linker=linker,
        version=version,
        description=f"{version} (ziglang wheel, {zig})",
        target=_native_target((zig, "clang")),
    )


def _shared_flags() -> tuple[str, ...]:
    if sys.platform == "darwin":
        return ("-dynamiclib", "-nostdlib", "-undefined", "dynamic_lookup")
    return ("-shared", "-nostdlib")


def _version(command: Sequence[str], what: str) -> str:
    try:
        done = subprocess.run(
            [*command, "--version"], capture_output=True, text=True, check=False, timeout=60
        )
    except OSError as error:
        raise ToolchainError(f"{what} cannot be started ({error.strerror}): {_HELP}") from error
    line = done.stdout.splitlines()[0] if done.stdout else ""
    found = re.search(r"clang version (\d+)", line)
    if found is None:
        raise ToolchainError(f"{what} is no clang (it says `{line}`): {_HELP}")
    if int(found.group(1)) < MINIMUM_CLANG:
        raise ToolchainError(f"{what} is too old (`{line}`): {_HELP}")
    return line


def _native_target(command: Sequence[str]) -> str:
    """The processor that code is built for, as part of the cache's keys."""
    done = subprocess.run(
        [*command, "-###", "-march=native", "-x", "c++", "-c", os.devnull],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    processor = re.search(r'"-target-cpu" "([^"]+)"', done.stderr)
    return f"{platform.machine()}-{processor.group(1) if processor else 'generic'}"


def supports_native(toolchain: Toolchain) -> bool:
    """Whether `-march=native` is understood."""
    return not toolchain.target.endswith("-generic")
