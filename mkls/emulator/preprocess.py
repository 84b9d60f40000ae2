"""The user's text after the C preprocessor: macros expanded, includes pasted, lines marked."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from mkls.emulator.cache import Cache
from mkls.emulator.errors import CompileError, problems_of_preprocessor
from mkls.emulator.shim import empty_headers, include_directory
from mkls.emulator.toolchain import Toolchain

LANGUAGE_VERSIONS = {"3.0": 300, "3.1": 310, "3.2": 320, "4.0": 400}
DEFAULT_LANGUAGE_VERSION = "3.2"


def version_number(language_version: str | None) -> int:
    """`3.1` → 310. Raises ValueError for a version that does not exist."""
    version = language_version or DEFAULT_LANGUAGE_VERSION
    if version not in LANGUAGE_VERSIONS:
        known = ", ".join(LANGUAGE_VERSIONS)
        raise ValueError(f"no Metal language version {version!r}; there are {known}")
    return LANGUAGE_VERSIONS[version]


def preprocess(
    source: str,
    filename: str,
    toolchain: Toolchain,
    cache: Cache,
    include_dirs: Sequence[str | Path] = (),
    language_version: str | None = None,
) -> str:
    """The preprocessed text of `source`, in which line markers name `filename` and its headers.

    System headers are empty here: the shim's declarations come in when the text is compiled, its
    macros that code asks about in `#if` already now. Raises CompileError.
    """
    shim = include_directory()
    here = Path(filename)
    command = [
        *toolchain.kernel,
        *("-E", "-x", "c++", "-std=c++17", "-nostdinc", "-nostdinc++", "-w"),
        f"-D__METAL_VERSION__={version_number(language_version)}",
        *("-imacros", str(shim / "metal_config")),
        *(("-iquote", str(here.parent)) if here.is_file() else ()),
        *("-I", str(empty_headers(cache))),
        *(flag for folder in include_dirs for flag in ("-I", str(folder))),
        "-",
    ]
    text = f'# 1 "{_quoted(filename)}"\n{source}'
    done = subprocess.run(
        command, input=text.encode("utf-8", "surrogateescape"), capture_output=True, check=False
    )
    if done.returncode != 0:
        message = done.stderr.decode("utf-8", "replace")
        raise CompileError(problems_of_preprocessor(message, filename), source, filename)
    return done.stdout.decode("utf-8", "surrogateescape")


def _quoted(path: str) -> str:
    return path.replace("\\", "\\\\").replace('"', '\\"')
