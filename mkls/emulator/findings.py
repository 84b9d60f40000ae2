"""What a checked run saw, in the user's terms."""

import msgspec


class Related(msgspec.Struct, frozen=True):
    """Another place that a finding involves."""

    path: str
    line: int
    column: int
    message: str


class Finding(msgspec.Struct, frozen=True):
    """One defect that a run showed; equal ones are counted, not repeated.

    `kind` is one of the kinds of the run's JSON; `thread` and `threadgroup` are positions in the
    grid, `lane` counts within the thread's simdgroup; `index` and `length` count elements of the
    argument `argument` at buffer `buffer`.
    """

    kind: str
    message: str
    path: str
    line: int
    column: int
    thread: tuple[int, int, int]
    threadgroup: tuple[int, int, int]
    buffer: int | None = None
    argument: str | None = None
    index: int | None = None
    length: int | None = None
    count: int = 1
    related: tuple[Related, ...] = ()
    lane: int | None = None


class Outcome(msgspec.Struct, frozen=True):
    """How one launch ended: `status` is `completed`, `crashed` or `timed-out`.

    `milliseconds` is the time the threadgroups took, without compiling and binding.
    """

    status: str
    milliseconds: float
    findings: tuple[Finding, ...] = ()
    message: str = ""
