"""Ask the compiler's front end about one source (worker side)."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from mkls.emulator.errors import Problem
from mkls.emulator.front_end import Verdict, examine
from mkls.emulator.toolchain import ToolchainError
from mkls.runner.backends.overlay import Overlay
from mkls.runner.backends.protocol import Unit
from mkls.runner.report import CompileProblem, Place
from mkls.runner.request import RunRequest


@dataclass(frozen=True)
class Examination:
    """What the front end says: `problems` of the user's, or `gaps`, for which it says nothing.

    `missing` says why no compiler could be asked, empty when one was.
    """

    problems: tuple[CompileProblem, ...] = ()
    gaps: tuple[CompileProblem, ...] = ()
    missing: str = ""


def examination(request: RunRequest) -> Examination:
    """Examine the source of `request`, its unsaved headers included."""
    folders = (*request.include_dirs, *_torch_headers())
    overlay = Overlay(Unit(request.path, request.source, folders, request.overlay))
    try:
        verdict = examine(
            request.source, overlay.path, overlay.include_dirs, request.language_version
        )
    except ToolchainError as error:
        return Examination(missing=str(error))
    return _examination(verdict, overlay)


def _torch_headers() -> tuple[str, ...]:
    """The include folder of the installed torch, which is not imported for it."""
    spec = find_spec("torch")
    locations = spec.submodule_search_locations if spec else None
    return (str(Path(locations[0]) / "include"),) if locations else ()


def _examination(verdict: Verdict, overlay: Overlay) -> Examination:
    def users(problem: Problem) -> CompileProblem:
        original = overlay.original
        notes = (Place(original(it.path), it.line, it.column, it.message) for it in problem.notes)
        place = (original(problem.path), problem.line, problem.column)
        return CompileProblem(*place, problem.severity, problem.message, tuple(notes))

    return Examination(
        tuple(users(it) for it in verdict.problems), tuple(users(it) for it in verdict.gaps)
    )
