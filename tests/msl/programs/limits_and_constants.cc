// Limits and constants.
static_assert(numeric_limits<half>::max() == 65504.0h && numeric_limits<half>::lowest() == -65504.0h);
static_assert(numeric_limits<float>::epsilon() == FLT_EPSILON && numeric_limits<float>::digits == 24);
static_assert(numeric_limits<bfloat>::epsilon() == 0.0078125f && numeric_limits<bfloat>::max() == 0x1.fep127f);
static_assert(numeric_limits<half>::min() == 0x1p-14f && numeric_limits<half>::denorm_min() == 0x1p-24f);
static_assert(isinf(numeric_limits<bfloat>::infinity()) && isnan(numeric_limits<half>::quiet_NaN()));
static_assert(numeric_limits<long>::min() == LONG_MIN && numeric_limits<ulong>::max() == ULONG_MAX);
static_assert(numeric_limits<char>::min() == -128 && numeric_limits<uchar>::digits == 8 && numeric_limits<int>::digits10 == 9);
static_assert(!numeric_limits<int>::has_infinity && numeric_limits<const float>::is_iec559 && numeric_limits<bool>::digits == 1);
static_assert(M_PI_F == 3.14159265f && M_PI_H == half(3.14159265f) && M_PI_BF == bfloat(3.14159265f));
static_assert(M_E_H == 2.71875h && M_SQRT1_2_BF == bfloat(0.70710678f) && M_LN10_F == 2.30258509f && M_2_SQRTPI_F == 1.12837917f);
static_assert(MAXFLOAT == FLT_MAX && MAXHALF == HALF_MAX && isinf(HUGE_VALF) && isinf(HUGE_VALH) && isnan(NAN) && isinf(INFINITY));
