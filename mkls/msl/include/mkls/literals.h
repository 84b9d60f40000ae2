// MSL 2.1.1: the literal suffix h; `H` and `bf` are no identifiers that C++ lets us define, so mkls rewrites those.
#pragma once
#pragma clang system_header
#include <mkls/bfloat.h>

MKLS_INLINE constexpr half operator""h(long double value) { return half(value); }
MKLS_INLINE constexpr half operator""h(unsigned long long value) { return half(value); }
MKLS_INLINE constexpr half operator""_mkls_h(long double value) { return half(value); }
MKLS_INLINE constexpr half operator""_mkls_h(unsigned long long value) { return half(value); }
MKLS_INLINE constexpr bfloat operator""_mkls_bf(long double value) { return bfloat(float(value)); }
MKLS_INLINE constexpr bfloat operator""_mkls_bf(unsigned long long value) { return bfloat(float(value)); }
