"""What came of a run: the JSON of `mkls run`. Standard library only: the worker imports this."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A place that takes part in a finding or an error; lines and columns count from 1."""

    path: str
    line: int
    column: int
    message: str


@dataclass(frozen=True)
class Finding:
    """Something that the checked build, the validation layer or the kernel itself reported."""

    kind: str
    message: str
    path: str = ""
    line: int = 0
    column: int = 0
    thread: tuple[int, ...] | None = None
    threadgroup: tuple[int, ...] | None = None
    buffer: int | None = None
    argument: str | None = None
    index: int | None = None
    length: int | None = None
    count: int = 1
    related: tuple[Place, ...] = ()
    lane: int | None = None


@dataclass(frozen=True)
class CompileProblem:
    """One message of the compiler, in the user's own text."""

    path: str
    line: int
    column: int
    severity: str
    message: str
    notes: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Mismatch:
    """Where an output first differs; numbers are text, since NaN and infinities are no JSON."""

    argument: str
    index: tuple[int, ...]
    expected: str
    got: str
    count: int
    total: int


@dataclass(frozen=True)
class Output:
    """What a kernel without expectation wrote: shape, dtype, first values and a summary."""

    argument: str
    summary: str


@dataclass(frozen=True)
class Run:
    """One kernel on one case.

    `outcome` is passed, mismatched, finding, compile-error, timed-out, crashed or skipped.
    `dtype` is the name of the input's dtype, `layout` what the case is about. `verified` says
    whether anything was compared, `stopped_at` where a kernel was that crashed or went on forever.
    """

    kernel: str
    case: str
    outcome: str
    milliseconds: float = 0.0
    max_abs_error: float | None = None
    max_ulp: int | None = None
    findings: tuple[Finding, ...] = ()
    message: str = ""
    path: str = ""
    line: int = 0
    functor: str = ""
    dtype: str = ""
    layout: str = ""
    verified: bool = False
    mismatch: Mismatch | None = None
    problems: tuple[CompileProblem, ...] = ()
    outputs: tuple[Output, ...] = ()
    stopped_at: Place | None = None


@dataclass(frozen=True)
class Report:
    """Everything that one request came to."""

    backend: str
    file: str
    runs: tuple[Run, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Whether nothing has to be mended."""
        return all(run.outcome in ("passed", "skipped") for run in self.runs)
