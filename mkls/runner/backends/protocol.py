"""What every backend can do. Guard: tests/runner/contract."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mkls.runner.report import CompileProblem, Finding
from mkls.runner.request import KernelSpec

Bound = Any
"""What is bound to a buffer: a CPU tensor, bytes (constant memory), or None (a nil buffer)."""


class CompilationError(Exception):
    """The source does not compile; `problems` are in the user's text, the first is an error."""

    def __init__(self, problems: tuple[CompileProblem, ...]) -> None:
        """Hold `problems`."""
        super().__init__(problems[0].message if problems else "the source does not compile")
        self.problems = problems


class BackendUnavailableError(Exception):
    """The backend cannot run here; the message says what to do."""


@dataclass(frozen=True)
class Unit:
    """A source to compile: `files` are texts that win over the disk's, by absolute path.

    `seed` and `finite` are for checked runs: the order of threads, and whether NaN is told of.
    """

    path: str
    source: str
    include_dirs: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict[str, str])
    language_version: str | None = None
    seed: int = 0
    finite: bool = False


@dataclass(frozen=True)
class Launched:
    """How a launch ended: `status` is `completed`, `crashed` or `timed-out`."""

    status: str
    milliseconds: float
    findings: tuple[Finding, ...] = ()
    message: str = ""


class Program(Protocol):
    """A source whose kernels can be compiled and launched."""

    @property
    def specs(self) -> tuple[KernelSpec, ...]:
        """Its kernels in source order; empty when only the client can tell."""
        ...

    def compile(self, names: Sequence[str]) -> None:
        """Compile the kernels `names`. Raises CompilationError."""
        ...

    def launch(
        self,
        name: str,
        bound: Sequence[Bound],
        threads: Sequence[int],
        group_size: Sequence[int] | None,
    ) -> Launched:
        """Run kernel `name` with `bound[n]` at buffer n; tensors are changed in place."""
        ...


class Backend(Protocol):
    """A place where kernels run."""

    @property
    def name(self) -> str:
        """The name by which users choose it."""
        ...

    @property
    def checks_by_default(self) -> bool:
        """Whether runs are checked when nobody says so."""
        ...

    def open(self, unit: Unit, checked: bool, deadline_seconds: float) -> Program:
        """Read `unit`. Raises CompilationError or BackendUnavailableError."""
        ...
