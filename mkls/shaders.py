"""`mkls.compile_shader`: a drop-in for `torch.mps.compile_shader` on any machine."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkls.runner.report import CompileProblem

PROGRAM = "program_source"


def compile_shader(
    source: str,
    *,
    backend: str = "auto",
    check: bool = False,
    include_dirs: Iterable[str | Path] = (),
    language_version: str | None = None,
) -> Any:
    """Compile Metal `source`; the library's attributes are its kernels.

    On a Mac with a GPU this is `torch.mps.compile_shader`, with the headers of `include_dirs`
    embedded, unless `backend` is `emulator`. Elsewhere the arguments of kernels are CPU tensors
    and the emulator runs them. With `check`, the library's `findings` tell what was seen.
    `language_version` is 3.1, 3.2 or 4.0, for the emulator.

    Raises:
        SyntaxError: The source does not compile; line and column are those of `source`.
        RuntimeError: The backend cannot run here; the message says what to do.
        ValueError: There is no such backend or language version.
    """
    if backend not in ("auto", "mps", "emulator"):
        raise ValueError(f"unknown backend {backend!r}; there are auto, mps, emulator")
    folders = tuple(str(it) for it in include_dirs)
    if backend == "mps" or (backend == "auto" and _has_mps()):
        return _on_mps(source, folders, check)
    return _emulated(source, folders, check, language_version)


def _has_mps() -> bool:
    import torch

    return bool(torch.backends.mps.is_available())


def _emulated(source: str, folders: tuple[str, ...], check: bool, version: str | None) -> Any:
    from mkls.emulator.library import compile_source

    return compile_source(
        source,
        filename=PROGRAM,
        include_dirs=(*folders, *_installed_headers()),
        language_version=version,
        checked=check,
    )


def _installed_headers() -> tuple[str, ...]:
    import torch

    folder = Path(torch.__file__).parent / "include"
    return (str(folder),) if folder.is_dir() else ()


def _on_mps(source: str, folders: tuple[str, ...], check: bool) -> Any:
    if not _has_mps():
        raise RuntimeError("torch has no MPS device here; use backend='emulator'")
    from mkls.runner.backends.mps import compiled, embedded_unit
    from mkls.runner.backends.protocol import CompilationError, Unit

    embedded = embedded_unit(Unit(PROGRAM, source, (*folders, *_installed_headers())))
    try:
        library = compiled(embedded)
    except CompilationError as error:
        raise syntax_error(error.problems, source) from None
    if not check:
        return library
    from mkls.runner.backends.mps_checked import CheckedLibrary

    return CheckedLibrary(library, embedded)


def syntax_error(problems: "tuple[CompileProblem, ...]", source: str) -> SyntaxError:
    """Return the error for `problems` of `source`, at the first of them, with all notes."""
    first = problems[0]
    lines = source.split("\n")
    here = first.path == PROGRAM and first.line <= len(lines)
    text = lines[first.line - 1] if here else None
    return SyntaxError(_told(problems), (first.path, first.line, first.column, text))


def _told(problems: "tuple[CompileProblem, ...]") -> str:
    lines: list[str] = []
    for problem in problems:
        place = f"{problem.path}:{problem.line}:{problem.column}"
        lines.append(f"{place}: {problem.severity}: {problem.message}")
        lines += [f"{it.path}:{it.line}:{it.column}: note: {it.message}" for it in problem.notes]
    return "\n".join(lines)
