"""Words of the language itself: address spaces, qualifiers, types and what casts them."""

from mkls.features.reference.entry import Word, WordKind, words

QUALIFIERS: tuple[Word, ...] = words(
    WordKind.QUALIFIER,
    "MSL, section 4 (address spaces)",
    """
device | Memory that the device allocates as buffers: readable and writable by all threads. A
 `device` pointer parameter of a kernel takes a buffer, with its storage offset.
constant | Read-only memory, fast where all threads read the same place. What the host binds with
 `setBytes` (or `mtl_setBytes`) must be `constant` or `const device`.
threadgroup | Memory that the threads of one threadgroup share while it runs. It starts out
 undefined; readers and writers must be kept apart by `threadgroup_barrier`.
thread | Memory of one thread: what local variables are in.
threadgroup_imageblock | Memory of an imageblock, for tile functions.
ray_data | Memory of a ray's payload, for intersection functions.
object_data | Memory that an object function hands to its mesh functions.
# MSL, section 4.8 (memory coherency)
coherent | Writes through this `device` object are seen by other threadgroups once they are ordered
 by atomics or fences (Metal 3.2).
# MSL, section 5.1.3 (compute functions)
kernel | A function that the host starts on a grid of threads. It returns void; every parameter is
 a buffer, a texture, a sampler, threadgroup memory, or a built-in variable with an attribute.
vertex | A function that the GPU runs for each vertex.
fragment | A function that the GPU runs for each fragment.
# MSL, section 5.8 (program scope function constants)
function_constant | A constant whose value the host gives when it makes the pipeline.
""",
)

TYPES: tuple[Word, ...] = words(
    WordKind.TYPE,
    "MSL, section 2.1 (scalar data types)",
    """
bool | True or false, in one byte.
char | A signed integer of 8 bits; torch's int8.
uchar | An unsigned integer of 8 bits; torch's uint8.
short | A signed integer of 16 bits; torch's int16.
ushort | An unsigned integer of 16 bits; torch's uint16.
int | A signed integer of 32 bits; torch's int32.
uint | An unsigned integer of 32 bits; torch's uint32. Offsets of large tensors overflow it.
long | A signed integer of 64 bits; torch's int64. Slower than int on Apple's GPUs.
ulong | An unsigned integer of 64 bits; torch's uint64.
half | A floating-point number of 16 bits (IEEE 754 binary16); torch's float16. Literals end in `h`.
float | A floating-point number of 32 bits; torch's float32. `double` does not exist.
bfloat | A floating-point number of 16 bits with the range of float (Metal 3.1); torch's bfloat16.
size_t | The unsigned integer of 64 bits in which sizes are given.
ptrdiff_t | The signed integer of 64 bits in which differences of pointers are given.
# MSL, section 2.2 (vector data types)
float2 | Two floats, aligned to 8 bytes; also how PyTorch's kernels hold complex64.
float3 | Three floats in the space of four: 16 bytes.
float4 | Four floats, aligned to 16 bytes.
half2 | Two halves, aligned to 4 bytes; also how PyTorch's kernels hold complex32.
half3 | Three halves in the space of four: 8 bytes.
half4 | Four halves, aligned to 8 bytes.
int2 | Two ints, aligned to 8 bytes.
int3 | Three ints in the space of four: 16 bytes. A host struct of three ints has 12.
int4 | Four ints, aligned to 16 bytes.
uint2 | Two uints, aligned to 8 bytes.
uint3 | Three uints in the space of four: 16 bytes. A host array of three has 12.
uint4 | Four uints, aligned to 16 bytes.
long2 | Two longs, aligned to 16 bytes.
packed_float3 | Three floats in 12 bytes, aligned like one.
packed_half3 | Three halves in 6 bytes, aligned like one.
packed_int3 | Three ints in 12 bytes, aligned like one.
packed_uint3 | Three uints in 12 bytes, aligned like one.
# MSL, section 2.4 (SIMD-group matrix data types)
simdgroup_matrix | A matrix of 8 by 8 that the lanes of a simdgroup hold together.
simdgroup_float8x8 | `simdgroup_matrix<float, 8, 8>`.
simdgroup_half8x8 | `simdgroup_matrix<half, 8, 8>`.
simdgroup_bfloat8x8 | `simdgroup_matrix<bfloat, 8, 8>` (Metal 3.1).
# MSL, section 2.6 (atomic data types)
atomic | `atomic<T>` for int, uint, bool, ulong and float: only atomic functions may touch it.
atomic_int | `atomic<int>`.
atomic_uint | `atomic<uint>`.
atomic_bool | `atomic<bool>`.
atomic_ulong | `atomic<ulong>`: only minimum and maximum, without their old values.
atomic_float | `atomic<float>`, in device memory alone (Metal 3).
# MSL, section 2.12 (aggregate types)
array | `array<T, N>`: N elements that can be handed over and returned by value.
array_ref | `array_ref<T>`: a view of an array, with its size.
# MSL, section 6.9.1 (memory flags)
mem_flags | Which memory a barrier orders.
memory_order | How an atomic access orders others.
thread_scope | Which threads a fence is for.
""",
)

CASTS: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "MSL, “Type Conversions and Reinterpreting Data”",
    """
T as_type<T>(U value) | The same bits as another type of the same size: a `uint` as a `float`.
T static_cast<T>(U value) | Converts the value, as an assignment would.
T reinterpret_cast<T>(U pointer) | The same address as a pointer to another type; the address
 space stays.
""",
)
