"""What the runtime reports: the structures of runtime/reports.h, and the words for their kinds."""

import ctypes

_FRAMES = 12


class RawReport(ctypes.Structure):
    """`Report` of runtime/reports.h."""

    _fields_ = (
        ("kind", ctypes.c_int),
        ("slot", ctypes.c_int),
        ("offset", ctypes.c_int64),
        ("value", ctypes.c_int64),
        ("size", ctypes.c_uint32),
        ("count", ctypes.c_uint32),
        ("thread", ctypes.c_uint32 * 3),
        ("threadgroup", ctypes.c_uint32 * 3),
        ("other_thread", ctypes.c_uint32 * 3),
        ("lane", ctypes.c_uint32),
        ("is_write", ctypes.c_uint32),
        ("other_is_write", ctypes.c_uint32),
        ("frames", ctypes.c_void_p * _FRAMES),
        ("frame_count", ctypes.c_int),
        ("other_pc", ctypes.c_void_p),
        ("text", ctypes.c_char_p),
    )


KINDS = {
    1: "out-of-bounds-read",
    2: "out-of-bounds-write",
    3: "array-index-out-of-bounds",
    4: "nil-buffer",
    5: "read-only-write",
    6: "misaligned-access",
    7: "uninitialized-read",
    8: "data-race",
    9: "same-value-race",
    10: "barrier-divergence",
    11: "simdgroup-lanes",
    12: "division-by-zero",
    13: "shift-out-of-range",
    14: "uninitialized-read",
    15: "integer-overflow",
    16: "misaligned-access",
}


MISALIGNED_COPY = 16
NO_VALUE = 14
"""The kind of report for a value that nobody gave: read memory has another one."""
