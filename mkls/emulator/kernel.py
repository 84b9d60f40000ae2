"""One kernel as a Python callable, with the conventions of `torch.mps.compile_shader`."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from mkls.emulator import launch
from mkls.emulator.checked_launch import Checked, CheckedLaunch, Checks
from mkls.emulator.device_errors import device_errors
from mkls.emulator.findings import Finding, Outcome
from mkls.emulator.kernel_builds import KernelBuilds
from mkls.emulator.kernel_table import Argument, KernelEntry
from mkls.emulator.launch_arguments import ArgCasts, BoundBuffer, bind, cast_of
from mkls.emulator.load import ArgumentLayout, RawOutcome, Request, load_runtime
from mkls.emulator.positions import Position
from mkls.emulator.program import CompiledKernel, Program
from mkls.emulator.reporter import Reporter
from mkls.emulator.settings import EmulatorSettings
from mkls.emulator.trampolines import Mode

THREAD_EXECUTION_WIDTH = 32


class KernelCrash(RuntimeError):  # noqa: N818  (a crash is what it is)
    """A kernel was stopped: it crashed or ran out of time."""


class Kernel:
    """One kernel. Calling it runs it, with torch's conventions."""

    def __init__(
        self,
        program: Program,
        entry: KernelEntry,
        settings: EmulatorSettings,
        findings: list[Finding],
    ) -> None:
        """Wrap `entry` of `program`; what checked runs find is added to `findings`."""
        self._program = program
        self._entry = entry
        self._settings = settings
        self._findings = findings
        self.name = entry.host_name
        self.function = entry.function

    @cached_property
    def position(self) -> Position:
        """Where the kernel is declared."""
        return self._program.source_map.position(self._entry.offset)

    @property
    def path(self) -> str:
        """The file that declares the kernel."""
        return self.position.path

    @property
    def line(self) -> int:
        """The line that declares the kernel."""
        return self.position.line

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The kernel's parameters, in order."""
        return self._entry.arguments

    @property
    def max_total_threads_per_threadgroup(self) -> int:
        """The largest threadgroup the kernel may be run with."""
        return self._entry.max_threads or launch.MAX_THREADS_PER_THREADGROUP

    @property
    def max_threads_per_threadgroup(self) -> int:
        """The same, under torch's name."""
        return self.max_total_threads_per_threadgroup

    @property
    def thread_execution_width(self) -> int:
        """Lanes of a simdgroup."""
        return THREAD_EXECUTION_WIDTH

    @property
    def mode(self) -> Mode:
        """How threads run: by themselves, in phases between their waits, or on fibers."""
        return self._program.compiled(self.name).mode

    @cached_property
    def _layouts(self) -> list[ArgumentLayout]:
        compiled = self._program.compiled(self.name)
        return compiled.library.layouts(compiled.number, len(self.arguments))

    def __call__(
        self,
        *args: object,
        threads: launch.SizeLike | None = None,
        group_size: launch.SizeLike | None = None,
        arg_casts: ArgCasts = None,
    ) -> None:
        """Run over `threads`; argument n is bound to buffer n.

        Raises KernelCrash, and ValueError or TypeError for a wrong call.
        """
        outcome = self.run(*args, threads=threads, group_size=group_size, arg_casts=arg_casts)
        if outcome.status != "completed":
            raise KernelCrash(outcome.message)

    def run(
        self,
        *args: object,
        threads: launch.SizeLike | None = None,
        group_size: launch.SizeLike | None = None,
        arg_casts: ArgCasts = None,
        threadgroup_memory: Mapping[int, int] | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Run, and say how it ended and what a checked build found.

        `seed` chooses the order in which the threads of a checked build run.
        """
        buffers = self._bind(args, arg_casts)
        elements = next((b.count for b in buffers if b and b.count is not None), None)
        shape = launch.geometry(
            threads, group_size, elements, self.max_total_threads_per_threadgroup
        )
        if 0 in shape.threads:
            return Outcome("completed", 0.0)
        memory = threadgroup_memory or {}
        outcome = self._launch(dict(enumerate(buffers)), shape, memory, seed)
        self._findings.extend(outcome.findings)
        return outcome

    def _bind(self, args: Sequence[object], arg_casts: ArgCasts) -> list[BoundBuffer | None]:
        wanted = {layout.kind for layout in self._layouts if layout.kind < launch.BUFFERS}
        missing = sorted(wanted - set(range(len(args))))
        names = self.buffer_names()
        if missing:
            listed = ", ".join(f"`{names[index]}` (buffer {index})" for index in missing)
            raise TypeError(f"kernel `{self.name}` misses {listed}; pass None for a nil buffer")
        if len(args) > launch.BUFFERS:
            raise TypeError(f"a kernel has at most {launch.BUFFERS} buffers, not {len(args)}")
        bound: list[BoundBuffer | None] = []
        for index, value in enumerate(args):
            name = names.get(index, str(index))
            try:
                bound.append(bind(value, cast_of(arg_casts, index, name)))
            except (TypeError, ValueError) as error:
                raise type(error)(
                    f"argument {index} (`{name}`) of `{self.name}`: {error}"
                ) from None
        return bound

    def buffer_names(self) -> dict[int, str]:
        """The argument's name for every buffer index."""
        return {index: argument.name for index, argument in self._buffer_arguments().items()}

    def _buffer_arguments(self) -> dict[int, Argument]:
        return {
            layout.kind: argument
            for argument, layout in zip(self.arguments, self._layouts, strict=True)
            if layout.kind < launch.BUFFERS
        }

    def _launch(
        self,
        buffers: Mapping[int, BoundBuffer | None],
        shape: launch.Geometry,
        threadgroup_memory: Mapping[int, int],
        seed: int,
    ) -> Outcome:
        program = self._program
        compiled = program.compiled(self.name)
        runtime = load_runtime(program.build.toolchain, program.cache)

        def request(build: CompiledKernel, bound: Mapping[int, BoundBuffer | None]) -> Request:
            made = self._request(build, bound, shape)
            launch.set_threadgroup_memory(made, self._threadgroup_sizes(threadgroup_memory))
            return made

        with launch.one_at_a_time:
            if program.build.checked:
                done = self._checked(CheckedLaunch(
                    runtime, compiled, KernelBuilds(program, self.name), request, self.position
                ), buffers, seed)  # fmt: skip
            else:
                reporter = Reporter(runtime, compiled.library, compiled.positions)
                done = Checked(launch.run(runtime, request(compiled, buffers)), reporter, ())
        status = launch.status_of(done.raw)
        message = "" if status == "completed" else self._stopped(done.raw, done.reporter)
        return Outcome(status, done.raw.seconds * 1000, done.findings, message)

    def _request(
        self,
        build: CompiledKernel,
        bound: Mapping[int, BoundBuffer | None],
        shape: launch.Geometry,
    ) -> Request:
        made = launch.request(build, shape, bound)
        made.cores = self._settings.cores or made.cores
        made.deadline_seconds = self._settings.deadline_seconds or 0.0
        return made

    def _checked(
        self, run: CheckedLaunch, buffers: Mapping[int, BoundBuffer | None], seed: int
    ) -> Checked:
        arguments = self._buffer_arguments()
        checks = Checks(seed, self._settings.schedules, self._settings.finite)
        done = run.run(buffers, arguments, checks)
        errors = device_errors(buffers, arguments, self.position)
        return done._replace(findings=done.findings + errors) if errors else done

    def _stopped(self, raw: RawOutcome, reporter: Reporter) -> str:
        frames = list(raw.stop.frames)[: raw.stop.frame_count]
        place = next(iter(reporter.call_chain(frames)), self.position)
        where = f"{place.path}:{place.line}:{place.column}"
        return f"{where}: kernel `{self.name}`: {launch.crash_message(raw.stop)}"

    def _threadgroup_sizes(self, asked: Mapping[int, int]) -> dict[int, int]:
        base = launch.THREADGROUP_KIND
        indices = [layout.kind - base for layout in self._layouts if 0 <= layout.kind - base < 32]
        share = launch.MAX_THREADGROUP_BYTES // max(len(indices), 1)
        return {index: asked.get(index, share) for index in indices}
