"""MSL 6.14 pack and unpack functions, against exact fractions."""

import ctypes
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from tests.msl.catalogue import Case, type_name
from tests.msl.harness import Compilation, call, program
from tests.msl.numbers import to_double, ulp_errors
from tests.msl.samples import divisible, float_samples


@dataclass(frozen=True)
class Layout:
    """A packed format: width in bits of each component, the first in the lowest bits."""

    name: str
    fields: tuple[int, ...]
    signed: bool = False
    word: str = "uint"

    def offsets(self) -> list[int]:
        if self.name == "unorm565":  # red in the highest bits
            return [11, 5, 0]
        return [sum(self.fields[:i]) for i in range(len(self.fields))]


LAYOUTS = [
    Layout("unorm4x8", (8, 8, 8, 8)),
    Layout("snorm4x8", (8, 8, 8, 8), signed=True),
    Layout("unorm2x16", (16, 16)),
    Layout("snorm2x16", (16, 16), signed=True),
    Layout("unorm10a2", (10, 10, 10, 2)),
    Layout("unorm565", (5, 6, 5), word="ushort"),
]
SRGB = Layout("srgb_unorm4x8", (8, 8, 8, 8))
ELEMENTS = ("float", "half")


def pack(layout: Layout, element: str) -> Case:
    name = f"pack_{element}_to_{layout.name}"
    vector = type_name(element, len(layout.fields))
    return Case(name, element, len(layout.fields), f"metal::{name}(a)", (vector,), layout.word)


def unpack(layout: Layout, element: str) -> Case:
    name = "unorm4x8_srgb" if layout is SRGB else layout.name
    name = f"unpack_{name}_to_{element}"
    vector = type_name(element, len(layout.fields))
    return Case(name, element, len(layout.fields), f"metal::{name}(a)", (layout.word,), vector)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    found = [make(x, e) for x in [*LAYOUTS, SRGB] for e in ELEMENTS for make in (pack, unpack)]
    return Compilation(program(found), tmp_path_factory.mktemp("pack"), "pack").library()


def words(layout: Layout) -> np.ndarray:
    if layout.word == "ushort":
        return np.arange(2**16, dtype=np.uint32).astype(np.uint16)
    corners = np.array([0, 2**32 - 1, 0x80808080, 0x7F7F7F7F, 0x80008000, 0x01020304], np.uint32)
    random = np.random.default_rng(7).integers(0, 2**32, 3000, dtype=np.uint32)
    return np.concatenate([corners, random])


def component(word: int, offset: int, bits: int, *, signed: bool) -> Fraction:
    field = word >> offset & (2**bits - 1)
    if not signed:
        return Fraction(field, 2**bits - 1)
    if field >> (bits - 1):
        field -= 2**bits
    return max(Fraction(field, 2 ** (bits - 1) - 1), Fraction(-1))


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_unpack_scales_every_field(library: ctypes.CDLL, layout: Layout, element: str):
    samples = words(layout)

    got = to_double(call(library, unpack(layout, element), samples), element)

    expected = [
        float(component(word, offset, bits, signed=layout.signed))
        for word in samples.tolist()
        for offset, bits in zip(layout.offsets(), layout.fields, strict=True)
    ]
    assert ulp_errors(got, np.array(expected), element).max() <= 0.501


def field_of(value: float, bits: int, *, signed: bool) -> int:
    """The field for a component: limited, scaled, rounded to nearest even."""
    if np.isnan(value):
        return 0
    low, scale = (-1, 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    limited = min(max(value, low), 1)
    return int(np.rint(np.float32(limited) * np.float32(scale))) & (2**bits - 1)


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_pack_rounds_every_component(library: ctypes.CDLL, layout: Layout, element: str):
    (samples,) = divisible((float_samples(element),), len(layout.fields))
    values = to_double(samples, element).reshape(-1, len(layout.fields))

    got = call(library, pack(layout, element), samples)

    expected = [
        sum(
            field_of(value, bits, signed=layout.signed) << offset
            for value, offset, bits in zip(row, layout.offsets(), layout.fields, strict=True)
        )
        for row in values.tolist()
    ]
    assert got.tolist() == expected


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_pack_undoes_unpack(library: ctypes.CDLL, layout: Layout):
    samples = words(layout)
    unpacked = call(library, unpack(layout, "float"), samples)

    got = call(library, pack(layout, "float"), unpacked)

    if layout.signed:  # two patterns stand for -1
        unpacked_again = call(library, unpack(layout, "float"), got)
        assert np.array_equal(unpacked_again, unpacked)
    else:
        assert np.array_equal(got, samples)


def linear(encoded: np.ndarray) -> np.ndarray:
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


@pytest.mark.parametrize("element", ELEMENTS)
def test_srgb_decodes_colours_and_keeps_alpha(library: ctypes.CDLL, element: str):
    samples = np.arange(256, dtype=np.uint32) * 0x01010101

    got = to_double(call(library, unpack(SRGB, element), samples), element).reshape(-1, 4)

    encoded = np.arange(256) / 255
    tolerance = {"float": 1e-6, "half": 6e-4}[element]
    np.testing.assert_allclose(
        got[:, :3], np.tile(linear(encoded)[:, None], 3), rtol=tolerance, atol=1e-7
    )
    np.testing.assert_allclose(got[:, 3], encoded, rtol=tolerance)


def test_srgb_encoding_undoes_decoding(library: ctypes.CDLL):
    samples = np.arange(256, dtype=np.uint32) * 0x01010101
    decoded = call(library, unpack(SRGB, "float"), samples)

    assert np.array_equal(call(library, pack(SRGB, "float"), decoded), samples)
    rounded = decoded.astype(np.float16)
    assert (
        np.abs(
            unpacked_bytes(call(library, pack(SRGB, "half"), rounded)) - unpacked_bytes(samples)
        ).max()
        <= 1
    )


def unpacked_bytes(array: np.ndarray) -> np.ndarray:
    return array.view(np.uint8).astype(int)
