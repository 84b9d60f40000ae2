"""Python values → buffers, encoded as `torch.mps.compile_shader` encodes them."""

import ctypes
import math
import struct
import sys
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

_CASTS = {
    "int64": "q", "int32": "i", "int16": "h", "int8": "b",
    "uint64": "Q", "uint32": "I", "uint16": "H", "uint8": "B",
    "fp32": "f", "float32": "f", "float": "f", "fp16": "e", "float16": "e", "half": "e",
    "bf16": "bf16", "bfloat16": "bf16", "bool": "B",
}  # fmt: skip
_PADDING = 64
ArgCasts = str | Mapping[Any, str] | None


class BoundBuffer(msgspec.Struct, frozen=True):
    """Memory that a kernel sees at one buffer index.

    `address` is the first byte the kernel is given, `before` bytes behind the start of a storage
    that other arguments may share; `extent` bytes from there belong to the argument. `writable` is
    false for values that are passed by copy. `count` is the number of elements of a tensor or an
    array. `owner` keeps the memory alive. `dense` says that the extent has no gaps, `undefined`
    that its content means nothing yet.
    """

    address: int
    extent: int
    before: int
    item_size: int
    writable: bool
    count: int | None
    owner: object
    is_float: bool = False
    dense: bool = False
    undefined: bool = False


def bind(value: object, cast_name: str | None = None) -> BoundBuffer | None:
    """The memory of one argument; None for a nil buffer. Raises TypeError for what has no bytes."""
    if value is None:
        return None
    if isinstance(value, BoundBuffer):
        return value
    if hasattr(value, "untyped_storage"):
        return _tensor(value)
    if hasattr(value, "__array_interface__"):
        return _array(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _buffer(memoryview(cast("bytes", value)))
    return _copied(_encode(value, cast_name))


def _tensor(tensor: Any) -> BoundBuffer:  # noqa: ANN401  (torch is optional)
    if tensor.device.type != "cpu":
        raise TypeError(f"the emulator runs on CPU tensors, not on {tensor.device}")
    storage = tensor.untyped_storage()
    size = tensor.element_size()
    before = tensor.storage_offset() * size
    span = _span(tensor.shape, tensor.stride()) * size
    return BoundBuffer(
        storage.data_ptr() + before,
        span,
        before,
        size,
        True,
        tensor.numel(),
        tensor,
        is_float=tensor.is_floating_point(),
        dense=span == tensor.numel() * size,
        undefined=bool(getattr(tensor, "mkls_undefined", False)),
    )


def without_content(buffer: BoundBuffer) -> bool:
    """Whether a tensor is filled with NaN: an output that means nothing until it is written.

    So torch fills `empty` when it is asked to be deterministic.
    """
    tensor: Any = buffer.owner
    if not buffer.is_float or not buffer.count or not hasattr(tensor, "isnan"):
        return False
    return bool(tensor.flatten()[:64].isnan().all() and tensor.isnan().all())


def _span(shape: Sequence[int], strides: Sequence[int]) -> int:
    """Elements from the first to the last of a view, the ends included."""
    if 0 in shape:
        return 0
    return 1 + sum((n - 1) * abs(stride) for n, stride in zip(shape, strides, strict=True))


def _array(array: Any) -> BoundBuffer:  # noqa: ANN401  (so is NumPy)
    address, read_only = array.__array_interface__["data"]
    base = array
    while hasattr(getattr(base, "base", None), "__array_interface__"):
        base = base.base
    before = address - base.__array_interface__["data"][0]
    span = _span(array.shape, array.strides) + array.itemsize - 1 if array.size else 0
    return BoundBuffer(address, span, before, array.itemsize, not read_only, array.size, array)


def _buffer(view: memoryview) -> BoundBuffer:
    if view.readonly:
        return _copied(view.tobytes())
    memory = (ctypes.c_char * view.nbytes).from_buffer(view)
    return BoundBuffer(ctypes.addressof(memory), view.nbytes, 0, view.itemsize, True, None, memory)


def _copied(data: bytes) -> BoundBuffer:
    """Bytes as Metal's setBytes binds them; the padding lets a vector be read whole."""
    memory = ctypes.create_string_buffer(data, len(data) + _PADDING)
    return BoundBuffer(ctypes.addressof(memory), len(data), 0, 1, False, None, memory)


def _encode(value: object, cast_name: str | None) -> bytes:
    items = _numbers(value)
    kind = _kind(items, cast_name)
    if kind == "bf16":
        return b"".join(_bfloat(float(item)) for item in items)
    number = float if kind in "fe" else int
    return b"".join(_packed(kind, number(item)) for item in items)


def _numbers(value: object) -> list[float]:
    several = isinstance(value, (list, tuple))
    items = list(cast("Sequence[object]", value)) if several else [value]
    if not items:
        raise TypeError("an empty list has no bytes to pass to a kernel")
    numbers: list[float] = [item for item in items if isinstance(item, (int, float))]
    if len(numbers) != len(items):
        raise TypeError(f"cannot pass {_kind_of(value)} to a kernel")
    return numbers


def _kind_of(value: object) -> str:
    return type(value).__name__


def _kind(items: Sequence[float], cast_name: str | None) -> str:
    if cast_name is not None:
        if cast_name not in _CASTS:
            raise ValueError(f"unknown cast {cast_name!r}; known are {', '.join(_CASTS)}")
        return _CASTS[cast_name]
    return "f" if isinstance(items[0], float) else "q"


def _packed(kind: str, value: float) -> bytes:
    if kind == "f":
        return struct.pack("=I", _float_bits(value))
    if kind == "e":
        try:
            return struct.pack("=e", value)
        except OverflowError:
            return struct.pack("=e", float("inf") if value > 0 else float("-inf"))
    bits = 8 * struct.calcsize("=" + kind)
    return (int(value) & ((1 << bits) - 1)).to_bytes(bits // 8, sys.byteorder)


def _float_bits(value: float) -> int:
    return ctypes.c_uint32.from_buffer(ctypes.c_float(value)).value


def _bfloat(value: float) -> bytes:
    bits = _float_bits(value)
    if math.isnan(value):
        return struct.pack("=H", bits >> 16 | 0x40)
    return struct.pack("=H", (bits + 0x7FFF + (bits >> 16 & 1)) >> 16)


def cast_of(arg_casts: ArgCasts, index: int, name: str) -> str | None:
    """The cast for the argument at buffer `index` called `name`.

    A string holds for all arguments; a mapping is keyed by position or by name.
    """
    if arg_casts is None or isinstance(arg_casts, str):
        return arg_casts
    return arg_casts.get(index, arg_casts.get(name))
