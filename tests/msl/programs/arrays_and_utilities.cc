// Arrays and utilities.
constexpr array<int, 3> a = {1, 2, 3};
static_assert(a.size() == 3 && a[2] == 3 && a.front() == 1 && a.back() == 3 && !a.empty() && a == array<int, 3>{1, 2, 3});
constexpr int total() { int sum = 0; for (int x : a) sum += x; array<int, 2> b = {}; b.fill(4); return sum + b[1]; }
static_assert(total() == 10);
constexpr array_ref<int> r = make_array_ref(a);
static_assert(r.size() == 3 && r[1] == 2 && r.slice(1, 2)[0] == 2);
template <int... I> constexpr int add(integer_sequence<int, I...>) { return (I + ...); }
static_assert(add(make_integer_sequence<int, 5>()) == 10);
constexpr int listed() { int n = 0; for (auto x : {1, 2, 3}) n += x; return n; }
static_assert(listed() == 6 && plus<int>()(2, 3) == 5 && less<float>()(1, 2));
int uniforms(uniform<int> n) { uniform<int> m = n + 1; return m * 2 + make_uniform(3); }
vec<float, 8> wide(half4 h) { vec<half, 8> v(h, h); return vec<float, 8>(v) * 2.0f + 1.0f; }
simd::float4 other_name(vector_float4 v) { return v; }
