// MSL 6.3 integer functions other than min, max and their relatives; each for scalars and vectors of all widths.
#pragma once
#pragma clang system_header
#include <mkls/elementwise.h>
#include <mkls/numeric_limits.h>

namespace mkls {

template <class T> constexpr int width_of = 8 * int(sizeof(T));
template <class T> using unsigned_of = metal::make_unsigned_t<T>;
template <class T> using twice_as_wide = metal::conditional_t<(T(-1) < T(0)), __int128, unsigned __int128>;

template <class T, class W> MKLS_INLINE constexpr T saturated(W value) {
  constexpr W low = W(metal::numeric_limits<T>::min()), high = W(metal::numeric_limits<T>::max());
  return value < low ? T(low) : value > high ? T(high) : T(value);
}
// The low 24 bits, sign-extended for signed types.
template <class T> MKLS_INLINE constexpr T low24(T x) { return T(x << 8) >> 8; }

template <class A, class V = vector_result<numbers::integers, A>>
using unsigned_vector = metal::vec<unsigned_of<element_of<V>>, V::Width>;

} // namespace mkls

namespace metal {

// MSL 6.3 absdiff: |x - y| without overflow, as the unsigned type
template <class T, class U = mkls::unsigned_of<mkls::if_integer<T>>> MKLS_INLINE constexpr U absdiff(T x, T y) {
  return x < y ? U(U(y) - U(x)) : U(U(x) - U(y));
}
template <class A, class B, class V = mkls::vector_result<mkls::numbers::integers, A, B>>
MKLS_INLINE constexpr mkls::unsigned_vector<V> absdiff(A first, B second) {
  const V a(first), b(second);
  MKLS_EACH2(mkls::unsigned_vector<V>, absdiff)
}
// MSL 6.3 addsat
template <class T> MKLS_INLINE constexpr mkls::if_integer<T> addsat(T x, T y) {
  T sum = 0;
  if (!__builtin_add_overflow(x, y, &sum))
    return sum;
  return x < T(0) ? numeric_limits<T>::min() : numeric_limits<T>::max();
}
MKLS_VECTOR2(addsat, integers)
// MSL 6.3 subsat
template <class T> MKLS_INLINE constexpr mkls::if_integer<T> subsat(T x, T y) {
  T difference = 0;
  if (!__builtin_sub_overflow(x, y, &difference))
    return difference;
  return x < y ? numeric_limits<T>::min() : numeric_limits<T>::max();
}
MKLS_VECTOR2(subsat, integers)
// MSL 6.3 hadd: (x + y) >> 1 without overflow
template <class T> MKLS_INLINE constexpr mkls::if_integer<T> hadd(T x, T y) {
  return T((x >> 1) + (y >> 1) + (x & y & T(1)));
}
MKLS_VECTOR2(hadd, integers)
// MSL 6.3 rhadd: (x + y + 1) >> 1 without overflow
template <class T> MKLS_INLINE constexpr mkls::if_integer<T> rhadd(T x, T y) {
  return T((x >> 1) + (y >> 1) + ((x | y) & T(1)));
}
MKLS_VECTOR2(rhadd, integers)
// MSL 6.3 mulhi: the upper half of the full product
template <class T> MKLS_INLINE constexpr mkls::if_integer<T> mulhi(T x, T y) {
  return T((mkls::twice_as_wide<T>(x) * mkls::twice_as_wide<T>(y)) >> mkls::width_of<T>);
}
MKLS_VECTOR2(mulhi, integers)
// MSL 6.3 madhi: mulhi(a, b) + c, which wraps
template <class T> MKLS_INLINE constexpr mkls::if_integer<T> madhi(T a, T b, T c) {
  return T(ulong(mulhi(a, b)) + ulong(c));
}
MKLS_VECTOR3(madhi, integers)
// MSL 6.3 madsat: a * b + c, saturated
template <class T> MKLS_INLINE constexpr mkls::if_integer<T> madsat(T a, T b, T c) {
  using W = mkls::twice_as_wide<T>;
  if constexpr (sizeof(T) < 8 || T(-1) < T(0)) {
    return mkls::saturated<T>(W(a) * W(b) + W(c));
  } else {
    W result = 0;
    return __builtin_add_overflow(W(a) * W(b), W(c), &result) ? T(-1) : mkls::saturated<T>(result);
  }
}
MKLS_VECTOR3(madsat, integers)
// MSL 6.3 mul24: product of the low 24 bits of each argument, 32 bits of it
template <class T> MKLS_INLINE constexpr enable_if_t<mkls::is_integer_scalar<T> && sizeof(T) == 4, T> mul24(T x, T y) {
  return T(ulong(mkls::low24(x)) * ulong(mkls::low24(y)));
}
MKLS_VECTOR2(mul24, integers)
// MSL 6.3 mad24: mul24(x, y) + z
template <class T> MKLS_INLINE constexpr enable_if_t<mkls::is_integer_scalar<T> && sizeof(T) == 4, T> mad24(T x, T y, T z) {
  return T(uint(mul24(x, y)) + uint(z));
}
MKLS_VECTOR3(mad24, integers)
// MSL 6.3 popcount
template <class T> MKLS_INLINE constexpr mkls::if_integer<T> popcount(T x) {
  return T(__builtin_popcountll(mkls::unsigned_of<T>(x)));
}
MKLS_VECTOR1(popcount, integers)
// MSL 6.3 clz: the width of the type for 0
template <class T> MKLS_INLINE constexpr mkls::if_integer<T> clz(T x) {
  return x == T(0) ? T(mkls::width_of<T>) : T(__builtin_clzll(mkls::unsigned_of<T>(x)) - (64 - mkls::width_of<T>));
}
MKLS_VECTOR1(clz, integers)
// MSL 6.3 ctz: the width of the type for 0
template <class T> MKLS_INLINE constexpr mkls::if_integer<T> ctz(T x) {
  return x == T(0) ? T(mkls::width_of<T>) : T(__builtin_ctzll(mkls::unsigned_of<T>(x)));
}
MKLS_VECTOR1(ctz, integers)
// MSL 6.3 reverse_bits
template <class T> MKLS_INLINE constexpr mkls::if_integer<T> reverse_bits(T x) {
  return T(__builtin_bitreverse64(mkls::unsigned_of<T>(x)) >> (64 - mkls::width_of<T>));
}
MKLS_VECTOR1(reverse_bits, integers)
// MSL 6.3 rotate: left, by the count modulo the width
template <class T> MKLS_INLINE constexpr mkls::if_integer<T> rotate(T x, T count) {
  using U = mkls::unsigned_of<T>;
  const int left = int(count) & (mkls::width_of<T> - 1), right = (mkls::width_of<T> - left) & (mkls::width_of<T> - 1);
  return T(U(ulong(U(x)) << left) | U(U(x) >> right));
}
MKLS_VECTOR2(rotate, integers)

// MSL 6.3 extract_bits: the field, zero- or sign-extended; offset + bits past the width is undefined, here the field
// ends at the width
template <class T> MKLS_INLINE constexpr mkls::if_integer<T> extract_bits(T x, uint offset, uint bits) {
  constexpr uint width = mkls::width_of<T>;
  if (bits == 0 || offset >= width)
    return T(0);
  const uint kept = bits < width - offset ? bits : width - offset;
  const T upper = T(mkls::unsigned_of<T>(x) << (width - offset - kept));
  return T(upper >> (width - kept));
}
template <class A, class V = mkls::vector_result<mkls::numbers::integers, A>>
MKLS_INLINE constexpr V extract_bits(A first, uint offset, uint bits) {
  const V a(first);
#define MKLS_EXTRACT(x) extract_bits(x, offset, bits)
  MKLS_EACH1(V, MKLS_EXTRACT)
#undef MKLS_EXTRACT
}
// MSL 6.3 insert_bits: base with the field replaced by the low bits of insert
template <class T> MKLS_INLINE constexpr mkls::if_integer<T> insert_bits(T base, T insert, uint offset, uint bits) {
  constexpr uint width = mkls::width_of<T>;
  if (bits == 0 || offset >= width)
    return base;
  const ulong field = (bits >= 64 ? ~ulong(0) : (ulong(1) << bits) - 1u) << offset;
  return T((ulong(base) & ~field) | ((ulong(insert) << offset) & field));
}
template <class A, class B, class V = mkls::vector_result<mkls::numbers::integers, A, B>>
MKLS_INLINE constexpr V insert_bits(A first, B second, uint offset, uint bits) {
  const V a(first), b(second);
#define MKLS_INSERT(x, y) insert_bits(x, y, offset, bits)
  MKLS_EACH2(V, MKLS_INSERT)
#undef MKLS_INSERT
}

} // namespace metal
