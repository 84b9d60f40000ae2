"""What plans have in common (worker side)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from mkls.runner.backends.protocol import Bound
from mkls.runner.comparison import Verdict
from mkls.runner.report import Output
from mkls.runner.request import KernelSpec


@dataclass(frozen=True)
class Judgement:
    """What was found in the outputs; nothing was compared when there are no `verdicts`."""

    verdicts: tuple[Verdict, ...] = ()
    outputs: tuple[Output, ...] = ()
    message: str = ""


@dataclass(frozen=True)
class Prepared:
    """A launch ready to go; `judge` looks at the outputs afterwards.

    What goes wrong with a launch that is `guessed` may be the guess's fault, not the kernel's.
    """

    bound: list[Bound]
    threads: Sequence[int]
    group_size: Sequence[int] | None
    judge: Callable[[], Judgement]
    ignored_findings: frozenset[str] = field(default_factory=frozenset[str])
    guessed: bool = False


@dataclass(frozen=True)
class PlannedCase:
    """One run of a kernel; `prepare` makes its tensors. It may raise `CannotPrepareError`."""

    label: str
    layout: str
    dtype: str
    prepare: Callable[[], Prepared]


class CannotPrepareError(Exception):
    """A case without inputs: the message says what the author can do."""


class Plan(Protocol):
    """All runs of one kernel."""

    @property
    def spec(self) -> KernelSpec:
        """The kernel."""
        ...

    @property
    def functor(self) -> str:
        """The name of the functor that it applies, empty for a kernel that applies none."""
        ...

    def cases(self) -> list[PlannedCase]:
        """Return its cases, the plainest first."""
        ...
