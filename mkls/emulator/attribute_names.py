"""Attributes that look like misspelt ones: they are blanked before the compiler sees them."""

from collections.abc import Iterator
from difflib import get_close_matches

from mkls.emulator.attributes import attribute_lists
from mkls.emulator.tokens import Tokens, is_identifier

# MSL 5.1 to 5.11 and 2.13, the ones of C++ (ISO/IEC 14882:2017, 10.6), and clang's without a scope.
_NAMES = """
    kernel vertex fragment visible intersection object mesh stitchable host_name function_constant
    max_total_threads_per_threadgroup required_threads_per_threadgroup early_fragment_tests patch
    max_mesh_threadgroups max_total_threads_per_mesh_object_threadgroup user_annotation
    buffer texture sampler threadgroup id stage_in payload intersection_function_table color
    thread_position_in_grid thread_position_in_threadgroup thread_index_in_threadgroup
    thread_index_in_simdgroup thread_index_in_quadgroup thread_execution_width
    simdgroup_index_in_threadgroup simdgroups_per_threadgroup threads_per_simdgroup
    quadgroup_index_in_threadgroup quadgroups_per_threadgroup threads_per_threadgroup
    threads_per_grid threadgroups_per_grid threadgroup_position_in_grid grid_origin grid_size
    dispatch_threads_per_threadgroup dispatch_simdgroups_per_threadgroup stage_in_grid_origin
    dispatch_quadgroups_per_threadgroup stage_in_grid_size threadgroup_size threadgroup_imageblock
    vertex_id instance_id base_vertex base_instance patch_id position_in_patch amplification_count
    amplification_id attribute position point_size clip_distance render_target_array_index
    viewport_array_index invariant shared user centroid_perspective centroid_no_perspective
    center_perspective center_no_perspective sample_perspective sample_no_perspective flat
    front_facing point_coord primitive_id sample_id sample_mask barycentric_coord depth stencil
    index raster_order_group imageblock imageblock_data alias_implicit_imageblock
    alias_implicit_imageblock_color tile function_groups texel_position render_target_size
    origin direction min_distance max_distance distance accept_intersection continue_search
    geometry_id geometry_intersection_function_table_offset user_instance_id world_space_origin
    world_space_direction opaque ray_data instance_intersection_function_table_offset
    triangle_data curve_parameter key_frame_count motion_start_time motion_end_time time
    object_data mesh_grid_properties per_primitive coherent unroll
    fallthrough maybe_unused nodiscard noreturn deprecated likely unlikely no_unique_address
    carries_dependency always_inline noinline alignas aligned packed unused clang gnu
"""
_KNOWN = frozenset(_NAMES.split())
_CLOSE = 0.8


def misspelt_attributes(tokens: Tokens) -> Iterator[tuple[int, str]]:
    """The token of each attribute that is none, and the one that may be meant."""
    for first, last in attribute_lists(tokens):
        for start, end in tokens.split_commas(first + 2, last - 1):
            name = tokens.texts[start] if start < end else ""
            if not is_identifier(name) or name in _KNOWN or tokens.texts[start + 1] == "::":
                continue
            for close in get_close_matches(name, _KNOWN, 1, _CLOSE):
                yield start, close
