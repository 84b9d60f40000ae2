"""The functions of MSL that compute with floating-point numbers.

T stands for float, half or bfloat and vectors of 2, 3 and 4 of them; I for the int of T's width.
"""

from mkls.features.reference.entry import Word, WordKind, words

MATH: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "MSL, section 6.5 (math functions)",
    """
T acos(T x) | The angle in [0, π] whose cosine is x; NaN outside of [-1, 1].
T acosh(T x) | The inverse hyperbolic cosine; NaN below 1.
T asin(T x) | The angle in [-π/2, π/2] whose sine is x; NaN outside of [-1, 1].
T asinh(T x) | The inverse hyperbolic sine.
T atan(T y_over_x) | The angle in [-π/2, π/2] whose tangent is the argument.
T atan2(T y, T x) | The angle of the point (x, y), in [-π, π]; both signs decide the quadrant.
T atanh(T x) | The inverse hyperbolic tangent; infinite at ±1, NaN beyond.
T ceil(T x) | The smallest whole number that is not below x.
T copysign(T x, T y) | The magnitude of x with the sign of y, of zeros and NaNs too.
T cos(T x) | The cosine of x, in radians.
T cosh(T x) | The hyperbolic cosine.
T cospi(T x) | The cosine of π·x, without the error of multiplying by π first.
T divide(T x, T y) | x / y. With fast math the plain operator may be less precise than this.
T exp(T x) | e to the power of x.
T exp2(T x) | 2 to the power of x.
T exp10(T x) | 10 to the power of x.
T fabs(T x) | The magnitude of x; `abs` does the same.
T fdim(T x, T y) | x - y where x is the larger one, else +0.
T floor(T x) | The largest whole number that is not above x.
T fma(T a, T b, T c) | a·b + c, rounded once.
T fmax(T x, T y) | The larger of x and y. One NaN is ignored, unlike in `c10::metal::max`, which
 hands NaNs on as PyTorch does.
T fmax3(T x, T y, T z) | The largest of the three; NaNs as in `fmax`.
T fmedian3(T x, T y, T z) | The middle one of the three.
T fmin(T x, T y) | The smaller of x and y. One NaN is ignored, unlike in `c10::metal::min`.
T fmin3(T x, T y, T z) | The smallest of the three; NaNs as in `fmin`.
T fmod(T x, T y) | x - y·trunc(x / y): the remainder has the sign of x. Python's `%` and
 `torch.remainder` take the sign of y.
T fract(T x) | x - floor(x), kept below 1.
T frexp(T x, I &exponent) | Splits x into a mantissa in [0.5, 1), which is returned, and a power
 of two.
I ilogb(T x) | The exponent of x as an int.
T ldexp(T x, I k) | x · 2ᵏ.
T log(T x) | The natural logarithm; NaN below 0, -∞ at 0.
T log2(T x) | The logarithm of base 2.
T log10(T x) | The logarithm of base 10.
T modf(T x, T &whole) | Splits x into a fraction, which is returned, and a whole part; both have
 the sign of x.
T nextafter(T x, T y) | The representable number next to x towards y (Metal 3.1).
T pow(T x, T y) | x to the power of y. With fast math an x below 0 may give NaN;
 `precise::pow` does not.
T powr(T x, T y) | x to the power of y for x ≥ 0; NaN for a negative x.
T rint(T x) | x rounded to a whole number, ties to the even one, as `torch.round` does.
T round(T x) | x rounded to a whole number, ties away from zero. `torch.round` is `rint`.
T rsqrt(T x) | 1 / √x.
T sin(T x) | The sine of x, in radians.
T sincos(T x, T &cosine) | Returns the sine of x and stores its cosine.
T sinh(T x) | The hyperbolic sine.
T sinpi(T x) | The sine of π·x, without the error of multiplying by π first.
T sqrt(T x) | The square root; NaN below 0.
T tan(T x) | The tangent of x, in radians.
T tanh(T x) | The hyperbolic tangent. With fast math a large x may overflow to NaN;
 `precise::tanh` does not.
T tanpi(T x) | The tangent of π·x.
T trunc(T x) | x without its fraction: rounded towards zero.
""",
)

COMMON: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "MSL, section 6.2 (common functions)",
    """
T clamp(T x, T low, T high) | x, but not below `low` and not above `high`. Undefined when low is
 above high.
T mix(T x, T y, T a) | x + (y - x)·a: on the way from x to y. `torch.lerp` is computed in two
 forms, so that the ends are exact.
T saturate(T x) | x kept within [0, 1].
T sign(T x) | 1, 0 or -1 as x; 0 for a NaN.
T smoothstep(T edge0, T edge1, T x) | 0 up to edge0, 1 from edge1 on, a smooth cubic between.
T step(T edge, T x) | 0 where x is below the edge, else 1.
""",
)

GEOMETRIC: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "MSL, section 6.8 (geometric functions)",
    """
T cross(T x, T y) | The cross product of two vectors of three.
S distance(T x, T y) | The length of x - y.
S distance_squared(T x, T y) | The square of the length of x - y.
S dot(T x, T y) | The sum of the products of the components.
T faceforward(T n, T incident, T reference) | n where dot(reference, incident) is below 0, else -n.
S length(T x) | √dot(x, x); the squares may overflow.
S length_squared(T x) | dot(x, x).
S norm(T x) | The same as `length`.
T normalize(T x) | x divided by its length; NaN for a zero vector.
T reflect(T incident, T n) | The direction of `incident` after reflection at the plane of unit
 normal n.
T refract(T incident, T n, S eta) | The direction of `incident` after refraction, with eta the
 ratio of the indices; 0 for total reflection.
""",
)

MATRIX: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "MSL, section 6.6 (matrix functions)",
    """
S determinant(M m) | The determinant of a square matrix.
M transpose(M m) | Rows become columns.
""",
)

RELATIONAL: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "MSL, section 6.4 (relational functions)",
    """
bool all(B x) | Whether every component is true.
bool any(B x) | Whether some component is true.
B isfinite(T x) | Whether x is neither infinite nor NaN. With fast math it may always be true.
B isinf(T x) | Whether x is infinite. With fast math it may always be false.
B isnan(T x) | Whether x is NaN. With fast math it may always be false.
B isnormal(T x) | Whether x is neither zero, subnormal, infinite nor NaN.
B isordered(T x, T y) | Whether neither x nor y is NaN.
B isunordered(T x, T y) | Whether x or y is NaN.
B not(B x) | The opposite of each component.
T select(T a, T b, B c) | b where c is true, else a: the other way round from `c ? a : b`.
B signbit(T x) | Whether the sign bit is set, of zeros and NaNs too.
""",
)
