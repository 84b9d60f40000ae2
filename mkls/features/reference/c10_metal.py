"""The helpers of `c10/metal/*.h`, as of PyTorch 2.13."""

from mkls.features.reference.entry import Word, WordKind, words

HELPERS: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "c10/metal/utils.h",
    """
T max(T a, T b) | The larger of a and b; NaN when one of them is, as in PyTorch. `metal::max` would
 ignore the NaN.
T min(T a, T b) | The smaller of a and b; NaN when one of them is, as in PyTorch.
bool less(T a, T b) | Whether a comes before b, NaNs last, as `torch.sort` has it.
common_dtype<T, U> floor_divide(T x, U y) | x / y rounded down, as `torch.floor_divide` does.
common_dtype<T, U> safe_mod(T x, U y) | x % y of integers. Written so that the compiler does not
 merge it with a division before it, which gives wrong results.
common_dtype<T, U> fmod(T x, U y) | The remainder with the sign of x, for integers too.
T cast_to<T>(U value) | Converts a value between dtypes as PyTorch does: a real number gets an
 imaginary part of 0, a complex one loses it, and becomes true where either part is not 0.
common_dtype<T, U> mul(T x, U y) | x·y, of complex numbers (float2, half2) too.
common_dtype<T, U> div(T x, U y) | x / y, of complex numbers too.
common_dtype<T, U> remainder(T x, U y) | The remainder with the sign of y, as `torch.remainder`.
T powi_impl(T a, T b) | a to a power that is a whole number and not negative.
T pow(T a, U b) | a to the power of b as PyTorch has it: in float for floating-point numbers, exact
 for integers, in polar form for complex ones.
float log1p(float x) | log(1 + x), precise for a small x; of complex numbers too.
T conj(T a) | The complex conjugate; a real number stays as it is.
float hypot(float a, float b) | √(a² + b²) without overflow on the way.
# c10/metal/common.h
T ceil_div(T a, T b) | a / b rounded up, for a ≥ 0.
T round_up(T a, T b) | The smallest multiple of b that is not below a.
# c10/metal/indexing.h
T offset_from_coord(thread T idx[max_ndim], constant long *strides, uint ndim) | The offset of a
 position: the sum of index times stride. In elements or bytes, as the strides are.
void pos_from_thread_index(T idx, thread T pos[max_ndim], constant long *sizes, uint ndim) | The
 position of the element with number `idx` in a tensor of `sizes`, the innermost dimension first.
long offset_from_thread_index(long idx, constant long *sizes, constant long *strides,
 uint ndim) | The offset of the element with number `idx`, innermost dimension first.
T val_at_offs<T>(device void *ptr, long offs); T val_at_offs<T>(P ptr, long offs,
 ScalarType type) | The value `offs` bytes behind `ptr`; with `type`, converted from that dtype.
device T &ref_at_offs<T>(device void *ptr, long offs) | The place `offs` bytes behind `ptr`, to be
 written.
void store_at_offs(device void *ptr, long offs, ScalarType type, T value) | Writes `value` as dtype
 `type`, `offs` bytes behind `ptr`.
# c10/metal/atomic.h
void atomic_add(device type *data, long offset, T value) | `AtomicType<T>::atomic_add` adds to
 element `offset`, for every dtype: small ones share a 32-bit word with their neighbours.
void atomic_binary_op(device type *data, long offset, T value, T (*op)(T, T)) |
 `AtomicType<T>::atomic_binary_op` replaces element `offset` by op(old, value).
void atomic_add_helper(device atomic<uint> *data, long offset, T value) | Adds to an element that
 is smaller than a 32-bit word.
void atomic_binary_op_helper(device atomic<AT> *data, long offset, T value, T (*op)(T, T)) | Tries
 op(old, value) until no other thread comes between.
# c10/metal/random.h
float rand(long seed, long index) | A uniform number in [0, 1) from the Philox generator: the same
 seed and index give the same number.
float randn(long seed, long index) | A number of the normal distribution, from seed and index.
long randint64(long seed, long index, long low, long high) | A whole number in [low, high).
float2 box_muller_from_philox(uint2 raw) | Two independent normal numbers from two random words.
uint4 multiple_rounds(uint4 ctr, uint2 key, uint rounds) | The rounds of the Philox generator.
uint2 mulhilo(uint a, uint b) | Both halves of a product.
uint2 splitlong(long v) | Both halves of a 64-bit integer.
float uint32_to_uniform_float(uint value) | A random word as a number in [0, 1).
uint4 single_round(uint4 ctr, uint2 key) | One round of the Philox generator.
# c10/metal/error.h
void report_error(device ErrorMessages *msgs, constant const char *file, int line,
 constant const char *func, Args... args) | What `TORCH_REPORT_ERROR` calls: stores a message for
 the host.
# c10/metal/expm1f.h
float expm1f(float a) | exp(a) - 1, precise for a small a.
""",
)

REDUCTIONS: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "c10/metal/reduction_utils.h",
    """
T simd_sum(T val) | The sum over the simdgroup, also of long, bfloat and complex numbers, for which
 `metal::simd_sum` is missing.
T simd_prod(T val) | The product over the simdgroup, also of long, bfloat and complex numbers.
T simd_broadcast(T val, ushort lane_id) | The value of one lane, in all; of 64-bit integers too.
T simd_max(T val) | The largest value of the simdgroup; NaN when there is one.
T simd_min(T val) | The smallest value of the simdgroup; NaN when there is one.
pair<T, ushort> simd_argmax(T val); pair<T, I> simd_argmax(T val, I index) | The largest value and
 its lane, or the index that this lane brought. A NaN counts as the largest.
pair<T, ushort> simd_argmin(T val); pair<T, I> simd_argmin(T val, I index) | The smallest value and
 its lane, or the index that this lane brought. A NaN counts as the smallest.
opmath_t<T> threadgroup_sum(threadgroup opmath_t<T> *data, T val, unsigned idx,
 unsigned size) | The sum over a threadgroup of at most 1,024 threads, in `data[0]` and as result.
 `data` needs room for one value per simdgroup; all threads must call it.
array<opmath_t<T>, 2> threadgroup_sum2(threadgroup opmath_t<T> *data_a, threadgroup opmath_t<T>
 *data_b, T val_a, T val_b, unsigned idx, unsigned size) | Two sums over a threadgroup at once.
opmath_t<T> threadgroup_prod(threadgroup opmath_t<T> *data, T val, unsigned idx,
 unsigned size) | The product over a threadgroup.
T threadgroup_max(threadgroup T *data, T val, unsigned idx, unsigned size) | The largest value of
 a threadgroup; NaN when there is one.
T threadgroup_min(threadgroup T *data, T val, unsigned idx, unsigned size) | The smallest value of
 a threadgroup; NaN when there is one.
float3 threadgroup_welford_reduce(threadgroup T *data, unsigned size) | Mean, sum of squared
 differences and weight of `size` values, by Welford's method.
float3 welford_combine(T a, T b) | The mean, squared differences and weight of two parts.
float3 threadgroup_welford_combine(threadgroup T *data, unsigned size) | The same for `size` parts.
T combine(T a, T b) | Of `MaxOp` and `MinOp`: the larger or smaller of two values, NaN when one is.
T simd_reduce(T val) | Of `MaxOp` and `MinOp`: the largest or smallest value of the simdgroup.
T threadgroup_reduce(threadgroup T *shared, T val, uint tid, uint tptg) | Of `MaxOp` and `MinOp`:
 the largest or smallest value of the threadgroup.
T identity() | Of `MaxOp` and `MinOp`: what changes nothing when it is combined.
bool replace(T old, T value) | Of `MaxOp` and `MinOp`: whether `value` takes the place of `old`;
 NaN takes every number's.
I threadgroup_argmax(threadgroup T *arg_data, threadgroup I *idx_data, T val, I idx_val,
 unsigned idx, unsigned size) | The index that belongs to the largest value of a threadgroup.
I threadgroup_argmin(threadgroup T *arg_data, threadgroup I *idx_data, T val, I idx_val,
 unsigned idx, unsigned size) | The index that belongs to the smallest value of a threadgroup.
""",
)

SPECIAL: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "c10/metal/special_math.h",
    """
float erf(T x) | The error function.
float erfc(T x) | 1 - erf(x), precise for a large x.
float erfcx(T x) | exp(x²)·erfc(x), the scaled complementary error function.
T erfcx_y100(T y100) | `erfcx` of 400 / y100 - 4: its table of Chebyshev polynomials.
float erfinv(T y) | The inverse of the error function, on (-1, 1).
T chbevl(T x, const float array[], const int len) | The value of a Chebyshev series, from its
 coefficients.
T i0(T x) | The modified Bessel function of the first kind, order 0.
T i0e(T x) | exp(-|x|)·i0(x).
T i1(T x) | The modified Bessel function of the first kind, order 1.
T i1e(T x) | exp(-|x|)·i1(x).
float log_gamma(T x) | The logarithm of |Γ(x)|.
float gamma(T x) | The gamma function.
float zeta(float x, float q) | The Hurwitz zeta function.
float calc_digamma_positive_domain(float x) | `digamma` for x > 0.
float digamma(T x) | The derivative of log Γ(x).
float trigamma(T x) | The second derivative of log Γ(x).
float polygamma(const int64_t order, T input) | The derivative of `digamma` of the given order.
T sinc(T a) | sin(πa) / (πa), 1 at 0; of complex numbers too.
T spherical_bessel_j0(T x) | sin(x) / x: the spherical Bessel function of order 0.
T logaddexp(T a, T b) | log(exp(a) + exp(b)) without overflow; of complex numbers too.
T logaddexp2(T a, T b) | log2(2ᵃ + 2ᵇ) without overflow.
float xlogy(T x, T y) | x·log(y), 0 for x = 0 unless y is NaN.
float xlog1py(T x, T y) | x·log(1 + y), 0 for x = 0 unless y is NaN.
T entr(T a) | -a·log(a) for a > 0, 0 at 0, -∞ below.
float bessel_j0_forward(T x) | The Bessel function of the first kind, order 0.
float bessel_j1_forward(T x) | The Bessel function of the first kind, order 1.
float bessel_y0_forward(T x) | The Bessel function of the second kind, order 0.
float bessel_y1_forward(T x) | The Bessel function of the second kind, order 1.
float modified_bessel_i0_forward(T x) | The modified Bessel function of the first kind, order 0.
float modified_bessel_i1_forward(T x) | The modified Bessel function of the first kind, order 1.
float modified_bessel_k0_forward(T x) | The modified Bessel function of the second kind, order 0.
float modified_bessel_k1_forward(T x) | The modified Bessel function of the second kind, order 1.
float scaled_modified_bessel_k0_forward(T x) | exp(x) times the function without `scaled`.
float scaled_modified_bessel_k1_forward(T x) | exp(x) times the function without `scaled`.
float chebyshev_polynomial_t_forward(T x, int64_t n) | The Chebyshev polynomial of the first kind.
float chebyshev_polynomial_u_forward(T x, int64_t n) | The Chebyshev polynomial of the second kind.
float chebyshev_polynomial_v_forward(T x, int64_t n) | The Chebyshev polynomial of the third kind.
float chebyshev_polynomial_w_forward(T x, int64_t n) | The Chebyshev polynomial of the fourth kind.
float shifted_chebyshev_polynomial_t_forward(T x, int64_t n) | The polynomial of 2x - 1.
float shifted_chebyshev_polynomial_u_forward(T x, int64_t n) | The polynomial of 2x - 1.
float shifted_chebyshev_polynomial_v_forward(T x, int64_t n) | The polynomial of 2x - 1.
float shifted_chebyshev_polynomial_w_forward(T x, int64_t n) | The polynomial of 2x - 1.
float hermite_polynomial_h_forward(T x, int64_t n) | The physicists' Hermite polynomial.
float hermite_polynomial_he_forward(T x, int64_t n) | The probabilists' Hermite polynomial.
int getHermitianLimit<T>() | The highest order of a Hermite polynomial that is computed.
# c10/metal/igamma.h
float lgamma(T a) | The same as `log_gamma`.
float expm1(float a) | The same as `expm1f`.
T calc_igamma(T a, T x) | The regularized lower incomplete gamma function.
T calc_igammac(T a, T x) | The regularized upper incomplete gamma function.
T igamma(T a, T b) | The same as `calc_igamma`.
T igammac(T a, T b) | The same as `calc_igammac`.
T lanczos_sum_expg_scaled(T x) | Lanczos' sum for the gamma function, scaled.
""",
)

TYPES: tuple[Word, ...] = words(
    WordKind.TYPE,
    "c10/metal/utils.h",
    """
opmath_t | The type in which a dtype is computed: float for half and bfloat, int for small
 integers, float2 for half2.
accum_t | The type in which a dtype is summed: float for half and bfloat.
vec2type_t | The vector of two of a type.
vec4type_t | The vector of four of a type.
result_of | What calling a functor with arguments of these types gives.
common_dtype | The type of a sum of the two types.
is_complex_v | Whether a type stands for complex numbers: float2 or half2.
is_scalar_floating_point_v | Whether a type is float, half or bfloat. `is_floating_point_v` is true
 of vectors too, and so of complex numbers.
is_scalar_integral_v | Whether a type is an integer and no vector.
pair | Two values: `first` and `second`.
# c10/metal/atomic.h
AtomicType | What a dtype needs for atomic access: `type`, `atomic_add` and `atomic_binary_op`.
AtomicType_t | The atomic word that holds elements of a dtype.
# c10/metal/common.h
ScalarType | The dtypes with the numbers of `c10::ScalarType`.
# c10/metal/error.h
ErrorMessage | One message for the host: file, function, line and text.
ErrorMessages | The buffer of messages that `TORCH_REPORT_ERROR` writes to; the host binds
 `stream->getErrorBuffer()`.
# c10/metal/reduction_utils.h
simd_type_t | The type in which the simdgroup reduces: float for bfloat.
MaxOp | The maximum as an operation with its neutral element.
MinOp | The minimum as an operation with its neutral element.
""",
)

CONSTANTS: tuple[Word, ...] = words(
    WordKind.CONSTANT,
    "c10/metal/common.h",
    """
max_ndim | How many dimensions a tensor may have in a strided kernel: 16.
simdgroup_size | How many lanes a simdgroup has: 32.
ILP_PER_THREAD | How many elements a thread of a dense kernel works on: 4.
# c10/metal/error.h
error_message_count | How many messages are kept until the host looks: 30.
""",
)

MACROS: tuple[Word, ...] = words(
    WordKind.MACRO,
    "c10/metal/indexing.h",
    """
REGISTER_UNARY_OP(NAME, DTYPE0, DTYPE1) | Instantiates the unary kernels for `NAME_functor`: input
 DTYPE0, output DTYPE1. The host names have the output first: `NAME_dense_DTYPE1_DTYPE0`. The
 castout kernels are keyed on the input alone, so register each input once.
REGISTER_UNARY_ALPHA_OP(NAME, DTYPEI, DTYPEA, DTYPEO) | The unary kernels whose functor takes a
 scalar as well: `NAME_dense_DTYPEO_DTYPEI_DTYPEA`.
REGISTER_BINARY_OP(NAME, DTYPEI, DTYPEO) | Instantiates the binary kernels for `NAME_functor`, all
 layouts and casts: `NAME_dense_DTYPEO_DTYPEI` and more.
REGISTER_OPMATH_BINARY_OP(NAME, DTYPEI, DTYPEO) | As REGISTER_BINARY_OP, with the functor computing
 in `opmath_t` of the input.
REGISTER_BINARY_OP_(NAME, DTYPEI, DTYPEO, OMT) | What the two macros above expand to.
REGISTER_BINARY_CASTOUT_OP(NAME, DTYPEI, DTYPEO) | The binary kernel that casts its result: for
 comparisons, whose output need not be bool.
REGISTER_BINARY_ALPHA_OP(NAME, DTYPEI, DTYPEA, DTYPEO) | The binary kernels whose functor takes a
 scalar as well, such as `torch.add` with alpha.
REGISTER_TERNARY_OP(NAME, DTYPEI, DTYPEO) | Instantiates the ternary kernels for `NAME_functor`.
REGISTER_OPMATH_TERNARY_OP(NAME, DTYPEI, DTYPEO) | As REGISTER_TERNARY_OP, computing in `opmath_t`.
REGISTER_TERNARY_OP_(NAME, DTYPEI, DTYPEO, OMT) | What the two macros above expand to.
DEFINE_UNARY_FLOATING_FUNCTOR(NAME) | Defines `NAME_functor`, which calls NAME: in the input's type
 for floating-point numbers, in float for integers.
DEFINE_BINARY_COMPARISON_FUNCTOR(NAME, OP) | Defines `NAME_functor`, which compares with OP.
# c10/metal/error.h
TORCH_REPORT_ERROR(buf, ...) | Tells the host of an error: string literals and integers only. The
 kernel goes on: return, or do not make the access. Raised at the next synchronization.
# c10/metal/common.h
IF_CONSTEXPR | `constexpr` where the language has it (Metal 4), else nothing: `if IF_CONSTEXPR (…)`.
C10_METAL_CONSTEXPR | `constant constexpr` in Metal, `constexpr` on the host.
C10_METAL_ALL_TYPES_FUNCTOR(_) | Calls a macro for every dtype, with its name, number and type.
# c10/metal/utils.h
INSTANTIATE_FOR_ALL_TYPES(MACRO) | Calls a macro for each of the usual types.
INSTANTIATE_FOR_FLOAT_TYPES(MACRO) | Calls a macro for float, half and bfloat.
""",
)
