"""MSL 6.3 and vector operators on integers, against Python's integers."""

import numpy as np
import pytest

from tests.msl.catalogue import INTEGERS, OPERATORS, WORDS
from tests.msl.conftest import Functions
from tests.msl.numbers import STORAGE
from tests.msl.samples import divisible, integer_samples, integer_tuples


def wrapped(value: int, element: str) -> int:
    limits = np.iinfo(STORAGE[element])
    return (value - limits.min) % 2**limits.bits + limits.min


def saturated(value: int, element: str) -> int:
    limits = np.iinfo(STORAGE[element])
    return max(limits.min, min(limits.max, value))


def bits_of(value: int, element: str) -> int:
    return value % 2 ** np.iinfo(STORAGE[element]).bits


def width(element: str) -> int:
    return np.iinfo(STORAGE[element]).bits


def rotated(x: int, count: int, element: str) -> int:
    size = width(element)
    left = count % size
    pattern = bits_of(x, element)
    return wrapped(pattern << left | pattern >> (size - left), element)


def low24(x: int) -> int:
    """The low 24 bits; `x` says by its sign how they extend."""
    return x % 2**24


def signed24(x: int) -> int:
    return (x + 2**23) % 2**24 - 2**23


def mul24(x: int, y: int, element: str) -> int:
    part = signed24 if element == "int" else low24
    return wrapped(part(x) * part(y), element)


def truncated(x: int, y: int) -> int:
    """The quotient, rounded towards zero."""
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


EXPECTED = {
    "abs": lambda t, x: wrapped(abs(x), t),
    "clz": lambda t, x: width(t) - bits_of(x, t).bit_length(),
    "ctz": lambda t, x: (x & -x).bit_length() - 1 if x else width(t),
    "popcount": lambda t, x: bits_of(x, t).bit_count(),
    "reverse_bits": lambda t, x: wrapped(int(f"{bits_of(x, t):0{width(t)}b}"[::-1], 2), t),
    "absdiff": lambda _, x, y: abs(x - y),
    "addsat": lambda t, x, y: saturated(x + y, t),
    "subsat": lambda t, x, y: saturated(x - y, t),
    "hadd": lambda _, x, y: (x + y) >> 1,
    "rhadd": lambda _, x, y: (x + y + 1) >> 1,
    "max": lambda _, x, y: max(x, y),
    "min": lambda _, x, y: min(x, y),
    "mulhi": lambda t, x, y: (x * y) >> width(t),
    "rotate": lambda t, x, y: rotated(x, y, t),
    "madhi": lambda t, x, y, z: wrapped(((x * y) >> width(t)) + z, t),
    "madsat": lambda t, x, y, z: saturated(x * y + z, t),
    "max3": lambda _, x, y, z: max(x, y, z),
    "min3": lambda _, x, y, z: min(x, y, z),
    "median3": lambda _, x, y, z: sorted((x, y, z))[1],
    "mul24": lambda t, x, y: mul24(x, y, t),
    "mad24": lambda t, x, y, z: wrapped(mul24(x, y, t) + z, t),
    "operator.add": lambda t, x, y: wrapped(x + y, t),
    "operator.subtract": lambda t, x, y: wrapped(x - y, t),
    "operator.multiply": lambda t, x, y: wrapped(x * y, t),
    "operator.and": lambda _, x, y: x & y,
    "operator.or": lambda _, x, y: x | y,
    "operator.xor": lambda _, x, y: x ^ y,
    "operator.divide_by": lambda t, x, y: wrapped(truncated(x, y), t) if y else 0,
    "operator.modulo": lambda _, x, y: x - truncated(x, y) * y if y else 0,
    "operator.shift_left": lambda t, x, y: wrapped(x << (y % width(t)), t),
    "operator.shift_right": lambda t, x, y: x >> (y % width(t)),
}  # fmt: skip
VECTORS_ONLY = {f"operator.{OPERATORS[sign]}" for sign in ("/", "%", "<<", ">>")}
FIELDS = [(0, 0), (0, 1), (0, 3), (1, 1), (2, 5), (3, 4), (4, 4), (7, 1), (0, 8), (5, 3)]


def arity(name: str) -> int:
    return EXPECTED[name].__code__.co_argcount - 1


def typed_names() -> list[tuple[str, str]]:
    return [
        (name, element)
        for name in EXPECTED
        for element in (WORDS if name in ("mul24", "mad24") else INTEGERS)
    ]


@pytest.mark.parametrize(("name", "element"), typed_names())
def test_integer_function_is_exact(functions: Functions, name: str, element: str):
    vector_width = 2 if name in VECTORS_ONLY else 1
    arrays = divisible(integer_tuples(element, arity(name)), vector_width)
    rows = list(zip(*(array.tolist() for array in arrays), strict=True))
    if name == "clamp":
        rows = [row for row in rows if row[1] <= row[2]]

    got = functions(name, element, *arrays, width=vector_width).tolist()

    expected = [EXPECTED[name](element, *row) for row in rows]
    wrong = [(row, e, g) for row, e, g in zip(rows, expected, got, strict=True) if e != g]
    assert wrong == []


@pytest.mark.parametrize("element", INTEGERS)
def test_clamp_keeps_a_number_between_limits_in_order(functions: Functions, element: str):
    x, low, high = integer_tuples(element, 3)
    ordered = low <= high
    x, low, high = x[ordered], low[ordered], high[ordered]

    got = functions("clamp", element, x, low, high)

    assert (got == np.minimum(np.maximum(x, low), high)).all()


@pytest.mark.parametrize("element", INTEGERS)
@pytest.mark.parametrize("vector_width", [2, 3, 4])
def test_vector_form_equals_the_scalar_form(functions: Functions, element: str, vector_width: int):
    names = [n for n, e in typed_names() if e == element and n not in VECTORS_ONLY]
    for name in [*names, "clamp"]:
        arrays = divisible(
            integer_tuples(element, arity(name) if name != "clamp" else 3), vector_width
        )

        assert (
            functions(name, element, *arrays, width=vector_width).tolist()
            == functions(name, element, *arrays).tolist()
        ), name


@pytest.mark.parametrize("element", INTEGERS)
@pytest.mark.parametrize("vector_width", [3, 4])
def test_vector_operators_agree_in_all_widths(
    functions: Functions, element: str, vector_width: int
):
    arrays = divisible(integer_tuples(element, 2), 12)
    for name in sorted(VECTORS_ONLY):
        expected = functions(name, element, *arrays, width=2)

        assert (functions(name, element, *arrays, width=vector_width) == expected).all(), name


def fields(element: str) -> list[tuple[int, int]]:
    size = width(element)
    return [*FIELDS, (0, size), (size - 1, 1), (1, size - 1), (size // 2, size // 2)]


@pytest.mark.parametrize("element", INTEGERS)
@pytest.mark.parametrize("vector_width", [1, 2, 3, 4])
def test_extract_bits_reads_a_field(functions: Functions, element: str, vector_width: int):
    samples = divisible((integer_samples(element),), vector_width)[0]
    count = len(samples) // vector_width
    for offset, bits in fields(element):
        packed = np.full(count, offset | bits << 8)

        got = functions("extract_bits", element, samples, packed, width=vector_width)

        expected = [extracted(x, offset, bits, element) for x in samples.tolist()]
        assert got.tolist() == expected, (offset, bits)


def extracted(x: int, offset: int, bits: int, element: str) -> int:
    field = bits_of(x, element) >> offset & (2**bits - 1)
    negative = bits and not element.startswith("u") and field >> (bits - 1)
    return field - 2**bits if negative else field


@pytest.mark.parametrize("element", INTEGERS)
@pytest.mark.parametrize("vector_width", [1, 2, 3, 4])
def test_insert_bits_replaces_a_field(functions: Functions, element: str, vector_width: int):
    base = divisible((integer_samples(element),), vector_width)[0]
    insert = base[::-1].copy()
    for offset, bits in fields(element):
        packed = np.full(len(base) // vector_width, offset | bits << 8)

        got = functions("insert_bits", element, base, insert, packed, width=vector_width)

        mask = (2**bits - 1) << offset
        expected = [
            wrapped((x & ~mask) | (y << offset & mask), element)
            for x, y in zip(base.tolist(), insert.tolist(), strict=True)
        ]
        assert got.tolist() == expected, (offset, bits)


@pytest.mark.parametrize("element", INTEGERS)
def test_a_field_ends_at_the_width(functions: Functions, element: str):
    """Beyond it MSL leaves the result open; here it is that of the shorter field."""
    samples = integer_samples(element)
    size = width(element)
    for offset, bits, kept in [(size - 4, 8, 4), (1, size, size - 1), (size, 3, 0)]:
        packed = np.full(len(samples), offset | bits << 8)

        got = functions("extract_bits", element, samples, packed)

        expected = [extracted(x, offset, kept, element) for x in samples.tolist()]
        assert got.tolist() == expected, (offset, bits)
