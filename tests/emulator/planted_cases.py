"""The planted bugs of `tests/emulator/planted`: one file a kind, each case with its repair.

A line `//- name | x = randn(4); n = 3 | 64 32` begins a case: its kernel is the last one declared
before the next case, then follow the arguments in the order of the buffers, the threads and the
threadgroup's size. `//! kind argument` marks the line of the finding, and what follows `=>` there
or after `//=>` is the line of the repaired twin.
"""

import re
from pathlib import Path
from typing import Any, NamedTuple

from mkls.runner.evaluation import evaluate
from mkls.runner.expressions import parse_expression

FOLDER = Path(__file__).parent / "planted"
PRELUDE = """#include <metal_stdlib>
#include <c10/metal/error.h>
using namespace metal;
#define THREAD uint i [[thread_position_in_grid]], uint tid [[thread_position_in_threadgroup]], \\
  uint n [[threads_per_threadgroup]], uint lane [[thread_index_in_simdgroup]], \\
  uint group [[threadgroup_position_in_grid]]
#define BARRIER threadgroup_barrier(mem_flags::mem_threadgroup)
"""
_MARK = re.compile(
    r" *//(?:! (?P<kind>[\w-]+)(?: (?P<argument>[\w()]+))?(?P<other> =>.*)?|=>(?P<plain>.*))\Z"
)
_KERNEL = re.compile(r"^kernel void (\w+)\(", re.MULTILINE)


class Case(NamedTuple):
    """One planted bug; `line` counts in the text of its file with the prelude."""

    file: str
    kernel: str
    name: str
    arguments: str
    threads: tuple[int, ...]
    group_size: tuple[int, ...]
    kind: str
    argument: str | None
    line: int


class PlantedFile(NamedTuple):
    """All bugs of one kind: their text, and the text of the repaired twins."""

    kind: str
    buggy: str
    repaired: str
    cases: tuple[Case, ...]


def planted_files() -> list[PlantedFile]:
    """Every file of the folder, read."""
    return [_read(path) for path in sorted(FOLDER.glob("*.metal"))]


def _read(path: Path) -> PlantedFile:
    buggy, repaired = PRELUDE.split("\n")[:-1], PRELUDE.split("\n")[:-1]
    cases: list[Case] = []
    header, kernel, mark = "", "", (0, "", "")

    def finish() -> None:
        if header:
            cases.append(_case(path.stem, header, kernel, mark))

    for line in path.read_text().split("\n"):
        if line.startswith("//- "):
            finish()
            header = line[4:]
        found = _KERNEL.match(line)
        kernel = found.group(1) if found else kernel
        marked = _MARK.search(line)
        if marked and marked.group("kind"):
            mark = (len(buggy) + 1, marked.group("kind"), marked.group("argument") or "")
        buggy.append(line[: marked.start()] if marked else line)
        repaired.append(_repaired(line, marked))
    finish()
    return PlantedFile(path.stem, "\n".join(buggy), "\n".join(repaired), tuple(cases))


def _repaired(line: str, marked: "re.Match[str] | None") -> str:
    if marked is None:
        return line
    other = marked.group("other")
    if marked.group("kind") and other is None:
        return line[: marked.start()]
    return other.removeprefix(" =>") if other is not None else marked.group("plain")


def _case(file: str, header: str, kernel: str, mark: tuple[int, str, str]) -> Case:
    name, arguments, grid = (part.strip() for part in header.split("|"))
    threads, group_size = (tuple(map(int, part.split(","))) for part in grid.split())
    line, kind, argument = mark
    return Case(file, kernel, name, arguments, threads, group_size, kind, argument or None, line)


def values(case: Case) -> list[Any]:
    """The arguments of a case, made anew."""
    texts = [text.partition("=")[2].strip() for text in case.arguments.split(";")]
    return [evaluate(parse_expression(text), {}) for text in texts]
