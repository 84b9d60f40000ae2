#include <metal_stdlib>

using namespace metal;

// Fills by the size of an element; the value's bits come from the host.
template <typename T>
kernel void fill_scalar(device T* out, constant T& value, uint index [[thread_position_in_grid]]) {
  out[index] = value;
}

#define instantiate_kernel(name, func, ...) \
  template [[host_name(name)]] [[kernel]] decltype(func<__VA_ARGS__>) func<__VA_ARGS__>;

instantiate_kernel("fill_scalar_8bit", fill_scalar, uchar)
instantiate_kernel("fill_scalar_16bit", fill_scalar, ushort)
instantiate_kernel("fill_scalar_32bit", fill_scalar, uint)
instantiate_kernel("fill_scalar_64bit", fill_scalar, ulong)
