"""One source on its way to machine code, kernel by kernel."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mkls.emulator.cache import Cache, open_cache
from mkls.emulator.compile import Build, CompilerOutputError, compile_kernels
from mkls.emulator.errors import CompileError, problems_of_compiler
from mkls.emulator.function_constants import Values
from mkls.emulator.load import KernelLibrary, load_runtime
from mkls.emulator.positions import SourceMap
from mkls.emulator.preprocess import preprocess, version_number
from mkls.emulator.rewrite import TranslationUnit
from mkls.emulator.rewritten_positions import RewrittenPositions
from mkls.emulator.settings import EmulatorSettings
from mkls.emulator.toolchain import find_toolchain
from mkls.emulator.trampolines import Mode


class SourceOptions(NamedTuple):
    """What belongs to a source besides its text."""

    filename: str
    include_dirs: tuple[str | Path, ...]
    language_version: str | None
    checked: bool


class Program:
    """One source: preprocessed and read once, compiled kernel by kernel as they are asked for."""

    def __init__(
        self, source_map: SourceMap, source: str, build: Build, cache: Cache, constants: Values
    ) -> None:
        """Read the preprocessed text of `source`."""
        self.unit = TranslationUnit(source_map.text)
        self.source_map = source_map
        self.build = build
        self.cache = cache
        self._source = source
        self._constants = constants
        self._numbers = self.unit.numbers()
        self._compiled: dict[str, CompiledKernel] = {}

    def compile(self, names: Sequence[str]) -> None:
        """Compile the kernels `names` together. Raises CompileError."""
        checked = self.build.checked
        edited = self.unit.rewritten(set(names), self._constants, cooperative=checked)
        waiting = [] if checked else [n for n in names if self.unit.mode(n) == "phased"]
        positions = RewrittenPositions(edited, self.source_map)
        try:
            numbers = [self._numbers[name] for name in waiting]
            path = compile_kernels(edited.text, self.build, self.cache, waiting=numbers)
        except CompilerOutputError as error:
            problems = problems_of_compiler(
                error.output, positions.locate, self.source_map.filename
            )
            raise CompileError(problems, self._source, self.source_map.filename) from None
        load_runtime(self.build.toolchain, self.cache)
        library = KernelLibrary(path)
        for name in names:
            self._compiled[name] = CompiledKernel(
                library, positions, self._numbers[name], waits=checked or name in waiting
            )

    def compiled(self, name: str) -> "CompiledKernel":
        """Kernel `name`, compiled now if it was not yet."""
        if name not in self._compiled:
            self.compile([name])
        return self._compiled[name]


class CompiledKernel(NamedTuple):
    """A kernel in a loaded library, the way back from its lines; `waits`: whether threads may."""

    library: KernelLibrary
    positions: RewrittenPositions
    number: int
    waits: bool

    @property
    def mode(self) -> Mode:
        """How its threads run; waiting ones do so on fibers where phases could not be made."""
        if not self.waits:
            return "independent"
        return "phased" if self.library.plan(self.number) else "cooperative"


def open_program(
    source: str, options: SourceOptions, settings: EmulatorSettings, constants: Values
) -> Program:
    """Preprocess and read `source`. Raises CompileError, ToolchainError and ValueError."""
    toolchain, cache = find_toolchain(settings), open_cache(settings)
    filename, version = options.filename, options.language_version
    text = preprocess(source, filename, toolchain, cache, options.include_dirs, version)
    build = Build(toolchain, version_number(version), options.checked)
    return Program(SourceMap(text, source, filename), source, build, cache, constants)
