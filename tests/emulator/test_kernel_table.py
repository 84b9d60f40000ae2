"""Which kernels a translation unit makes, and what their arguments are."""

# ruff: noqa: E501  (Metal text and tables of cases read best unbroken)

import pytest

from mkls.emulator.cache import open_cache
from mkls.emulator.kernel_table import Argument
from mkls.emulator.preprocess import preprocess
from mkls.emulator.rewrite import TranslationUnit
from mkls.emulator.toolchain import find_toolchain

TEMPLATE = "template <typename T> kernel void f(device T* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {}\n"


def names(text: str) -> list[str]:
    return list(TranslationUnit(text).kernels)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kernel void f() {}", ["f"]),
        ("[[kernel]] void f() {}", ["f"]),
        ("void helper() {} void kernel f() {}", ["f"]),
        ('[[host_name("g")]] kernel void f() {}', ["g"]),
        (TEMPLATE, []),
        (TEMPLATE + 'template [[host_name("f_float")]] kernel void f<float>(device float*, uint);', ["f_float"]),
        (TEMPLATE + 'template [[host_name("f_" "half")]] [[kernel]] decltype(f<half>) f<half>;', ["f_half"]),
        (TEMPLATE + 'template [[host_name("f_i")]] void kernel f<int>(device int*, uint);', ["f_i"]),
        ("namespace a { namespace b { kernel void f() {} } } kernel void g() {}", ["f", "g"]),
        ('extern "C" { kernel void f() {} }', ["f"]),
        ("struct s { void kernel_like(); }; int kernels;", []),
        ("kernel void f(", []),
    ],
)  # fmt: skip
def test_host_names(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_the_first_of_two_equal_host_names_counts() -> None:
    unit = TranslationUnit(
        TEMPLATE
        + 'template [[host_name("x")]] kernel void f<int>(device int*, uint);'
        + 'template [[host_name("x")]] kernel void f<char>(device char*, uint);'
    )
    assert unit.kernels["x"].callee == "::f<int>"


def arguments(parameters: str) -> tuple[Argument, ...]:
    return TranslationUnit(f"kernel void f({parameters}) {{}}").kernels["f"].arguments


def test_buffers_without_an_index_take_the_free_ones() -> None:
    found = arguments(
        "device int* a, constant float& b [[buffer(0)]], device const int* c, uint i [[thread_position_in_grid]]"
    )
    assert [(a.name, a.index, a.access) for a in found[:3]] == [
        ("a", 1, "read_write"), ("b", 0, "read"), ("c", 2, "read"),
    ]  # fmt: skip
    assert found[3] == Argument("i", "uint", "builtin", attribute="thread_position_in_grid")


def test_an_index_may_be_an_expression() -> None:
    (argument,) = arguments("device int* a [[buffer(kOut + 1)]]")
    assert (argument.index, argument.index_expression) == (None, "kOut + 1")


def test_textures_and_threadgroup_arguments() -> None:
    found = arguments(
        "texture2d<float, access::read> t [[texture(1)]], threadgroup float* s [[threadgroup(2)]]"
    )
    assert [(a.name, a.kind, a.index) for a in found] == [
        ("t", "texture", 1),
        ("s", "threadgroup", 2),
    ]


def test_an_instantiation_takes_names_and_attributes_from_its_template() -> None:
    unit = TranslationUnit(
        TEMPLATE + 'template [[host_name("f_float")]] kernel void f<float>(device float*, uint);'
    )
    found = unit.kernels["f_float"].arguments
    assert [(a.name, a.type, a.kind, a.index) for a in found] == [
        ("out", "device float *", "buffer", 0), ("i", "uint", "builtin", None),
    ]  # fmt: skip


def test_the_largest_threadgroup_is_read_from_the_attribute() -> None:
    unit = TranslationUnit("[[max_total_threads_per_threadgroup(256)]] kernel void f() {}")
    assert unit.kernels["f"].max_threads == 256


def test_every_kernel_of_the_real_tree_is_seen(pytorch_tree, emulator_settings) -> None:

    folder = pytorch_tree / "aten/src/ATen/native/mps/kernels"
    found = 0
    for path in sorted(folder.glob("*.metal")):
        source = path.read_text(encoding="utf-8", errors="surrogateescape")
        text = preprocess(source, str(path), find_toolchain(), open_cache(emulator_settings))
        found += len(TranslationUnit(text).kernels)
    assert found == 196
