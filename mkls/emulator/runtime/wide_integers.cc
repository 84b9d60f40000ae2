// Conversions to 128-bit integers, which compilers call and no kernel library brings along.
#include <stdint.h>
#include <string.h>

namespace mkls {

namespace {

// Truncates towards zero; the callers' values fit.
unsigned __int128 magnitude_of(double value) {
  uint64_t raw;
  memcpy(&raw, &value, sizeof raw);
  int exponent = int(raw >> 52 & 0x7ff) - 1075;
  unsigned __int128 digits = (raw & 0xfffffffffffffull) | 0x10000000000000ull;
  if (exponent < -53) return 0;
  return exponent < 0 ? digits >> -exponent : exponent > 75 ? 0 : digits << exponent;
}

}  // namespace

}  // namespace mkls

extern "C" {
__int128 __fixdfti(double value) {
  __int128 magnitude = __int128(mkls::magnitude_of(value));
  return value < 0 ? -magnitude : magnitude;
}
__int128 __fixsfti(float value) { return __fixdfti(value); }
unsigned __int128 __fixunsdfti(double value) { return value < 0 ? 0 : mkls::magnitude_of(value); }
unsigned __int128 __fixunssfti(float value) { return __fixunsdfti(value); }
}
