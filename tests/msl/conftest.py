"""The compiled functions, once for all tests of this folder."""

import ctypes
from collections.abc import Iterator

import numpy as np
import pytest

from tests.msl.catalogue import Case, cases
from tests.msl.harness import Compilation, call, program


class Functions:
    """The library's functions, compiled for every type of the catalogue."""

    def __init__(self, compilations: dict[str, Compilation]) -> None:
        self._compilations = compilations
        self._libraries: dict[str, ctypes.CDLL] = {}
        self._cases = {(case.name, case.element, case.width): case for case in cases()}

    def __call__(self, name: str, element: str, *arrays: np.ndarray, width: int = 1) -> np.ndarray:
        case = self._cases[name, element, width]
        return call(self._library(case.unit), case, *arrays)

    def _library(self, unit: str) -> ctypes.CDLL:
        if unit not in self._libraries:
            self._libraries[unit] = self._compilations[unit].library()
        return self._libraries[unit]


@pytest.fixture(scope="session")
def functions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Functions]:
    folder = tmp_path_factory.mktemp("msl")
    units: dict[str, list[Case]] = {}
    for case in cases():
        units.setdefault(case.unit, []).append(case)
    compilations = {
        unit: Compilation(program(found), folder, unit) for unit, found in units.items()
    }
    yield Functions(compilations)
    for compilation in compilations.values():
        compilation.close()
