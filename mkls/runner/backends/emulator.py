"""Kernels on the CPU."""

from collections.abc import Sequence

from mkls.emulator.errors import CompileError
from mkls.emulator.findings import Finding as EmulatorFinding
from mkls.emulator.library import Library, compile_source
from mkls.emulator.settings import EmulatorSettings
from mkls.emulator.toolchain import ToolchainError
from mkls.runner.backends.overlay import Overlay
from mkls.runner.backends.protocol import (
    BackendUnavailableError,
    Bound,
    CompilationError,
    Launched,
    Unit,
)
from mkls.runner.report import CompileProblem, Finding, Place
from mkls.runner.request import Argument, KernelSpec


class EmulatorBackend:
    """Compiles kernels for the CPU; a checked build observes every access."""

    name = "emulator"
    checks_by_default = True

    def open(self, unit: Unit, checked: bool, deadline_seconds: float) -> "EmulatorProgram":
        """Preprocess `unit` and read its kernels."""
        settings = EmulatorSettings(deadline_seconds=deadline_seconds, finite=unit.finite)
        return EmulatorProgram(unit, checked, settings)


class EmulatorProgram:
    """The kernels of one unit."""

    def __init__(self, unit: Unit, checked: bool, settings: EmulatorSettings) -> None:
        """Preprocess `unit`; compile nothing yet."""
        self._unit = unit
        self._checked = checked
        self._settings = settings
        self._overlay = Overlay(unit)
        self._library = self._compiled(())
        self._specs = tuple(self._spec(name) for name in self._library.host_names())

    @property
    def specs(self) -> tuple[KernelSpec, ...]:
        """Its kernels in source order."""
        return self._specs

    def compile(self, names: Sequence[str]) -> None:
        """Compile the kernels `names` together."""
        self._library = self._compiled(tuple(names))

    def launch(
        self,
        name: str,
        bound: Sequence[Bound],
        threads: Sequence[int],
        group_size: Sequence[int] | None,
    ) -> Launched:
        """Run kernel `name`."""
        kernel = self._library.kernel(name)
        outcome = kernel.run(
            *bound, threads=list(threads), group_size=group_size, seed=self._unit.seed
        )
        findings = tuple(self._finding(it) for it in outcome.findings)
        message = self._overlay.in_text(outcome.message)
        return Launched(outcome.status, outcome.milliseconds, findings, message)

    def _compiled(self, names: tuple[str, ...]) -> Library:
        try:
            return compile_source(
                self._unit.source,
                filename=self._overlay.path,
                include_dirs=self._overlay.include_dirs,
                language_version=self._unit.language_version,
                kernels=names,
                checked=self._checked,
                settings=self._settings,
            )
        except CompileError as error:
            raise CompilationError(self._problems(error)) from None
        except ToolchainError as error:
            raise BackendUnavailableError(str(error)) from error

    def _spec(self, name: str) -> KernelSpec:
        kernel = self._library.kernel(name)
        arguments = tuple(
            Argument(it.name, it.type, it.kind, it.index, it.access, it.attribute)
            for it in kernel.arguments
        )
        path = self._overlay.original(kernel.path)
        return KernelSpec(name, kernel.function, path, kernel.line, arguments)

    def _problems(self, error: CompileError) -> tuple[CompileProblem, ...]:
        original = self._overlay.original
        return tuple(
            CompileProblem(
                original(it.path),
                it.line,
                it.column,
                it.severity,
                it.message,
                tuple(Place(original(n.path), n.line, n.column, n.message) for n in it.notes),
            )
            for it in error.problems
        )

    def _finding(self, found: EmulatorFinding) -> Finding:
        original = self._overlay.original
        return Finding(
            kind=found.kind,
            message=found.message,
            path=original(found.path),
            line=found.line,
            column=found.column,
            thread=tuple(found.thread),
            threadgroup=tuple(found.threadgroup),
            buffer=found.buffer,
            argument=found.argument,
            index=found.index,
            length=found.length,
            count=found.count,
            lane=found.lane,
            related=tuple(
                Place(original(it.path), it.line, it.column, it.message) for it in found.related
            ),
        )
