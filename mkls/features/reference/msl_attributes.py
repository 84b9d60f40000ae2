"""The attributes `[[…]]` of kernels and their parameters."""

from mkls.features.reference.entry import Word, WordKind, words

ATTRIBUTES: tuple[Word, ...] = words(
    WordKind.ATTRIBUTE,
    "MSL, section 5.2.1 (locating buffer, texture and sampler arguments)",
    """
buffer(0) | The number under which the host binds this `device` or `constant` parameter. Parameters
 without one take the lowest free numbers in order.
texture(0) | The number under which the host binds this texture.
sampler(0) | The number under which the host binds this sampler.
threadgroup(0) | The number under which the host sets the length of this threadgroup memory.
 `torch.mps.compile_shader` cannot do that.
# MSL, section 5.2.3.6 (kernel function input attributes)
thread_position_in_grid | Which thread of the whole grid this is: `uint`, `uint2` or `uint3`, or
 the same in ushort.
threads_per_grid | How many threads the grid has in each direction.
thread_position_in_threadgroup | Which thread of its threadgroup this is, in each direction.
thread_index_in_threadgroup | Which thread of its threadgroup this is, as one number.
threads_per_threadgroup | How many threads each threadgroup has; at the grid's edge, fewer run.
 With `mtl_dispatch1DJob` it depends on the length of the job.
dispatch_threads_per_threadgroup | How many threads per threadgroup were asked for, even at the
 grid's edge.
threadgroup_position_in_grid | Which threadgroup of the grid this is.
threadgroups_per_grid | How many threadgroups the grid has.
thread_index_in_simdgroup | Which lane of its simdgroup this thread is: 0 to 31.
simdgroup_index_in_threadgroup | Which simdgroup of its threadgroup this thread is in.
simdgroups_per_threadgroup | How many simdgroups a threadgroup has; the last one may be partly
 filled.
dispatch_simdgroups_per_threadgroup | How many simdgroups per threadgroup were asked for.
threads_per_simdgroup | How many lanes a simdgroup has: 32 on Apple's GPUs.
thread_execution_width | The same as threads_per_simdgroup.
thread_index_in_quadgroup | Which lane of its quadgroup this thread is: 0 to 3.
quadgroup_index_in_threadgroup | Which quadgroup of its threadgroup this thread is in.
quadgroups_per_threadgroup | How many quadgroups a threadgroup has.
dispatch_quadgroups_per_threadgroup | How many quadgroups per threadgroup were asked for.
grid_origin | Where the grid starts.
grid_size | How many threads the grid has, origin included.
# MSL, section 5.1.3 (compute functions)
kernel | Makes the function a kernel, as the keyword `kernel` does.
host_name("") | The name by which the host asks for this instantiation of a kernel's template.
max_total_threads_per_threadgroup(1024) | How many threads a threadgroup may have: the compiler
 saves registers for that, and a larger group fails.
# MSL, section 5.2.4 (input assembly attribute)
stage_in | The parameter is a struct of per-thread inputs that the host describes.
# MSL, section 5.8 (program scope function constants)
function_constant(0) | The constant's value is given by the host when the pipeline is made, under
 this number. On a parameter, it tells whether the parameter exists.
# MSL, section 2.13 (argument buffers)
id(0) | The number of this member of an argument buffer.
# MSL, section 5.1 (functions)
visible | The function can be called through a pointer from other libraries.
user(name) | Names a value that one stage hands to the next.
""",
)
