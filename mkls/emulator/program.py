"""One source on its way to machine code, kernel by kernel."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from mkls.emulator.address_arithmetic import address_places, copies
from mkls.emulator.cache import Cache, open_cache
from mkls.emulator.compile import (
    Build,
    CompilerOutputError,
    compile_kernels,
    intermediate_code,
)
from mkls.emulator.elementwise import Access, accesses_of
from mkls.emulator.errors import CompileError, problems_of_compiler
from mkls.emulator.function_constants import Values
from mkls.emulator.load import KernelLibrary, load_runtime
from mkls.emulator.positions import Position, SourceMap
from mkls.emulator.preprocess import preprocess, version_number
from mkls.emulator.rewrite import TranslationUnit
from mkls.emulator.rewritten_positions import RewrittenPositions
from mkls.emulator.settings import EmulatorSettings
from mkls.emulator.toolchain import find_toolchain
from mkls.emulator.trampolines import Mode, probe_symbol


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
        self._variants: dict[tuple[str, str], CompiledKernel] = {}
        self._accesses: dict[str, tuple[Access, ...] | None] = {}
        self._alignments: dict[str, Mapping[Position, int]] = {}
        self._overflows: dict[str, frozenset[Position]] = {}

    def compile(self, names: Sequence[str]) -> None:
        """Compile the kernels `names` together. Raises CompileError."""
        checked = self.build.checked
        waiting = [] if checked else [n for n in names if self.unit.mode(n) == "phased"]
        library, positions = self._built(names, self.build, waiting)
        for name in names:
            self._compiled[name] = CompiledKernel(
                library, positions, self._numbers[name], waits=checked or name in waiting
            )

    def _built(
        self, names: Sequence[str], build: Build, waiting: Sequence[str] = ()
    ) -> tuple[KernelLibrary, RewrittenPositions]:
        edited = self.unit.rewritten(set(names), self._constants, cooperative=build.checked)
        positions = RewrittenPositions(edited, self.source_map)
        try:
            numbers = [self._numbers[name] for name in waiting]
            path = compile_kernels(edited.text, build, self.cache, waiting=numbers)
        except CompilerOutputError as error:
            problems = problems_of_compiler(
                error.output, positions.locate, self.source_map.filename
            )
            raise CompileError(problems, self._source, self.source_map.filename) from None
        load_runtime(build.toolchain, self.cache)
        return KernelLibrary(path), positions

    def screening(self, name: str) -> "CompiledKernel | None":
        """Kernel `name` built to be looked over quickly; None for one whose threads may wait."""
        if self.unit.mode(name) != "independent":
            return None
        return self._variant(name, "screening")

    def fast(self, name: str) -> "CompiledKernel":
        """Kernel `name` built without checks, one whose threads do not wait."""
        return self._variant(name, "speed")

    def _variant(self, name: str, purpose: Literal["speed", "screening"]) -> "CompiledKernel":
        key = (name, purpose)
        if key not in self._variants:
            build = msgspec.structs.replace(self.build, purpose=purpose)
            library, positions = self._built([name], build)
            self._variants[key] = CompiledKernel(
                library, positions, self._numbers[name], waits=False
            )
        return self._variants[key]

    def accesses(self, name: str) -> "tuple[Access, ...] | None":
        """What a thread of kernel `name` accesses, where that is a plain function of its number."""
        if name not in self._accesses:
            build = msgspec.structs.replace(self.build, purpose="speed")
            edited = self.unit.rewritten({name}, self._constants, probes=True)
            try:
                code = intermediate_code(edited.text, build, self.cache, "accesses")
            except CompilerOutputError:
                code = ""  # an argument that no probe can make: then nothing is known
            self._accesses[name] = accesses_of(code, probe_symbol(self._numbers[name]))
        return self._accesses[name]

    def address_overflows(self, name: str) -> frozenset[Position]:
        """Where kernel `name` computes numbers that become part of an address."""
        if name not in self._overflows:
            build = msgspec.structs.replace(self.build, purpose="speed")
            edited = self.unit.rewritten({name}, self._constants)
            positions = RewrittenPositions(edited, self.source_map)
            code = intermediate_code(edited.text, build, self.cache, "overflows")
            places = (positions.of_presumed(*place) for place in address_places(code))
            self._overflows[name] = frozenset(place for place in places if place)
        return self._overflows[name]

    def copy_alignments(self, name: str) -> Mapping[Position, int]:
        """How the types want to be aligned that kernel `name` copies whole, by place."""
        if name not in self._alignments:
            build = msgspec.structs.replace(self.build, purpose="speed")
            edited = self.unit.rewritten({name}, self._constants)
            positions = RewrittenPositions(edited, self.source_map)
            code = intermediate_code(edited.text, build, self.cache, "copies")
            found: dict[Position, int] = {}
            for place, alignment in copies(code):
                position = positions.of_presumed(*place)
                if position:
                    found[position] = max(alignment, found.get(position, 1))
            self._alignments[name] = found
        return self._alignments[name]

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
    purpose = "detailed" if options.checked else "speed"
    build = Build(toolchain, version_number(version), purpose)
    return Program(SourceMap(text, source, filename), source, build, cache, constants)
