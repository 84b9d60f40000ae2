"""MSL 6.8 geometric functions, against double precision."""

import ctypes
from collections.abc import Callable

import numpy as np
import pytest

from tests.msl.catalogue import FLOATS, Case, type_name
from tests.msl.harness import Compilation, call, program
from tests.msl.numbers import FORMATS, to_double
from tests.msl.samples import stored_floats

ROWS = 300
SCALARS = {"dot": 2, "length": 1, "length_squared": 1, "distance": 2, "distance_squared": 2}
VECTORS = {"normalize": 1, "faceforward": 3, "reflect": 2, "cross": 2}


def geometric(name: str, element: str, width: int) -> Case:
    own = type_name(element, width)
    if name == "refract":
        return Case(name, element, width, "metal::refract(a, b, c)", (own, own, element), own)
    count = {**SCALARS, **VECTORS}[name]
    arguments = ", ".join("abc"[:count])
    result = element if name in SCALARS else own
    return Case(name, element, width, f"metal::{name}({arguments})", (own,) * count, result)


def geometric_cases() -> list[Case]:
    return [
        geometric(name, element, width)
        for name in [*SCALARS, *VECTORS, "refract"]
        for element in FLOATS
        for width in (2, 3, 4)
        if name != "cross" or width == 3
    ]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("geometric")
    return Compilation(program(geometric_cases()), folder, "geometric").library()


def norm(x: np.ndarray) -> np.ndarray:
    return np.sqrt((x * x).sum(1, keepdims=True))


def inner(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return (x * y).sum(1, keepdims=True)


def refracted(i: np.ndarray, n: np.ndarray, eta: np.ndarray) -> np.ndarray:
    cosine = inner(n, i)
    k = 1 - eta**2 * (1 - cosine**2)
    ray = eta * i - (eta * cosine + np.sqrt(np.maximum(k, 0))) * n
    return np.where(k < 0, 0.0, ray)


EXPECTED: dict[str, Callable[..., np.ndarray]] = {
    "dot": inner,
    "length": norm,
    "length_squared": lambda x: inner(x, x),
    "distance": lambda x, y: norm(x - y),
    "distance_squared": lambda x, y: inner(x - y, x - y),
    "normalize": lambda x: x / norm(x),
    "faceforward": lambda n, i, reference: np.where(inner(reference, i) < 0, n, -n),
    "reflect": lambda i, n: i - 2 * inner(n, i) * n,
    "cross": np.cross,
    "refract": refracted,
}


def inputs(case: Case) -> list[np.ndarray]:
    random = np.random.default_rng(len(case.name) * 10 + case.width)
    found: list[np.ndarray] = []
    for argument in case.arguments:
        columns = 1 if argument == case.element else case.width
        rows = random.uniform(-2, 2, (ROWS, columns))
        if case.name == "refract" and columns > 1:
            rows /= norm(rows)
        if columns == 1:
            rows = np.abs(rows)
        found.append(stored_floats(rows.ravel(), case.element))
    return found


@pytest.mark.parametrize("case", geometric_cases(), ids=lambda case: case.symbol)
def test_geometric_function(library: ctypes.CDLL, case: Case):
    stored = inputs(case)

    got = to_double(call(library, case, *stored), case.element).reshape(ROWS, -1)

    values = [to_double(array, case.element).reshape(ROWS, -1) for array in stored]
    expected = EXPECTED[case.name](*values)
    # The error is relative to the terms, which cancel; all inputs are below 2.
    allowed = 2.0 ** (3 - FORMATS[case.element][0]) * np.maximum(8.0, np.abs(expected))
    if case.name == "refract":  # discontinuous at the critical angle
        i, n, eta = values
        allowed = allowed + np.where(np.abs(1 - eta**2 * (1 - inner(n, i) ** 2)) < 0.1, 9.0, 0.0)
    assert (np.abs(got - expected) <= allowed).all()
