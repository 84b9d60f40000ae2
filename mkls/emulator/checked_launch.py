"""A checked launch: screened when it is large, in detail otherwise, and in several orders."""

import ctypes
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

import msgspec

from mkls.emulator import launch
from mkls.emulator.elementwise import Access
from mkls.emulator.elementwise_launch import stays_within, touched
from mkls.emulator.findings import Finding
from mkls.emulator.guarded_arguments import GuardedArguments
from mkls.emulator.kernel_table import Argument
from mkls.emulator.launch_arguments import BoundBuffer, without_content
from mkls.emulator.load import RawOutcome, Request
from mkls.emulator.output_checks import not_finite, unwritten_outputs
from mkls.emulator.positions import Position
from mkls.emulator.program import CompiledKernel
from mkls.emulator.reporter import Reporter
from mkls.emulator.schedules import Snapshot, schedule_dependent, snapshot_of

_DETAILED, _SCREENING = 1, 2
_SUSPICIOUS = 4
LARGE = 1 << 16
"""Threads above which a launch is first looked over quickly."""
_LARGE_WITH_ORDER = 1 << 18
"""Threads up to which a launch with atomic operations is run in several orders."""
_SAMPLE = 1 << 13
"""Threads of a large launch that are watched in detail all the same."""
_LEAST_SECONDS, _LONGER = 0.5, 20
"""How long another order of threads may take: seconds, and times the first order's."""
_WATCHED_GROUPS = 3


class Checks(msgspec.Struct, frozen=True):
    """What a checked run looks for besides what is always wrong, and in how many orders."""

    seed: int = 0
    schedules: int = 3
    finite: bool = False


class Checked(NamedTuple):
    """How the launch ended, with the reporter that knows its places, and what was found."""

    raw: RawOutcome
    reporter: Reporter
    findings: tuple[Finding, ...]


class Builds(Protocol):
    """The other builds of the kernel, made when they are asked for."""

    def may_run_alone(self) -> bool:
        """Whether no thread waits for another."""
        ...

    def screening(self) -> CompiledKernel | None:
        """The one that is looked over quickly; None when threads wait for each other."""
        ...

    def fast(self) -> CompiledKernel:
        """The one without checks."""
        ...

    def accesses(self) -> tuple[Access, ...] | None:
        """What a thread accesses, where that is plain."""
        ...

    def address_overflows(self) -> frozenset[Position]:
        """Where numbers are computed that become part of an address."""
        ...

    def copy_alignments(self) -> Mapping[Position, int]:
        """How the types want to be aligned that are copied at a place."""
        ...


class CheckedLaunch:
    """One launch of one kernel, run as often as it takes to judge it."""

    def __init__(
        self,
        runtime: ctypes.CDLL,
        detailed: CompiledKernel,
        builds: "Builds",
        request: Callable[[CompiledKernel, Mapping[int, BoundBuffer | None]], Request],
        fallback: Position,
    ) -> None:
        """Prepare to run `detailed`; `request` makes a launch of a build with its arguments."""
        self._runtime = runtime
        self._detailed = detailed
        self._builds = builds
        self._request = request
        self._fallback = fallback

    def run(
        self,
        buffers: Mapping[int, BoundBuffer | None],
        arguments: Mapping[int, Argument],
        checks: Checks,
    ) -> Checked:
        """Run and judge. Raises MemoryError."""
        buffers = _with_content(buffers, arguments)
        guarded = GuardedArguments(self._runtime, buffers, arguments)
        made = self._request(self._detailed, guarded.bound)
        if _threads(made) > LARGE:
            done = None if checks.finite else self._elementwise(guarded, buffers, made)
            done = done or self._screened(guarded, checks)
            if done is not None:
                return done
        result = self._in_detail(guarded, checks, checks.seed, 1)
        if checks.schedules < 2 or not _depends_on_order(result):
            guarded.copy_back()
            return result
        contents = guarded.contents()
        result = self._other_schedules(guarded, checks, result)
        guarded.copy_back(contents)
        return result

    def _elementwise(
        self,
        guarded: GuardedArguments,
        buffers: Mapping[int, BoundBuffer | None],
        made: Request,
    ) -> Checked | None:
        """The result of a launch whose every access is known beforehand, and right.

        Some of its threads are watched all the same, for what is no matter of addresses.
        """
        if made.launch.grid[0] != _threads(made) or not self._builds.may_run_alone():
            return None
        accesses = self._builds.accesses()
        if accesses is None or not stays_within(accesses, buffers, made.launch.grid[0]):
            return None
        stride = max(2, -(-made.launch.groups[0] // _WATCHED_GROUPS))
        guarded.fill(parts=touched(accesses, made.launch, stride))
        sample = self._judged(guarded, Checks(schedules=1), 0, stride)
        if sample.findings or sample.raw.status:
            return None
        build = self._builds.fast()
        raw = launch.run(self._runtime, self._request(build, buffers))
        return Checked(raw, self._reporter(build), ())

    def _screened(self, guarded: GuardedArguments, checks: Checks) -> Checked | None:
        """The result of a launch that shows nothing at a glance; None where one has to look."""
        build = self._builds.screening()
        if build is None:
            return None
        stride = max(2, _threads(self._request(build, guarded.bound)) // _SAMPLE)
        sample = self._in_detail(guarded, Checks(), 0, stride)
        if sample.findings or sample.raw.status:
            return None
        guarded.fill(screening=True)
        raw = self._launch(build, guarded, _SCREENING, 0, 1)
        if raw.status == _SUSPICIOUS or launch.status_of(raw) == "crashed":
            return None
        if raw.saw_atomics and _threads(self._request(build, guarded.bound)) <= _LARGE_WITH_ORDER:
            return None
        reporter = self._reporter(build)
        if checks.finite and not_finite(guarded, reporter, self._fallback):
            return None
        found = unwritten_outputs(self._runtime, guarded, self._fallback)
        guarded.copy_back()
        return Checked(raw, reporter, () if raw.status else found)

    def _in_detail(
        self, guarded: GuardedArguments, checks: Checks, seed: int, stride: int
    ) -> Checked:
        guarded.fill()
        return self._judged(guarded, checks, seed, stride)

    def _judged(
        self,
        guarded: GuardedArguments,
        checks: Checks,
        seed: int,
        stride: int,
        limit: float = 0.0,
    ) -> Checked:
        raw = self._launch(self._detailed, guarded, _DETAILED, seed, stride, limit)
        reporter = self._reporter(self._detailed)
        found = self._worth_telling(reporter.findings(guarded.memories, self._fallback))
        if stride == 1 and not raw.status:
            found += unwritten_outputs(self._runtime, guarded, self._fallback)
            if checks.finite:
                found += not_finite(guarded, reporter, self._fallback)
        return Checked(raw, reporter, found)

    def _other_schedules(
        self, guarded: GuardedArguments, checks: Checks, first: Checked
    ) -> Checked:
        before = snapshot_of(self._runtime, guarded)
        for turn in range(1, checks.schedules):
            limit = max(_LEAST_SECONDS, _LONGER * first.raw.seconds)
            guarded.fill()
            other = self._judged(guarded, Checks(), checks.seed + turn, 1, limit)
            if launch.status_of(other.raw) == "timed-out":
                continue  # threads that wait for earlier ones: no order that a GPU promises
            if other.findings or other.raw.status:
                return Checked(first.raw, other.reporter, first.findings + other.findings)
            after: Snapshot = snapshot_of(self._runtime, guarded)
            found = schedule_dependent(before, after, guarded, other.reporter, self._fallback)
            if found:
                return Checked(first.raw, other.reporter, first.findings + found)
        return first

    def _launch(
        self,
        build: CompiledKernel,
        guarded: GuardedArguments,
        checked: int,
        seed: int,
        stride: int,
        limit: float = 0.0,
    ) -> RawOutcome:
        made = self._request(build, guarded.bound)
        made.checked, made.seed, made.stride = checked, seed, stride
        if limit:
            made.deadline_seconds = min(made.deadline_seconds or limit, limit)
        return launch.run(self._runtime, made)

    def _worth_telling(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """A number that wraps is a mistake where it becomes part of an address."""
        if not any(f.kind == "integer-overflow" for f in findings):
            return findings
        places = self._builds.address_overflows()
        return tuple(
            f
            for f in findings
            if f.kind != "integer-overflow" or Position(f.path, f.line, f.column) in places
        )

    def _reporter(self, build: CompiledKernel) -> Reporter:
        return Reporter(self._runtime, build.library, build.positions, self._builds.copy_alignments)


def _threads(made: Request) -> int:
    x, y, z = made.launch.grid
    return x * y * z


def _depends_on_order(result: Checked) -> bool:
    """Without atomic operations threads meet at barriers only: no order can show.

    Where something is wrong already, another order tells nothing more.
    """
    return not result.raw.status and bool(result.raw.saw_atomics) and not result.findings


def _with_content(
    buffers: Mapping[int, BoundBuffer | None], arguments: Mapping[int, Argument]
) -> dict[int, BoundBuffer | None]:
    """The buffers, those marked that a kernel may write and that hold nothing yet."""
    marked = dict(buffers)
    for index, buffer in buffers.items():
        argument = arguments.get(index)
        if buffer is None or argument is None or argument.access == "read" or buffer.undefined:
            continue
        if without_content(buffer):
            marked[index] = msgspec.structs.replace(buffer, undefined=True)
    return marked
