"""The compiler's front end alone: what is wrong with a Metal source, without building anything."""

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from mkls.emulator.attribute_names import misspelt_attributes
from mkls.emulator.cache import Cache, open_cache
from mkls.emulator.compile import DIAGNOSTICS, Build, precompiled_shim
from mkls.emulator.errors import CompileError, Note, Problem, problems_of_compiler
from mkls.emulator.gaps import gap_in
from mkls.emulator.positions import Position, SourceMap
from mkls.emulator.preprocess import preprocess, version_number
from mkls.emulator.rewrite import TranslationUnit
from mkls.emulator.rewritten_positions import RewrittenPositions
from mkls.emulator.settings import EmulatorSettings
from mkls.emulator.toolchain import Toolchain, find_toolchain

# Warnings that mean the same in Apple's compiler and that no rewriting brings about. Not those of
# arithmetic with constants: function constants, whose values are open, are zero here.
_WARNINGS = (
    "-Wuninitialized", "-Wsometimes-uninitialized", "-Wreturn-type", "-Winfinite-recursion",
    "-Wunsequenced", "-Wno-c++11-narrowing",
)  # fmt: skip
_MOST_GAPS = 3
_FLAG = re.compile(r" \[-W[\w+-]+\]\Z")


class Verdict(msgspec.Struct, frozen=True):
    """What the front end says: the user's `problems`, or why nothing can be said (`gaps`)."""

    problems: tuple[Problem, ...] = ()
    gaps: tuple[Problem, ...] = ()


class _Text(NamedTuple):
    source: str
    filename: str


def examine(
    source: str,
    filename: str,
    include_dirs: Sequence[str | Path] = (),
    language_version: str | None = None,
    settings: EmulatorSettings | None = None,
) -> Verdict:
    """Compile `source` as far as its mistakes show, every instantiation of a kernel included.

    A verdict is kept under all texts that took part. Raises ToolchainError and ValueError.
    """
    toolchain, cache = find_toolchain(settings), open_cache(settings or EmulatorSettings())
    text = _Text(source, filename)
    try:
        expanded = preprocess(source, filename, toolchain, cache, include_dirs, language_version)
    except CompileError as error:
        return _verdict(error.problems, SourceMap("", source, filename))
    build = Build(toolchain, version_number(language_version))
    name = f"verdict-{build.key(filename, expanded, *_WARNINGS)}.json"

    def write(output: Path) -> None:
        output.write_bytes(msgspec.json.encode(_compiled(expanded, text, build, toolchain, cache)))

    return msgspec.json.decode(cache.get_or_build(name, write).read_bytes(), type=Verdict)


def _compiled(
    expanded: str, text: _Text, build: Build, toolchain: Toolchain, cache: Cache
) -> Verdict:
    source_map = SourceMap(expanded, text.source, text.filename)
    unit = TranslationUnit(expanded)
    edited = unit.mentioned()
    positions = RewrittenPositions(edited, source_map)
    header = precompiled_shim(build, cache)
    command = [
        *toolchain.kernel, *build.flags(), *DIAGNOSTICS, *_WARNINGS,
        "-fsyntax-only", "-include-pch", str(header), "-x", "c++", "-",
    ]  # fmt: skip
    done = subprocess.run(
        command,
        input=edited.text.encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
    )
    output = done.stderr.decode("utf-8", "replace")
    misspelt = tuple(_misspelt(unit, source_map))
    if done.returncode == 0 and not output.strip():
        return _verdict(misspelt, source_map)
    found = problems_of_compiler(output, positions.locate, text.filename, done.returncode != 0)
    return _verdict((*misspelt, *found), source_map)


def _misspelt(unit: TranslationUnit, source_map: SourceMap) -> Iterator[Problem]:
    seen: set[Position] = set()
    for index, close in misspelt_attributes(unit.tokens):
        place = source_map.position(unit.tokens.starts[index])
        if place not in seen:
            seen.add(place)
            name = unit.tokens.texts[index]
            message = f"unknown attribute '{name}'; did you mean '{close}'?"
            yield Problem(place.path, place.line, place.column, "warning", message)


def _verdict(found: Sequence[Problem], source_map: SourceMap) -> Verdict:
    gaps = dict(_gaps(found, source_map))
    if gaps:
        return Verdict(gaps=tuple(gaps.values())[:_MOST_GAPS])
    return Verdict(problems=tuple(_with_inclusion(it, source_map) for it in found))


def _with_inclusion(problem: Problem, source_map: SourceMap) -> Problem:
    """`problem`, with the `#include` that brings in the header that it is in."""
    problem = msgspec.structs.replace(problem, message=_FLAG.sub("", problem.message))
    place = source_map.inclusion(problem.path) if problem.path != source_map.filename else None
    if place is None:
        return problem
    note = Note(place.path, place.line, place.column, "included here")
    return msgspec.structs.replace(problem, notes=(*problem.notes, note))


def _gaps(found: Sequence[Problem], source_map: SourceMap) -> Iterator[tuple[str, Problem]]:
    for it in found:
        lack = gap_in(it, source_map.line_text(it.path, it.line))
        if lack and it.severity == "error":
            yield (
                lack,
                _with_inclusion(msgspec.structs.replace(it, message=lack, notes=()), source_map),
            )
