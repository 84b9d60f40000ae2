static MetalShaderLibrary lib(R"METAL(
kernel void fill(device float* out, uint i [[thread_position_in_grid]]) { out[i] = 1; }
)METAL");
int after;
