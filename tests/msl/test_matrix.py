"""MSL 2.3 matrix types, their operators, and 6.6 transpose and determinant, against NumPy."""

import ctypes
from itertools import product

import numpy as np
import pytest

from tests.msl.harness import PRELUDE, Compilation

ELEMENTS = {"float": (np.float32, 1e-5), "half": (np.float16, 2e-2)}
SIZES = list(product((2, 3, 4), repeat=2))

# Matrices travel as columns without padding.
_PROGRAM = """
template <class T, int C, int R> metal::matrix<T, C, R> load(const T *p) {
  metal::matrix<T, C, R> m;
  for (int i = 0; i < C; ++i) for (int j = 0; j < R; ++j) m[i][j] = p[i * R + j];
  return m;
}
template <class T, int C, int R> T *store(T *p, metal::matrix<T, C, R> m) {
  for (int i = 0; i < C; ++i) for (int j = 0; j < R; ++j) *p++ = m[i][j];
  return p;
}
template <class T, int N> T *store(T *p, metal::vec<T, N> v) {
  for (int j = 0; j < N; ++j) *p++ = v[j];
  return p;
}
template <class T, int C, int R> T *operators(const T *pa, const T *pb, T *out) {
  auto a = load<T, C, R>(pa), b = load<T, C, R>(pb);
  const auto square = load<T, C, C>(pa);
  metal::vec<T, C> v; metal::vec<T, R> w;
  for (int i = 0; i < C; ++i) v[i] = pb[i];
  for (int i = 0; i < R; ++i) w[i] = pb[i];
  out = store(out, a + b), out = store(out, a - b), out = store(out, -a);
  out = store(out, a * T(3)), out = store(out, T(3) * a), out = store(out, a * v);
  out = store(out, w * a), out = store(out, a * square), out = store(out, a * metal::transpose(b));
  out = store(out, metal::transpose(a)), out = store(out, metal::matrix<T, C, R>(T(2)));
  auto c = a;
  c += b, c -= a, c *= T(2), c[1] = c[0], c[0].x = T(9);
  *out++ = T(c == c), *out++ = T(a != b);
  return store(out, c);
}
#define OPERATORS(T, C, R) extern "C" void operators_##T##C##R(const T *a, const T *b, T *out) { \\
    operators<T, C, R>(a, b, out); }
#define DETERMINANT(T, N) extern "C" void determinant_##T##N(const T *a, const T *, T *out) { \\
    *out = metal::determinant(load<T, N, N>(a)); }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    text = PRELUDE + _PROGRAM
    text += "".join(f"OPERATORS({t}, {c}, {r})\n" for t in ELEMENTS for c, r in SIZES)
    text += "".join(f"DETERMINANT({t}, {n})\n" for t in ELEMENTS for n in (2, 3, 4))
    return Compilation(text, tmp_path_factory.mktemp("matrix"), "matrix").library()


def run(library: ctypes.CDLL, name: str, a: np.ndarray, b: np.ndarray, count: int) -> np.ndarray:
    out = np.zeros(count, a.dtype)
    function = getattr(library, name)
    function.restype = None
    function(*(array.ctypes.data_as(ctypes.c_void_p) for array in (a, b, out)))
    return out.astype(np.float64)


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_operators(library: ctypes.CDLL, element: str, columns: int, rows: int):
    dtype, tolerance = ELEMENTS[element]
    random = np.random.default_rng(columns * 4 + rows)
    pa, pb = (random.uniform(-2, 2, 16).astype(dtype) for _ in range(2))

    # A row of these arrays is a column of the matrix.
    a, b = (p[: columns * rows].astype(float).reshape(columns, rows) for p in (pa, pb))
    square = pa[: columns * columns].astype(float).reshape(columns, columns)
    v, w = pb[:columns].astype(float), pb[:rows].astype(float)
    c = 2 * b
    c[1] = c[0]
    c[0, 0] = 9
    expected = [a + b, a - b, -a, 3 * a, 3 * a, v @ a, a @ w, square @ a, b.T @ a, a.T]
    expected += [2 * np.eye(columns, rows), np.array([1.0, 1.0]), c]
    flat = np.concatenate([part.ravel() for part in expected])

    got = run(library, f"operators_{element}{columns}{rows}", pa, pb, len(flat))

    np.testing.assert_allclose(got, flat, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_determinant(library: ctypes.CDLL, element: str, size: int):
    dtype, tolerance = ELEMENTS[element]
    for seed in range(20):
        values = np.random.default_rng(seed).uniform(-2, 2, size * size).astype(dtype)

        (got,) = run(library, f"determinant_{element}{size}", values, values, 1)

        expected = np.linalg.det(values.astype(float).reshape(size, size))
        assert got == pytest.approx(expected, rel=tolerance, abs=40 * tolerance)
