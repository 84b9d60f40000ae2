"""MSL 2 and 3: types, their layout, construction and selection; checked by the compiler."""

from itertools import product
from pathlib import Path

import pytest

from tests.msl.catalogue import FLOATS, INTEGERS
from tests.msl.harness import compile_errors

SIZES = {
    "bool": 1, "char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8,
    "ulong": 8, "half": 2, "bfloat": 2, "float": 4,
}  # fmt: skip


PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.cc"))


def assert_compiles(text: str, *flags: str) -> None:
    assert compile_errors("using namespace metal;\n" + text, *flags) == ""


def layout(name: str, size: int, alignment: int) -> str:
    return f"static_assert(sizeof({name}) == {size} && alignof({name}) == {alignment});"


def test_sizes_and_alignments():
    lines = ["static_assert(sizeof(size_t) == 8 && sizeof(ptrdiff_t) == 8);"]
    for name, size in SIZES.items():
        lines.append(layout(name, size, size))
        for width in (2, 3, 4):
            whole = size * (4 if width == 3 else width)
            vector, packed = f"{name}{width}", f"packed_{name}{width}"
            lines += [
                layout(vector, whole, whole),
                layout(packed, size * width, size),
                f"static_assert(is_same_v<{vector}, vec<{name}, {width}>>);",
                f"static_assert(is_same_v<{vector}, metal::{vector}>);",
                f"static_assert(is_same_v<{packed}, packed_vec<{name}, {width}>>);",
            ]
    for name, (columns, rows) in product(("float", "half"), product((2, 3, 4), repeat=2)):
        column = SIZES[name] * (4 if rows == 3 else rows)
        lines.append(layout(f"{name}{columns}x{rows}", columns * column, column))

    assert_compiles("\n".join(lines))


@pytest.mark.parametrize("width", [2, 3, 4])
@pytest.mark.parametrize("letters", ["xyzw", "rgba"])
def test_every_selection_reads_its_components(width: int, letters: str):
    lines = [f"constexpr int{width} v({', '.join('1234'[:width])});"]
    lines.append(f"constexpr packed_int{width} p({', '.join('1234'[:width])});")
    for length in (1, 2, 3, 4):
        for chosen in product(range(width), repeat=length):
            name = "".join(letters[c] for c in chosen)
            values = ", ".join(str(c + 1) for c in chosen)
            same = f"v.{name} == int{length}({values})" if length > 1 else f"v.{name} == {values}"
            lines.append(f"static_assert(all({same}));")
            lines.append(f"static_assert(all({same.replace('v.', 'p.')}));")

    assert_compiles("\n".join(lines))


@pytest.mark.parametrize("width", [2, 3, 4])
@pytest.mark.parametrize("letters", ["xyzw", "rgba"])
def test_every_selection_without_repetition_can_be_assigned(width: int, letters: str):
    lines: list[str] = []
    for length in (1, 2, 3, 4):
        for chosen in product(range(width), repeat=length):
            if len(set(chosen)) < length:
                continue
            name = "".join(letters[c] for c in chosen)
            values = ", ".join("5678"[:length])
            right = f"int{length}({values})" if length > 1 else values
            after = list("0000"[:width])
            for place, value in zip(chosen, "5678", strict=False):
                after[place] = value
            lines += [
                f"constexpr auto set_{name}() {{ int{width} v(0); v.{name} = {right}; return v; }}",
                f"static_assert(all(set_{name}() == int{width}({', '.join(after)})));",
            ]

    assert_compiles("\n".join(lines))


@pytest.mark.parametrize("element", [*INTEGERS, *FLOATS])
def test_bits_survive_reinterpretation(element: str):
    integer = {1: "uchar", 2: "ushort", 4: "uint", 8: "ulong"}[SIZES[element]]
    assert_compiles(
        f"""
        static_assert(as_type<{integer}>(as_type<{element}>({integer}(77))) == 77);
        {integer}3 three({element}3 v) {{ return as_type<{integer}3>(v); }}
        {element}4 four({integer}4 v) {{ return as_type<{element}4>(v); }}
        uchar4 bytes(uint v) {{ return as_type<uchar4>(v); }}
        half2 halves(float v) {{ return as_type<half2>(v); }}
        """
    )


@pytest.mark.parametrize("version", [310, 320, 400])
def test_the_language_version_can_be_chosen(version: int):
    assert_compiles(
        f"static_assert(__METAL_VERSION__ == {version});", f"-D__METAL_VERSION__={version}"
    )


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program_is_accepted_and_its_assertions_hold(program: Path):
    assert_compiles(program.read_text(encoding="utf-8"))
