"""MSL 6.2 and 6.5 on float, half and bfloat, against double precision; limits from MSL 8.4."""

import numpy as np
import pytest

from tests.msl.catalogue import FLOATS
from tests.msl.conftest import Functions
from tests.msl.numbers import to_bits, to_double, ulp_errors
from tests.msl.references import COUNTS, ELSEWHERE, EXPECTED, limit, sound
from tests.msl.samples import divisible, float_samples, float_tuples


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("name", sorted(set(COUNTS) - ELSEWHERE))
def test_function_is_within_the_limit(functions: Functions, name: str, element: str):
    stored = float_tuples(element, COUNTS[name])
    values = [to_double(array, element) for array in stored]
    with np.errstate(all="ignore"):
        expected = EXPECTED[name](*values)

    got = to_double(functions(name, element, *stored), element)

    with np.errstate(all="ignore"):
        kept = sound(name, values, element)
    errors = ulp_errors(got, expected, element)
    worst = np.argmax(np.where(kept, errors, 0))
    assert errors[worst] <= limit(name, element) or not kept[worst], (
        [value[worst] for value in values],
        got[worst],
        expected[worst],
    )


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("width", [2, 3, 4])
def test_vector_form_equals_the_scalar_form(functions: Functions, element: str, width: int):
    others = ["modf", "modf.whole", "frexp", "frexp.exponent", "sincos", "sincos.cosine", "ilogb"]
    aliases = ["fast.exp", "precise.sin", "intrinsic.tanh"]
    operators = [f"operator.{word}" for word in ("add", "subtract", "multiply", "divide_by")]
    counts = {
        **COUNTS,
        **dict.fromkeys(others + aliases, 1),
        **dict.fromkeys(operators, 2),
    }
    for name, count in counts.items():
        arrays = divisible(float_tuples(element, count), width)

        got = to_bits(functions(name, element, *arrays, width=width))

        expected = to_bits(functions(name, element, *arrays))
        # Which of several NaNs comes out is open.
        different = got != expected
        if got.dtype.itemsize == STORED_BYTES[element]:
            different &= ~(is_nan(got, element) & is_nan(expected, element))
        assert not different.any(), (name, np.flatnonzero(different)[:5])


STORED_BYTES = {"float": 4, "half": 2, "bfloat": 2}


def is_nan(bits: np.ndarray, element: str) -> np.ndarray:
    infinity = {"float": 0x7F800000, "half": 0x7C00, "bfloat": 0x7F80}[element]
    sign = 1 << (8 * bits.dtype.itemsize - 1)
    return (bits & (sign - 1)) > infinity


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize(
    ("alias", "name"), [("fast.exp", "exp"), ("precise.sin", "sin"), ("intrinsic.tanh", "tanh")]
)
def test_other_spellings_name_the_same_function(
    functions: Functions, element: str, alias: str, name: str
):
    samples = float_samples(element)

    assert np.array_equal(
        to_double(functions(alias, element, samples), element),
        to_double(functions(name, element, samples), element),
        equal_nan=True,
    )
