"""What one Metal document states."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mkls.facts import metal_kernels
from mkls.facts.metal import metal_facts
from mkls.facts.model.metal import KernelArgument, MetalFacts
from mkls.syntax.metal import access, access_walk, macro
from mkls.text.span import Span
from tests.syntax.metal.test_metal_items import METALLIC

TEXT = """\
#pragma once
#include <c10/metal/indexing.h>
#include "local.h"
#define TILE 16
#define REGISTER(NAME, ...) \\
  template [[host_name(#NAME)]] kernel void NAME<__VA_ARGS__>(uint)

namespace shapes {
constant uint max_dims = TILE;
constant bool fast [[function_constant(3)]];
using real = float;
typedef decltype(copy<float>) copy_t;
enum class Mode : uchar { A, B };
template <typename T>
struct Pair { T a; T b; };
inline long area(long2 size) { return size.x * size.y; }
} // namespace shapes

struct exp_functor {
  template <typename T>
  inline enable_if_t<is_floating_point_v<T>, T> operator()(const T x) {
    return exp(x);
  }
  template <typename T, enable_if_t<is_integral_v<T>, bool> = true>
  float operator()(const T x) { return exp(float(x)); }
  bool operator()(bool x, bool y) const { return x && y; }
};

#if __METAL_VERSION__ >= 310
REGISTER(copy, bfloat, 4);
#elif defined(OTHER)
REGISTER(copy,
         half); // two lines
#endif
template [[host_name("copy_" "int")]] kernel void copy<int>(device int* x);
EVERYTHING
"""


@pytest.fixture(scope="module")
def facts() -> MetalFacts:
    return metal_facts(TEXT)


def argument(text: str, at: int = 0) -> KernelArgument:
    (kernel,) = metal_facts(f"kernel void k({text}) {{}}").kernels
    assert kernel.arguments is not None
    return kernel.arguments[at]


def test_includes(facts: MetalFacts) -> None:
    assert [(it.path, it.quoted, it.span.of(TEXT)) for it in facts.includes] == [
        ("c10/metal/indexing.h", False, "c10/metal/indexing.h"),
        ("local.h", True, "local.h"),
    ]


def test_macros(facts: MetalFacts) -> None:
    tile, register = facts.macros
    assert (tile.name.text, tile.parameters, tile.body.strip()) == ("TILE", None, "16")
    assert register.name.span.of(TEXT) == "REGISTER"
    assert register.parameters == ("NAME", "...")
    assert register.body_span.of(TEXT) == register.body
    assert register.body.rstrip().endswith("NAME<__VA_ARGS__>(uint)")


def test_invocations(facts: MetalFacts) -> None:
    found = [(it.name.text, [arg.text for arg in it.arguments or ()]) for it in facts.invocations]
    assert found == [
        ("REGISTER", ["copy", "bfloat", "4"]),
        ("REGISTER", ["copy", "half"]),
        ("EVERYTHING", []),
    ]
    assert facts.invocations[0].span.of(TEXT) == "REGISTER(copy, bfloat, 4)"
    assert [it.span.of(TEXT) for it in facts.invocations[1].arguments or ()] == ["copy", "half"]
    assert facts.invocations[2].arguments is None


def test_conditional_regions(facts: MetalFacts) -> None:
    assert [(it.directive, it.condition) for it in facts.regions] == [
        ("if", "__METAL_VERSION__ >= 310"),
        ("elif", "defined(OTHER)"),
    ]
    assert facts.regions[0].span.of(TEXT).strip() == "REGISTER(copy, bfloat, 4);"


def test_declarations(facts: MetalFacts) -> None:
    found = [(it.kind, it.name.text, it.scope, it.function_constant) for it in facts.declarations]
    assert found == [
        ("constant", "max_dims", "shapes", ""),
        ("constant", "fast", "shapes", "3"),
        ("alias", "real", "shapes", ""),
        ("alias", "copy_t", "shapes", ""),
        ("enum", "Mode", "shapes", ""),
        ("struct", "Pair", "shapes", ""),
        ("function", "area", "shapes", ""),
        ("struct", "exp_functor", "", ""),
    ]
    assert all(it.name.span.of(TEXT) == it.name.text for it in facts.declarations)
    assert facts.declarations[5].template == ("typename T",)


def test_functors(facts: MetalFacts) -> None:
    (functor,) = facts.functors
    assert functor.name.span.of(TEXT) == "exp_functor"
    assert [(it.template, it.parameters, it.returns, it.condition) for it in functor.calls] == [
        (("typename T",), ("const T x",), "T", "is_floating_point_v<T>"),
        (("typename T", "enable_if_t<is_integral_v<T>, bool> = true"), ("const T x",), "float",
         "is_integral_v<T>"),
        ((), ("bool x", "bool y"), "bool", ""),
    ]  # fmt: skip


def test_an_explicit_instantiation(facts: MetalFacts) -> None:
    (kernel,) = facts.kernels
    assert kernel.explicit
    assert kernel.host_name is not None
    assert kernel.host_name.text == "copy_int"
    assert kernel.host_name.span.of(TEXT) == 'copy_" "int'
    assert kernel.template_arguments == ("int",)
    assert not kernel.has_body


@pytest.mark.parametrize(
    ("text", "host_name", "name"),
    [
        ("kernel void k(uint i) {}", None, "k"),
        ("[[kernel]] void k(uint i) {}", None, "k"),
        ('[[host_name("x")]] [[kernel]] void k(uint i) {}', "x", "k"),
        ('[[host_name("x"), kernel]] void k(uint i) {}', "x", "k"),
        ('template [[host_name("x")]] kernel decltype(k<float>) k<float>;', "x", "k"),
        ('template [[host_name("x")]] kernel k_t k<float>;', "x", "k"),
        ('template [[host_name("x" /* c */\n"y")]] [[kernel]] void k<float>(uint);', "xy", "k"),
        ("template [[host_name(NAME)]] kernel void k<float>(uint);", None, "k"),
    ],
)
def test_spellings_of_a_kernel(text: str, host_name: str | None, name: str) -> None:
    (kernel,) = metal_facts(text).kernels
    assert (kernel.host_name.text if kernel.host_name else None) == host_name
    assert kernel.name.text == name
    assert kernel.name.span.of(text) == name


@pytest.mark.parametrize(
    ("text", "kind", "index", "attribute"),
    [
        ("device float* x [[buffer(3)]]", "buffer", 3, "buffer(3)"),
        ("constant uint& n", "buffer", 0, ""),
        ("constant const int shape[4]", "buffer", 0, ""),
        ("device ErrorMessages* e [[buffer(N)]]", "buffer", None, "buffer(N)"),
        ("threadgroup float* s [[threadgroup(1)]]", "threadgroup", 1, "threadgroup(1)"),
        ("threadgroup float* s", "threadgroup", 0, ""),
        ("uint i [[thread_position_in_grid]]", "builtin", None, "thread_position_in_grid"),
        ("uint i [[ thread_position_in_grid ]]", "builtin", None, "thread_position_in_grid"),
        ("texture2d<float> t [[texture(2)]]", "texture", 2, "texture(2)"),
        ("texture2d<float> t", "texture", 0, ""),
        ("sampler s [[sampler(0)]]", "sampler", 0, "sampler(0)"),
        ("V v [[stage_in]]", "stage", None, "stage_in"),
        ("uint i", "", None, ""),
    ],
)
def test_kinds_of_argument(text: str, kind: str, index: int | None, attribute: str) -> None:
    found = argument(text)
    assert (found.kind, found.index, found.attribute) == (kind, index, attribute)


def test_unnumbered_arguments_take_the_lowest_free_numbers_in_order() -> None:
    text = (
        "device float* a, device float* b [[buffer(0)]], constant uint& c, threadgroup int* s, "
        "device int* d [[buffer(3)]], texture2d<float> t, device int* e, device int* f"
    )
    (kernel,) = metal_facts(f"kernel void k({text}) {{}}").kernels
    found = [(it.name.text, it.index, it.explicit) for it in kernel.arguments or ()]
    assert found == [
        ("a", 1, False),
        ("b", 0, True),
        ("c", 2, False),
        ("s", 0, False),
        ("d", 3, True),
        ("t", 0, False),
        ("e", 4, False),
        ("f", 5, False),
    ]


def test_places_of_an_argument() -> None:
    text = "kernel void k(device float* x [[buffer(0)]], constant uint&) {}"
    (kernel,) = metal_facts(text).kernels
    first, second = kernel.arguments or ()
    assert first.name.span.of(text) == "x"
    assert first.span.of(text) == "device float* x [[buffer(0)]]"
    assert second.span.of(text) == "constant uint&"
    assert second.name.text == ""


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("#if A\n", "`#if` without `#endif`", "#if A"),
        ("#endif\n", "`#endif` without `#if`", "#endif"),
        ("#if\n#endif\n", "`#if` without a condition", "#if"),
        ("#if A\n#else\n#elif B\n#endif\n", "`#elif` after `#else`", "#elif B"),
        ("void f() {\n", "unclosed `{`", "{"),
        ("REGISTER(a, b;\n", "unclosed `(`", "("),
        ("void f() {}}\n", "unexpected `}`", "}"),
    ],
)
def test_problems(text: str, message: str, at: str) -> None:
    (problem,) = metal_facts(text).problems
    assert problem.message == message
    assert problem.span.of(text) == at


def test_offsets_count_code_points() -> None:
    text = "// \U0001f600 ü\nkernel void k(device float* x) { x[0] = 1; /* \U0001f600 */ }\n"
    (kernel,) = metal_facts(text).kernels
    assert kernel.name.span == Span(text.index("k("), text.index("k(") + 1)
    assert [it.access for it in kernel.arguments or ()] == ["write"]


def test_facts_survive_serialisation(facts: MetalFacts) -> None:
    packed = msgspec.msgpack.encode(facts)
    assert msgspec.msgpack.decode(packed, type=MetalFacts) == facts
    assert hash(facts) == hash(metal_facts(TEXT))


def test_the_kernels_of_2_6_have_no_problems(pytorch_tree: Path) -> None:
    paths = sorted(pytorch_tree.glob("aten/src/ATen/native/mps/kernels/*.metal"))
    problems = [it for path in paths for it in metal_facts(path.read_text("utf-8")).problems]
    assert len(paths) == 15
    assert problems == []


def test_the_headers_of_2_13_have_no_problems(torch_include: Path) -> None:
    paths = [*torch_include.glob("c10/metal/*.h"), *torch_include.glob("ATen/native/mps/kernels/*")]
    problems = [it for path in paths for it in metal_facts(path.read_text("utf-8")).problems]
    assert len(paths) == 29
    assert problems == []


def spans_within(facts: MetalFacts, length: int) -> bool:
    spans = [it.span for it in (*facts.invocations, *facts.kernels, *facts.declarations)]
    spans += [it.span for it in (*facts.problems, *facts.regions, *facts.directives)]
    spans += [it.span for kernel in facts.kernels for it in kernel.arguments or ()]
    spans += [it.name.span for it in (*facts.invocations, *facts.kernels, *facts.macros)]
    return all(0 <= span.start <= span.end <= length for span in spans)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(TEXT)), st.integers(0, 60), METALLIC)
def test_no_edit_makes_reading_raise(start: int, length: int, inserted: str) -> None:
    text = TEXT[:start] + inserted + TEXT[start + length :]
    assert spans_within(metal_facts(text), len(text))


@settings(max_examples=150, deadline=None)
@given(METALLIC)
def test_no_text_makes_reading_raise(text: str) -> None:
    assert spans_within(metal_facts(text), len(text))


def forget() -> None:
    """Empty what reading remembers from one text to the next."""
    for module in (access, access_walk, macro, metal_kernels):
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


@settings(max_examples=80, deadline=None)
@given(st.integers(0, len(TEXT)), st.integers(0, 60), METALLIC)
def test_facts_after_an_edit_are_those_of_a_fresh_reading(
    start: int, length: int, inserted: str
) -> None:
    metal_facts(TEXT)
    edited = TEXT[:start] + inserted + TEXT[start + length :]
    remembered = metal_facts(edited)
    forget()
    assert metal_facts(edited) == remembered
