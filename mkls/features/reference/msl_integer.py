"""The functions of MSL for integers and bits.

T stands for an integer type and vectors of it, U for the unsigned type of the same size.
"""

from mkls.features.reference.entry import Word, WordKind, words

INTEGER: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "MSL, section 6.3 (integer functions)",
    """
T abs(T x) | The magnitude of x. Of the smallest signed number it is that number again.
U absdiff(T x, T y) | |x - y| without overflow, as the unsigned type.
T addsat(T x, T y) | x + y, kept at the ends of the type's range.
T clz(T x) | How many zeros lead; the type's width for 0.
T ctz(T x) | How many zeros trail; the type's width for 0.
T extract_bits(T x, uint offset, uint bits) | `bits` bits of x from `offset` on, with the sign
 extended for signed types. Undefined when they reach past the type's width.
T hadd(T x, T y) | (x + y) >> 1 without overflow.
T insert_bits(T base, T insert, uint offset, uint bits) | `base` with `bits` bits replaced, from
 `offset` on, by the lowest ones of `insert`.
T mad24(T x, T y, T z) | x·y + z of 24-bit numbers in int or uint.
T madhi(T a, T b, T c) | mulhi(a, b) + c.
T madsat(T a, T b, T c) | a·b + c, kept at the ends of the type's range.
T max(T x, T y) | The larger of x and y. For floating-point numbers it is `fmax`, which ignores
 a NaN; `c10::metal::max` hands NaNs on.
T max3(T x, T y, T z) | The largest of the three.
T median3(T x, T y, T z) | The middle one of the three.
T min(T x, T y) | The smaller of x and y. For floating-point numbers it is `fmin`, which ignores
 a NaN; `c10::metal::min` hands NaNs on.
T min3(T x, T y, T z) | The smallest of the three.
T mul24(T x, T y) | x·y of 24-bit numbers in int or uint.
T mulhi(T x, T y) | The upper half of the product.
T popcount(T x) | How many bits are set.
T reverse_bits(T x) | The bits in the opposite order.
T rhadd(T x, T y) | (x + y + 1) >> 1 without overflow.
T rotate(T x, T count) | The bits moved to the left by `count`; what leaves comes in at the right.
T subsat(T x, T y) | x - y, kept at the ends of the type's range.
""",
)

PACK: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "MSL, section 6.14.1 (unpacking)",
    """
float4 unpack_unorm4x8_to_float(uint x) | Four bytes as numbers in [0, 1].
float4 unpack_snorm4x8_to_float(uint x) | Four signed bytes as numbers in [-1, 1].
half4 unpack_unorm4x8_to_half(uint x) | Four bytes as numbers in [0, 1].
half4 unpack_snorm4x8_to_half(uint x) | Four signed bytes as numbers in [-1, 1].
float4 unpack_unorm4x8_srgb_to_float(uint x) | Four sRGB bytes as linear numbers; alpha is linear.
half4 unpack_unorm4x8_srgb_to_half(uint x) | Four sRGB bytes as linear numbers; alpha is linear.
float2 unpack_unorm2x16_to_float(uint x) | Two 16-bit numbers as numbers in [0, 1].
float2 unpack_snorm2x16_to_float(uint x) | Two signed 16-bit numbers as numbers in [-1, 1].
half2 unpack_unorm2x16_to_half(uint x) | Two 16-bit numbers as numbers in [0, 1].
half2 unpack_snorm2x16_to_half(uint x) | Two signed 16-bit numbers as numbers in [-1, 1].
float4 unpack_unorm10a2_to_float(uint x) | Three 10-bit numbers and a 2-bit one, in [0, 1].
half4 unpack_unorm10a2_to_half(uint x) | Three 10-bit numbers and a 2-bit one, in [0, 1].
float3 unpack_unorm565_to_float(ushort x) | 5, 6 and 5 bits as numbers in [0, 1].
half3 unpack_unorm565_to_half(ushort x) | 5, 6 and 5 bits as numbers in [0, 1].
# MSL, section 6.14.2 (packing)
uint pack_float_to_unorm4x8(float4 x) | Numbers in [0, 1] as four bytes.
uint pack_float_to_snorm4x8(float4 x) | Numbers in [-1, 1] as four signed bytes.
uint pack_half_to_unorm4x8(half4 x) | Numbers in [0, 1] as four bytes.
uint pack_half_to_snorm4x8(half4 x) | Numbers in [-1, 1] as four signed bytes.
uint pack_float_to_srgb_unorm4x8(float4 x) | Linear numbers as four sRGB bytes; alpha is linear.
uint pack_half_to_srgb_unorm4x8(half4 x) | Linear numbers as four sRGB bytes; alpha is linear.
uint pack_float_to_unorm2x16(float2 x) | Numbers in [0, 1] as two 16-bit numbers.
uint pack_float_to_snorm2x16(float2 x) | Numbers in [-1, 1] as two signed 16-bit numbers.
uint pack_half_to_unorm2x16(half2 x) | Numbers in [0, 1] as two 16-bit numbers.
uint pack_half_to_snorm2x16(half2 x) | Numbers in [-1, 1] as two signed 16-bit numbers.
uint pack_float_to_unorm10a2(float4 x) | Numbers in [0, 1] as 10, 10, 10 and 2 bits.
uint pack_half_to_unorm10a2(half4 x) | Numbers in [0, 1] as 10, 10, 10 and 2 bits.
ushort pack_float_to_unorm565(float3 x) | Numbers in [0, 1] as 5, 6 and 5 bits.
ushort pack_half_to_unorm565(half3 x) | Numbers in [0, 1] as 5, 6 and 5 bits.
""",
)
