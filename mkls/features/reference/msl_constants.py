"""The constants and the type traits of MSL."""

from mkls.features.reference.entry import Word, WordKind, words

CONSTANTS: tuple[Word, ...] = words(
    WordKind.CONSTANT,
    "MSL, section 6.5 (math functions)",
    """
INFINITY | Positive infinity, a float.
NAN | A float that is not a number.
HUGE_VALF | Positive infinity, a float.
HUGE_VALH | Positive infinity, a half.
HUGE_VALBF | Positive infinity, a bfloat.
MAXFLOAT | The largest finite float.
FLT_MAX | The largest finite float.
FLT_MIN | The smallest positive normal float.
FLT_EPSILON | The distance from 1 to the next float.
HALF_MAX | The largest finite half, 65504.
HALF_MIN | The smallest positive normal half.
HALF_EPSILON | The distance from 1 to the next half.
BFLT_MAX | The largest finite bfloat.
BFLT_MIN | The smallest positive normal bfloat.
BFLT_EPSILON | The distance from 1 to the next bfloat.
M_E_F | e, a float; `M_E_H` is a half.
M_LOG2E_F | The logarithm of e to base 2.
M_LOG10E_F | The logarithm of e to base 10.
M_LN2_F | The natural logarithm of 2.
M_LN10_F | The natural logarithm of 10.
M_PI_F | π, a float; `M_PI_H` is a half.
M_PI_2_F | π/2.
M_PI_4_F | π/4.
M_1_PI_F | 1/π.
M_2_PI_F | 2/π.
M_2_SQRTPI_F | 2/√π.
M_SQRT2_F | √2.
M_SQRT1_2_F | 1/√2.
INT_MAX | The largest int.
INT_MIN | The smallest int.
UINT_MAX | The largest uint.
LONG_MAX | The largest long.
LONG_MIN | The smallest long.
ULONG_MAX | The largest ulong.
# MSL, section 1.5.2 (preprocessor definitions)
__METAL_VERSION__ | The language version, 310 for Metal 3.1: `#if __METAL_VERSION__ >= 310` guards
 what needs bfloat.
__METAL__ | Defined when Metal is compiled: a header that the host includes as well tests it.
__METAL_MACOS__ | Defined when it is compiled for macOS.
__FAST_MATH__ | Defined when fast math is on. PyTorch compiles without.
""",
)

TRAITS: tuple[Word, ...] = words(
    WordKind.TYPE,
    "MSL, section 6.1 (header `metal_type_traits`)",
    """
enable_if_t | `enable_if_t<condition, T>` is T, or no type when the condition is false: the
 overload that it stands in drops out.
conditional_t | `conditional_t<condition, T, F>` is T or F.
is_same_v | Whether two types are the same.
is_floating_point_v | Whether a type is made of floating-point numbers: vectors count, and so do
 the float2 of complex numbers.
is_integral_v | Whether a type is made of integers; vectors count.
is_signed_v | Whether a type has a sign.
is_unsigned_v | Whether a type has no sign.
is_scalar_v | Whether a type is no vector.
is_vector_v | Whether a type is a vector.
is_pointer_v | Whether a type is a pointer.
make_scalar_t | The type of a vector's components.
make_unsigned_t | The unsigned type of the same size.
make_signed_t | The signed type of the same size.
remove_addrspace_t | The type without its address space.
remove_const_t | The type without `const`.
remove_reference_t | What a reference refers to.
numeric_limits | `numeric_limits<T>::max()`, `lowest()`, `infinity()` and the like, of each scalar.
vec | `vec<T, N>`: a vector of 2, 3 or 4.
packed_vec | `packed_vec<T, N>`: a vector that is aligned like its component.
matrix | `matrix<T, C, R>`: C columns of R rows.
simd_vote | Which lanes of a simdgroup answered yes; converts to ulong.
quad_vote | Which lanes of a quadgroup answered yes.
uniform | `uniform<T>`: a value that is the same in all threads.
texture1d | An image of one dimension, read and written by `read`, `write` and `sample`.
texture2d | An image of two dimensions.
texture3d | An image of three dimensions.
sampler | How an image is read between its pixels.
""",
)
