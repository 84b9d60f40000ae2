// The members that vec and packed_vec of each width share; the macros are undefined again at the end of vector.h.

// MSL 2.2.1: selections by xyzw and rgba. Reading gives a vector; writing one that repeats a component is an error.
#define MKLS_SWIZZLE_READ(n, name, colour, ...)                                                                        \
  MKLS_INLINE constexpr vec<T, n> mkls_get_##name() const { return vec<T, n>(__VA_ARGS__); }
#define MKLS_SWIZZLE_READ2(name, colour, a, b)                                                                         \
  MKLS_SWIZZLE_READ(2, name, colour, a, b)                                                                             \
  __declspec(property(get = mkls_get_##name)) vec<T, 2> name;                                                          \
  __declspec(property(get = mkls_get_##name)) vec<T, 2> colour;
#define MKLS_SWIZZLE_READ3(name, colour, a, b, c)                                                                      \
  MKLS_SWIZZLE_READ(3, name, colour, a, b, c)                                                                          \
  __declspec(property(get = mkls_get_##name)) vec<T, 3> name;                                                          \
  __declspec(property(get = mkls_get_##name)) vec<T, 3> colour;
#define MKLS_SWIZZLE_READ4(name, colour, a, b, c, d)                                                                   \
  MKLS_SWIZZLE_READ(4, name, colour, a, b, c, d)                                                                       \
  __declspec(property(get = mkls_get_##name)) vec<T, 4> name;                                                          \
  __declspec(property(get = mkls_get_##name)) vec<T, 4> colour;
#define MKLS_SWIZZLE2(name, colour, a, b)                                                                              \
  MKLS_SWIZZLE_READ(2, name, colour, a, b)                                                                             \
  MKLS_INLINE constexpr vec<T, 2> mkls_set_##name(vec<T, 2> v) { return a = v.x, b = v.y, v; }                         \
  __declspec(property(get = mkls_get_##name, put = mkls_set_##name)) vec<T, 2> name;                                   \
  __declspec(property(get = mkls_get_##name, put = mkls_set_##name)) vec<T, 2> colour;
#define MKLS_SWIZZLE3(name, colour, a, b, c)                                                                           \
  MKLS_SWIZZLE_READ(3, name, colour, a, b, c)                                                                          \
  MKLS_INLINE constexpr vec<T, 3> mkls_set_##name(vec<T, 3> v) { return a = v.x, b = v.y, c = v.z, v; }                \
  __declspec(property(get = mkls_get_##name, put = mkls_set_##name)) vec<T, 3> name;                                   \
  __declspec(property(get = mkls_get_##name, put = mkls_set_##name)) vec<T, 3> colour;
#define MKLS_SWIZZLE4(name, colour, a, b, c, d)                                                                        \
  MKLS_SWIZZLE_READ(4, name, colour, a, b, c, d)                                                                       \
  MKLS_INLINE constexpr vec<T, 4> mkls_set_##name(vec<T, 4> v) { return a = v.x, b = v.y, c = v.z, d = v.w, v; }       \
  __declspec(property(get = mkls_get_##name, put = mkls_set_##name)) vec<T, 4> name;                                   \
  __declspec(property(get = mkls_get_##name, put = mkls_set_##name)) vec<T, 4> colour;
#define MKLS_COLOUR(colour, name)                                                                                      \
  MKLS_INLINE constexpr T mkls_get_##colour() const { return name; }                                                   \
  MKLS_INLINE constexpr T mkls_set_##colour(T v) { return name = v; }                                                  \
  __declspec(property(get = mkls_get_##colour, put = mkls_set_##colour)) T colour;

#define MKLS_LANE_INDEX(c, unused) &self::c
#define MKLS_LANE_SPLAT(c, s) c(T(s))
#define MKLS_LANE_CONVERT(c, v) c(T(v.c))
#define MKLS_LANE_ZERO(c, unused) c()

// A bfloat widens explicitly only: otherwise a call of f(float) or f(float2) with one would be ambiguous.
#define MKLS_VECTOR_MEMBERS(self)                                                                                      \
  self() = default;                                                                                                    \
  MKLS_INLINE constexpr self(std::initializer_list<T> braced) : MKLS_LANES(MKLS_LANE_ZERO, ) {                         \
    mkls::assign_braced(*this, braced.begin(), braced.size());                                                         \
  }                                                                                                                    \
  MKLS_INLINE constexpr self(T s) : MKLS_LANES(MKLS_LANE_SPLAT, s) {}                                                  \
  template <class S, enable_if_t<mkls::is_arithmetic_scalar<S> && !mkls::is_bfloat<S>, int> = 0>                       \
  MKLS_INLINE constexpr self(S s) : MKLS_LANES(MKLS_LANE_SPLAT, s) {}                                                  \
  template <class S, enable_if_t<mkls::is_bfloat<S> || __is_enum(S), int> = 0>                                         \
  MKLS_INLINE constexpr explicit self(S s) : MKLS_LANES(MKLS_LANE_SPLAT, s) {}                                         \
  template <class U> MKLS_INLINE constexpr explicit self(vec<U, Width> v) : MKLS_LANES(MKLS_LANE_CONVERT, v) {}        \
  template <class U>                                                                                                   \
  MKLS_INLINE constexpr explicit self(packed_vec<U, Width> v) : MKLS_LANES(MKLS_LANE_CONVERT, v) {}                    \
  template <class... A, enable_if_t<mkls::fills_vector<T, Width, A...>, int> = 0>                                      \
  MKLS_INLINE constexpr self(A... a) : MKLS_LANES(MKLS_LANE_ZERO, ) {                                                  \
    int lane = 0;                                                                                                      \
    (mkls::append(*this, lane, a), ...);                                                                               \
  }                                                                                                                    \
  MKLS_INLINE constexpr T &operator[](long lane) {                                                                     \
    return __builtin_is_constant_evaluated() ? mkls::lane_of<Width>(*this, lane) : (MKLS_INDEX(lane, Width), (&x)[lane]);                         \
  }                                                                                                                    \
  MKLS_INLINE constexpr const T &operator[](long lane) const {                                                         \
    return __builtin_is_constant_evaluated() ? mkls::lane_of<Width>(*this, lane) : (MKLS_INDEX(lane, Width), (&x)[lane]);                         \
  }
