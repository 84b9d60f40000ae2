"""Generated kernels give the same bits in phases, on fibers, and, where it can say, in NumPy."""

from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mkls.emulator.library import Library, compile_source
from mkls.emulator.settings import EmulatorSettings
from tests.emulator import waiting_programs
from tests.emulator.kernels import PRELUDE
from tests.emulator.waiting_programs import HELPERS, THREADS, Node, kernel, statements

GROUPS = 3
_FEW = settings(
    max_examples=6, deadline=None, suppress_health_check=tuple(HealthCheck), derandomize=True
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two caches: what is compiled for fibers must not be taken for phases."""
    return tmp_path_factory.mktemp("phases")


def compiled(programs: Sequence[Sequence[Node]], folder: Path, *, fibers: bool) -> Library:
    source = "".join(kernel(f"f{i}", program) for i, program in enumerate(programs))
    cache = EmulatorSettings(cache_directory=str(folder / ("fibers" if fibers else "phases")))
    if not fibers:
        return compile_source(PRELUDE + HELPERS + source, settings=cache)
    with patch("mkls.emulator.compile.with_phases", lambda module, _: module):
        return compile_source(PRELUDE + HELPERS + source, settings=cache)


def results(library: Library, mode: str) -> list[np.ndarray]:
    found = []
    for name in library.host_names():
        out = torch.zeros(GROUPS * THREADS, dtype=torch.int32)
        library.kernel(name)(out, group_size=THREADS)
        assert library.kernel(name).mode in (mode, "independent")
        found.append(out.numpy().view(np.uint32))
    return found


@_FEW
@given(programs=st.lists(statements(uniform=True), min_size=6, max_size=6))
def test_threads_that_go_the_same_way(programs: list[list[Node]], folder: Path) -> None:
    phases = results(compiled(programs, folder, fibers=False), "phased")
    fibers = results(compiled(programs, folder, fibers=True), "cooperative")
    for program, a, b in zip(programs, phases, fibers, strict=True):
        expected = np.tile(waiting_programs.run(program), GROUPS)
        np.testing.assert_array_equal(a, expected)
        np.testing.assert_array_equal(b, expected)


@_FEW
@given(programs=st.lists(statements(uniform=False), min_size=6, max_size=6))
def test_threads_that_go_different_ways(programs: list[list[Node]], folder: Path) -> None:
    phases = results(compiled(programs, folder, fibers=False), "phased")
    fibers = results(compiled(programs, folder, fibers=True), "cooperative")
    for a, b in zip(phases, fibers, strict=True):
        np.testing.assert_array_equal(a, b)
