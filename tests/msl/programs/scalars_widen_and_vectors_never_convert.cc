// Scalars widen and vectors never convert.
static_assert(all(2 * int3(1) + 1u == 3) && all(float2(1) / 2 == 0.5));
static_assert(all(half2(3) * 2 == 6) && all(1 - packed_float2(3) * packed_float2(1) == -2));
static_assert(!is_convertible_v<float4, int4> && !is_convertible_v<half2, float2>);
static_assert(!is_convertible_v<float4, float> && !is_convertible_v<float3, float4>);
static_assert(is_convertible_v<packed_float3, float3> && is_convertible_v<float3, packed_float3>);
static_assert(is_convertible_v<float, float3> && is_convertible_v<int, half4>);
static_assert(is_convertible_v<bfloat, float> && is_convertible_v<int, bfloat>);
static_assert(!is_convertible_v<float, bfloat> && !is_convertible_v<half, bfloat> && !is_convertible_v<bfloat, half>);
static_assert(is_same_v<decltype(bfloat(1) + bfloat(1)), bfloat> && is_same_v<decltype(bfloat(1) + 1), bfloat>);
static_assert(is_same_v<decltype(bfloat(1) * 1.0f), float> && is_same_v<decltype(bfloat(1) * half(1)), float>);
static_assert(is_same_v<decltype(true ? bfloat(1) : 0), bfloat> && is_same_v<decltype(true ? bfloat(1) : 0.0f), float>);
static_assert(is_same_v<decltype(half(1) + 1), half> && is_same_v<decltype(half(1) + 1.0f), float>);
static_assert(is_same_v<decltype(1.5h), half> && 1.5h == half(1.5f) && 2h == half(2.0f));
bool truth(const bfloat *p) { bool b; b = p[0]; if (p[1]) return !p[1]; return b && p[2]; }
constexpr int which(float) { return 1; }
constexpr int which(float2) { return 2; }
static_assert(which(bfloat(1)) == 1 && which(half(1)) == 1 && which(1) == 1 && which(float2(1)) == 2);
constexpr float4 mixed() { float4 v(1, 2, 3, 4); bfloat b = 2; v *= b; v = b * v + b; v.xy = v.zw - b; return max(v, b); }
static_assert(all(mixed() == float4(12, 16, 14, 18)) && all(float2(1, 3) < bfloat(2) == bool2(true, false)));
