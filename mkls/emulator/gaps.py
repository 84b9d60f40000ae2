"""Which of the compiler's errors are this emulator's own, for want of a part of Metal.

Precision comes first: what Metal's own compiler may accept is no mistake of the user's.
"""

import re

from mkls.emulator.errors import Problem

_MEMBER = re.compile(r"no (?:member|type|template) named '([^']+)' in (?:namespace )?'metal\b")
_FILE = re.compile(r"'([^']+)' file not found")
_NAME = re.compile(
    r"(?:use of undeclared identifier|unknown type name|no template named|undeclared) '([^']+)'"
)
_AMBIGUOUS = re.compile(r"reference to '([^']+)' is ambiguous")
_TWICE = re.compile(r"redefinition of '|redeclared|is ambiguous|ambiguous conversion")
_FROM_BFLOAT = re.compile(
    r"from '(?:const )?bfloat' to|(?:incompatible type|value of type) (?:'[^']*' \(aka )?"
    r"'(?:const )?bfloat'|conditional expression is ambiguous"
)
_INTEGER = re.compile(r"'(?:const )?(?:unsigned )?(?:int|char|short|long|u?int\d+_t|u\w+)'")
_SPACE = re.compile(r"\b(?:device|threadgroup|thread|constant|ray_data|object_data)\b")
_OURS = re.compile(r"\bmkls|__declspec|property")

# Names of Metal (MSL 2.15-2.22, 6.9, 6.13, 6.17-6.20) that the headers here do not declare.
_METALS = re.compile(
    r"(?:raytracing|intersect\w*|primitive_acceleration_structure|instance_acceleration_structure"
    r"|acceleration_structure|visible_function_table|intersection_function_table|ray_data|mesh\w*"
    r"|object_data|imageblock\w*|interpolant\w*|interpolation|command_buffer|render_command"
    r"|compute_command|render_pipeline_state|compute_pipeline_state|patch_control_point|mpp"
    r"|tensor\w*|tensor_ops|cooperative_tensor|dextents|extents|simdgroup_event|simdgroup_async_\w+"
    r"|simdgroup_future\w*|simdgroup_multiply\w*|__metal_\w+|__air_\w+|air_\w+|rasterization_rate_map\w*"
    r"|logging|os_log\w*|set_indices|texture\w*|depth\w*|simd_\w+|simd::\w+|quad_\w+)\Z"
)


def gap_in(problem: Problem, line_text: str) -> str | None:
    """What `problem` says that this emulator lacks; None when it is the user's mistake.

    `line_text` is the line that it is on.
    """
    message = problem.message
    if found := _FILE.search(message):
        return f"`{found[1]}` is not found; name its folder in `include-dirs`, if there is one"
    if found := _MEMBER.search(message):
        return f"the emulator's Metal library has no `{found[1]}`"
    if (found := _NAME.search(message)) and _METALS.match(found[1]):
        return f"the emulator's Metal library has no `{found[1]}`"
    if found := _AMBIGUOUS.search(message):
        return f"the emulator's Metal library has a `{found[1]}` too"
    if _TWICE.search(message) and _SPACE.search(line_text):
        return "declarations that differ by address spaces look alike to the emulator"
    if _FROM_BFLOAT.search(message) and ("ambiguous" in message or _INTEGER.search(message)):
        return "to the emulator, `bfloat` converts to integers explicitly only"
    if _OURS.search(message):
        return "the emulator's own headers do not compile with this"
    return None
