"""Numbers to the bytes that `constant` arguments hold (worker side)."""

import struct
from collections.abc import Iterable
from typing import cast

import torch

from mkls.runner.launches import Constant
from mkls.runner.scalar_types import ScalarType, metal_type

_FORMATS = {
    "float32": "f", "float16": "e", "int64": "q", "int32": "i", "int16": "h", "int8": "b",
    "uint64": "Q", "uint32": "I", "uint16": "H", "uint8": "B", "bool": "?",
}  # fmt: skip


def pack(kind: ScalarType, values: Iterable[float]) -> bytes:
    """Return `values` as an array of `kind`; integers wrap."""
    if kind.torch == "bfloat16" or kind.is_complex:
        return bytes_of(torch.tensor(list(values)).to(getattr(torch, kind.torch)))
    code = _FORMATS[kind.torch]
    if kind.is_floating:
        return b"".join(struct.pack("=" + code, float(it)) for it in values)
    if kind.is_bool:
        return b"".join(struct.pack("=?", bool(it)) for it in values)
    mask = (1 << (8 * kind.size)) - 1
    return b"".join((int(it) & mask).to_bytes(kind.size, "little") for it in values)


def pack_constant(constant: Constant) -> bytes:
    """Return the bytes of `constant`."""
    kind = metal_type(constant.type)
    assert kind is not None, f"no scalar type {constant.type}"
    return pack(kind, constant.values)


def bytes_of(tensor: torch.Tensor) -> bytes:
    """Return the bytes of a tensor's elements, in order."""
    flat = tensor.contiguous().reshape(-1).view(torch.uint8)
    return bytes(cast("list[int]", flat.tolist()))  # pyright: ignore[reportUnknownMemberType]
