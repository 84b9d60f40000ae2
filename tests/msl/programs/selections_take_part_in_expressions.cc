// Selections take part in expressions.
constexpr float4 changed() {
  float4 v(1, 2, 3, 4);
  v.xy += v.zw;      // 4 6 3 4
  v.wz *= 2;         // 4 6 6 8
  v.xy = v.yx;       // 6 4 6 8
  v.r -= v.g;        // 2 4 6 8
  v.b += 1;          // 2 4 7 8
  v.zw -= 1;         // 2 4 6 7
  v[3] = v.xyz[2];   // 2 4 6 6
  return v;
}
static_assert(all(changed() == float4(2, 4, 6, 6)));
float4 stepped(float4 v) { v.b++, ++v.zw, v.xy--; float x = v.a--; return v * x; }
template <class T> constexpr vec<T, 2> sum(vec<T, 4> v, T s) { return v.xy * v.zw + -v.xx * s - v.yy; }
static_assert(all(sum<float>(float4(1, 2, 3, 4), 2) == float2(-1, 4)));
static_assert(all(sum<half>(half4(1, 2, 3, 4), 2) == half2(-1, 4)));
static_assert(all(sum<bfloat>(bfloat4(1, 2, 3, 4), 2) == bfloat2(-1, 4)));
template <class T> constexpr T first(T v) { auto w = v.zyx; w.xy += w.yz; return w; }
static_assert(all(first(int3(1, 2, 3)) == int3(5, 3, 1)));
constexpr float4 chained() { float4 v(1, 2, 3, 4); v.xy = v.wz = v.yx; v.r = v.g = 7; return v; }
static_assert(all(chained() == float4(7, 7, 1, 2)));
