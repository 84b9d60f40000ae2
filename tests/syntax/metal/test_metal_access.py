"""What kernels do to their buffers."""

import pytest

from mkls.facts.metal import metal_facts


def access(body: str, parameter: str = "device float* x", before: str = "") -> str:
    text = f"{before}\nkernel void k({parameter} [[buffer(0)]], uint i) {{ {body} }}\n"
    (kernel,) = metal_facts(text).kernels
    assert kernel.arguments is not None
    return kernel.arguments[0].access


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x[i] = 1;", "write"),
        ("*x = 1;", "write"),
        ("x[i].y = 1;", "write"),
        ("(*(x + i)) = 1;", "write"),
        ("x[i] += 1;", "read_write"),
        ("++x[i];", "read_write"),
        ("float y = x[i];", "read"),
        ("float y = x[i]; x[i] = y;", "read_write"),
        ("x[x[i]] = 2;", "read_write"),
        ("float y; y = *x;", "read"),
        ("for (; i < 3; ++i) x[i] = 0;", "write"),
        ("*x++ = 1;", "write"),
        ("auto p = x + i; p[0] = 1;", "write"),
        ("device float* p = (device float*)((device char*)x + i); *p = 1;", "write"),
        ("device float* p; p = x; p[1] = 1;", "write"),
        ("const device float* p = x; float y = *p;", "read"),
        ("constant float* p = (constant float*)x;", "read"),
        ("device float& y = x[i]; y = 1;", "write"),
        ("float& y = x[i]; y += 1;", "read_write"),
        ("reinterpret_cast<device float4*>(x + i)[0] = 1;", "write"),
        ("float y = reinterpret_cast<const device float4*>(x)[0].x;", "read"),
        ("atomic_store_explicit(x, 1, memory_order_relaxed);", "write"),
        ("atomic_fetch_add_explicit(&x[i], 1, memory_order_relaxed);", "read_write"),
        ("auto y = atomic_load_explicit(x, memory_order_relaxed);", "read"),
        ("simdgroup_store(m, x, 8);", "write"),
        ("simdgroup_load(m, x, 8);", "read"),
        ("elsewhere(x, i);", "read_write"),
        ("elsewhere(x[i]);", "read"),
        ("STORE(x, i);", "read_write"),
        ("struct A a = {x};", "read_write"),
        ("uint n = sizeof(*x);", ""),
        ("a.x = 1; a->x = 2;", ""),
        ("", ""),
    ],
)
def test_access(body: str, expected: str) -> None:
    assert access(body) == expected


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ("constant float* x", "read"),
        ("const device float* x", "read"),
        ("device const float& x", "read"),
        ("device float& x", "read_write"),
    ],
)
def test_constness_and_references(parameter: str, expected: str) -> None:
    assert access("x += 1;", parameter) == expected


@pytest.mark.parametrize(
    ("function", "call", "expected"),
    [
        ("void put(device float* p, float v) { *p = v; }", "put(x, 1);", "write"),
        ("template <typename T> T get(device T* p) { return p[0]; }", "float y = get<float>(x);",
         "read"),
        ("void both(device float& p) { p += 1; }", "both(x[i]);", "read_write"),
        ("void one(const device float* p);", "one(x);", "read_write"),
        ("void one(const device float* p) { float y = *p; }", "one(x);", "read"),
        ("void a(device float* p) { b(p); } void b(device float* p) { a(p); }", "a(x);",
         "read_write"),
        ("device float& at(device float* p, uint i) { return p[i]; }", "at(x, i) = 1;", "write"),
        ("device float& at(device float* p, uint i) { return p[i]; }", "float y = at(x, i);",
         "read_write"),
        ("void put(device float* p) { SWITCH }", "put(x);", "read_write"),
        ("void put(device float* p, int a) {}", "put(x);", "read_write"),
    ],
)  # fmt: skip
def test_functions_of_the_document_are_followed(function: str, call: str, expected: str) -> None:
    assert access(call, before=function) == expected
