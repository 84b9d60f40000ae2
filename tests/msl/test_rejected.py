"""Programs that Metal's compiler refuses, so that a kernel that works here compiles on a Mac."""

import pytest

from tests.msl.harness import compile_errors

REJECTED = {
    "a selection that repeats a component is no place": "void f(float4 v) { v.xx = float2(1); }",
    "a component the vector lacks": "float f(float2 v) { return v.z; }",
    "letters of two sets": "float2 f(float4 v) { return v.xg; }",
    "vectors of different elements": "float4 f(float4 a, int4 b) { return a + b; }",
    "vectors of different widths": "float4 f(float4 a, float3 b) { return a * b; }",
    "a vector for a scalar": "float f(float2 v) { float x = v; return x; }",
    "too few components": "float4 f(float2 v) { return float4(v, 1.0f); }",
    "too many components": "float3 f(float2 v) { return float3(v, v); }",
    "float to bfloat without a cast": "bfloat f(float x) { return x; }",
    "bfloat to half without a cast": "half f(bfloat x) { return x; }",
    "min of two types": "float f(float x, int n) { return metal::min(x, n); }",
    "a math function of an integer": "float f(int n) { return metal::sqrt(n); }",
    "a math function of an integer vector": "int4 f(int4 n) { return metal::exp(n); }",
    "an integer function of a float": "float f(float x) { return metal::popcount(x); }",
    "as_type of another size": "half f(float x) { return as_type<half>(x); }",
    "matrices that do not fit": "float2x2 f(float2x3 a, float2x2 b) { return b * a * a; }",
    "a bitwise operator on floats": "float2 f(float2 v) { return v & v; }",
}


@pytest.mark.parametrize("what", REJECTED)
def test_program_is_rejected(what: str):
    assert "error:" in compile_errors(REJECTED[what])


def test_the_same_headers_accept_their_neighbours():
    accepted = """
    void f(float4 v) { v.xy = float2(1); }
    float4 g(float4 a, int4 b) { return a + float4(b); }
    bfloat h(float x) { return bfloat(x); }
    float i(float x, int n) { return metal::min(x, float(n)) + metal::pow(x, 2); }
    """

    assert compile_errors(accepted) == ""
