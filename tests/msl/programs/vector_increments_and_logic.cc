// Vector increments and logic.
constexpr int2 step() { int2 v(1, 2); int2 w = v++; w = w + ++v; v--; return --v + w; }  // 1 2, + 1 2 + 3 4
static_assert(all(step() == int2(5, 8)));
static_assert(all(!bool3(true, false, true) == bool3(false, true, false)) && all(!int2(0, 3) == bool2(true, false)));
static_assert(all((int2(1, 0) && int2(1, 1)) == bool2(true, false)) && any(bool2(false, true) || false));
static_assert(all((bool2(true, false) & bool2(true)) == bool2(true, false)) && all(~uint2(0) == UINT_MAX));
static_assert(all(not(bool2(true, false)) == bool2(false, true)));
