"""Metal spellings to C++, line for line."""

# ruff: noqa: E501  (Metal text and tables of cases read best unbroken)

import pytest
import torch

from mkls.emulator.rewrite import TranslationUnit
from tests.emulator.kernels import Compile


def rewritten(text: str, **constants: object) -> str:
    unit = TranslationUnit(text)
    return unit.rewritten((), constants).text


def test_lines_stay_where_they_are() -> None:
    text = (
        "kernel void f(\n  device float* a [[\n    buffer(0)\n  ]]) {\n"
        "  threadgroup float\n    x[4],\n    y;\n}\n"
        'template [[host_name("g")]]\nkernel void f<int>(\n  device int*);\n'
    )
    assert rewritten(text).count("\n") == text.count("\n")


def test_attributes_become_spaces() -> None:
    assert rewritten("int a [[buffer(0)]];") == "int a              ;"


@pytest.mark.parametrize(
    ("declaration", "variables"),
    [
        ("threadgroup float a[4];", ["a"]),
        ("threadgroup float a[N * (M + 1)];", ["a"]),
        ("threadgroup float a[2][3], b, c[4];", ["a", "b", "c"]),
        ("threadgroup vec<float, 4> a[2];", ["a"]),
        ("threadgroup typename X<T, 2>::type a[2];", ["a"]),
        ("threadgroup atomic_uint a;", ["a"]),
        ("alignas(16) threadgroup float a[4];", ["a"]),
        ("static threadgroup float a[4];", ["a"]),
        ("float threadgroup a[4];", ["a"]),
        ("threadgroup float* a = b;", []),
        ("threadgroup float& a = b;", []),
        ("g((threadgroup float*)a);", []),
    ],
)
def test_threadgroup_variables(declaration: str, variables: list[str]) -> None:
    text = rewritten(f"kernel void f() {{ {declaration} }}")
    found = [
        word[len("mkls_variable_") :] for word in text.split() if word.startswith("mkls_variable_")
    ]
    assert found == variables


def test_function_constants_are_zero_until_they_are_given() -> None:
    text = "constant bool x [[function_constant(3)]]; bool y = is_function_constant_defined(x);"
    assert "= bool(0);" in rewritten(text)
    assert "y = false" in rewritten(text)
    assert "= bool(true);" in rewritten(text, x=True)
    assert "y = true" in TranslationUnit(text).rewritten((), {3: 1}).text


def test_a_function_constant_must_be_a_number() -> None:
    with pytest.raises(ValueError, match="must be a number"):
        rewritten("constant int x [[function_constant(0)]];", x="0; evil()")


def test_overloads_that_only_differ_by_address_space_collapse() -> None:
    text = rewritten(
        "float f(device float* p) { return *p; } float f(threadgroup float* q) { return *q; }"
        " float f(constant float* p) { return *p; }"
    )
    assert text.count("return") == 2


def test_members_of_different_specialisations_are_no_overloads() -> None:
    text = "template <> struct A<int> { void f(device int* p) {} }; template <> struct A<half> { void f(device int* p) {} };"
    assert rewritten(text).count("void f") == 2


def test_only_wanted_kernels_get_an_entry() -> None:
    unit = TranslationUnit("kernel void f() {} kernel void g() {}")
    text = unit.rewritten({"g"}, {}).text
    assert "mkls_kernel_1" in text
    assert "mkls_kernel_0" not in text


@pytest.mark.parametrize(
    ("body", "waits"),
    [
        ("", False),
        ("threadgroup_barrier(mem_flags::mem_none);", True),
        ("helper(1);", True),
        ("uint simd_lane_id = 0;", False),
        ("return reduce<Op>(1);", True),
    ],
)
def test_who_may_wait(body: str, waits: bool) -> None:
    unit = TranslationUnit(
        "template <class T> T helper(T x) { return simd_sum(x); }"
        "struct Op { int operator()() { return simd_max(1); } };"
        f"kernel void f() {{ {body} }}"
    )
    assert (unit.mode("f") != "independent") is waits


@pytest.mark.parametrize(
    "text", ["", "[[", "threadgroup", "kernel", "template <", "}", "kernel void f(int", "struct"]
)
def test_broken_text_is_read(text: str) -> None:
    assert rewritten(text).count("\n") == 0


MEMBERS = """
template <typename T> struct pair {
  T a, b;
  constexpr pair(T x) thread : a(x), b(x) {}
  constexpr pair(T x) threadgroup : a(x), b(x) {}
  constexpr pair(T x) constant : a(x), b(x) {}
  T sum() const thread { return a + b; }
  T sum() const device { return a + b; }
  T sum() const constant { return a + b; }
  T operator()(T x) const { return a * x; }
  T operator()(T x, T y) const { return a * x + b * y; }
  pair operator+(pair o) const { return pair(a + o.a); }
  pair operator-(pair o) const { return pair(a - o.a); }
};
template <typename T> struct element {};
template <typename T> struct element<thread T*> { typedef T type; };
template <typename T> struct element<device T*> { typedef T type; };
template <typename T> struct element<constant T*> { typedef T type; };
struct floored {
  template <typename T> metal::enable_if_t<metal::is_integral_v<T>, T> operator()(T x) thread { return x / 2; }
  template <typename T> metal::enable_if_t<!metal::is_integral_v<T>, T> operator()(T x) thread { return floor(x / 2); }
};
kernel void k(device float* out) {
  pair<float> p(3), q(1);
  element<device float*>::type z = floored()(5.0f) + floored()(5);
  out[0] = (p + q).sum() + (p - q).sum() + p(2) + p(2, 4) + z;
}
"""


def test_members_and_specialisations_by_address_space(compile_: Compile) -> None:
    out = torch.zeros(1)
    compile_(MEMBERS).k(out)
    assert out.item() == 8 + 4 + 6 + 18 + 4


def test_coherent_is_understood(compile_: Compile) -> None:
    out = torch.zeros(1)
    compile_(
        "kernel void k(coherent(device) device float* out, coherent device float* b) { out[0] = 1; }"
    ).k(out, None)
    assert out.item() == 1


def test_constructors_that_differ_by_the_objects_space_collapse(compile_: Compile) -> None:
    source = """
    template <typename T> struct pair {
      T a; T b;
      constexpr pair() thread : a(0), b(0) {};
      constexpr pair() threadgroup : a(0), b(0) {};
      template <typename U> constexpr pair(U x) thread : a(static_cast<T>(x)), b(0) {}
      template <typename U> constexpr pair(U x) device : a(static_cast<T>(x)), b(0) {}
      template <typename U> constexpr pair(U x) constant : a(static_cast<T>(x)), b(0) {}
      constexpr T sum() const thread { return a + b; }
      constexpr T sum() const device { return a + b; }
      friend constexpr thread pair& operator+=(thread pair& x, pair y) { x.a += y.a; return x; }
      friend constexpr device pair& operator+=(device pair& x, pair y) { x.a += y.a; return x; }
    };
    template <typename T> constexpr threadgroup pair<T>& operator-=(threadgroup pair<T>& x, pair<T> y) { x.a -= y.a; return x; }
    template <typename T> constexpr device pair<T>& operator-=(device pair<T>& x, pair<T> y) { x.a -= y.a; return x; }
    kernel void f(device float* out) { pair<float> p(2); p += pair<float>(3); p -= pair<float>(1); out[0] = p.sum(); }
    """
    out = torch.zeros(1)
    compile_(source).kernel("f")(out, threads=1)
    assert out.item() == 4


def test_memory_flags_combine_and_hide_no_operators(compile_: Compile) -> None:
    source = """
    template <typename T> kernel void f(device T* out, device const vec<T, 4>* v) {
      threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
      vec<T, 2> scaled = v[0].xy * T(3);
      out[0] = scaled.y;
    }
    template [[host_name("f")]] kernel void f<float>(device float*, device const float4*);
    """
    out = torch.zeros(1)
    compile_(source).kernel("f")(out, torch.tensor([1.0, 2.0, 3.0, 4.0]), threads=1)
    assert out.item() == 6
