// Constructors take scalars and vectors that fill the vector.
constexpr float2 a(1, 2);
constexpr float3 b(3, 4, 5);
static_assert(all(float4(a, a) == float4(1, 2, 1, 2)));
static_assert(all(float4(a, 7, 8) == float4(1, 2, 7, 8)));
static_assert(all(float4(7, a, 8) == float4(7, 1, 2, 8)));
static_assert(all(float4(7, 8, a) == float4(7, 8, 1, 2)));
static_assert(all(float4(b, 9) == float4(3, 4, 5, 9)));
static_assert(all(float4(9, b) == float4(9, 3, 4, 5)));
static_assert(all(float3(a, 9) == float3(1, 2, 9)) && all(float3(9, a) == float3(9, 1, 2)));
static_assert(all(float4(packed_float3(b), half(1)) == float4(3, 4, 5, 1)));
static_assert(all(float4(b.zyx, a.y) == float4(5, 4, 3, 2)));
static_assert(all(float4(2) == 2) && all(int4(float4(1.9, -1.9, 0, 4)) == int4(1, -1, 0, 4)));
static_assert(all(uchar4(int4(257)) == uchar4(1)) && all(bool4(int4(0, 2, 0, 1)) == bool4(false, true, false, true)));
static_assert(all(half4(bfloat4(1.5f)) == half4(1.5h)) && all(bfloat3(float3(1.5f)) == 1.5f));
constexpr float4 brace = {1, 2, 3, 4}; constexpr float4 zero = {}; float4 plain; uint3 implicit = 3;
static_assert(all(brace == float4(a, b.xy)) && all(zero == 0));
constexpr float3x3 m(b, b, b); constexpr float2x2 s(1, 2, 3, 4); constexpr float4x4 one(1);
static_assert(m[1][2] == 5 && s[1].x == 3 && one[2][2] == 1 && one[2][1] == 0);
