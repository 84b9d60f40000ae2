library = torch.mps.compile_shader("""
kernel void fill(device float* out, uint i [[thread_position_in_grid]]) { out[i] = 1; }
""")
SOURCE = r"""#include <metal_stdlib>
using namespace metal;
"""
after = 1
