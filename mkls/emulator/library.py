"""Kernels as Python callables: what `torch.mps.compile_shader` returns, on the CPU."""

from collections.abc import Sequence
from pathlib import Path

from mkls.emulator.findings import Finding
from mkls.emulator.function_constants import Values
from mkls.emulator.kernel import Kernel
from mkls.emulator.program import Program, SourceOptions, open_program
from mkls.emulator.settings import EmulatorSettings


class Library:
    """The kernels of one source, as attributes; `findings` grows with every checked run."""

    def __init__(self, program: Program, settings: EmulatorSettings) -> None:
        """Offer the kernels of `program`."""
        self._program = program
        self._settings = settings
        self._kernels: dict[str, Kernel] = {}
        self.findings: list[Finding] = []

    @property
    def checked(self) -> bool:
        """Whether this is a checked build."""
        return self._program.build.checked

    def host_names(self) -> tuple[str, ...]:
        """Every kernel's host name, in source order."""
        return tuple(self._program.unit.kernels)

    def kernel(self, name: str) -> Kernel:
        """The kernel called `name`. Raises KeyError."""
        if name not in self._kernels:
            entry = self._program.unit.kernels[name]
            self._kernels[name] = Kernel(self._program, entry, self._settings, self.findings)
        return self._kernels[name]

    def __getattr__(self, name: str) -> Kernel:
        """The kernel called `name`. Raises AttributeError."""
        if name.startswith("__") or "_program" not in self.__dict__:  # copying asks before __init__
            raise AttributeError(name)
        try:
            return self.kernel(name)
        except KeyError:
            raise AttributeError(f"the library has no kernel `{name}`") from None

    def __dir__(self) -> list[str]:
        """The kernels' host names."""
        return [*self.host_names()]


def compile_source(  # noqa: PLR0913  (each option is one choice of the caller)
    source: str,
    *,
    filename: str = "program_source",
    include_dirs: Sequence[str | Path] = (),
    language_version: str | None = None,
    kernels: Sequence[str] | None = None,
    checked: bool = False,
    settings: EmulatorSettings | None = None,
    function_constants: Values | None = None,
) -> Library:
    """Compile `source`, whose positions are reported as those of `filename`.

    `kernels` are compiled now, all of them without it, none when it is empty; the others follow
    when they are first used. Raises CompileError, ToolchainError, ValueError for a language
    version that does not exist, and KeyError for a kernel that the source does not make.
    """
    settings = settings or EmulatorSettings()
    options = SourceOptions(filename, tuple(include_dirs), language_version, checked)
    program = open_program(source, options, settings, function_constants or {})
    known = program.unit.kernels
    wanted = list(known) if kernels is None else list(kernels)
    for name in wanted:
        if name not in known:
            raise KeyError(f"the source makes no kernel `{name}`")
    if wanted or kernels is None:
        program.compile(wanted)
    return Library(program, settings)
