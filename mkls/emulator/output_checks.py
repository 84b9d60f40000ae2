"""What a checked launch left behind: outputs that nobody wrote, and numbers that are none."""

import ctypes
import math
from typing import Any

from mkls.emulator.findings import Finding
from mkls.emulator.guarded_arguments import GuardedArguments, GuardedBuffer
from mkls.emulator.positions import Position
from mkls.emulator.reporter import Reporter


def unwritten_outputs(
    runtime: ctypes.CDLL, guarded: GuardedArguments, fallback: Position
) -> tuple[Finding, ...]:
    """Elements of outputs without content that no thread wrote."""
    found: list[Finding] = []
    for buffer in guarded.guarded:
        if not (buffer.bound.undefined and buffer.may_write and buffer.bound.dense):
            continue
        first = ctypes.c_size_t()
        size, extent = buffer.bound.item_size, buffer.bound.extent
        missing = runtime.mkls_unwritten(
            buffer.slot, buffer.offset, buffer.offset + extent, size, ctypes.byref(first)
        )
        if missing:
            found.append(_unwritten(buffer, missing, first.value, fallback))
    return tuple(found)


def _unwritten(buffer: GuardedBuffer, missing: int, first: int, place: Position) -> Finding:
    length = buffer.bound.extent // buffer.bound.item_size
    others = f" and {missing - 1} more" if missing > 1 else ""
    return Finding(
        kind="unwritten-output",
        message=f"no thread writes `{buffer.name}`[{first}]{others}; it has {length} elements",
        path=place.path,
        line=place.line,
        column=place.column,
        thread=(0, 0, 0),
        threadgroup=(0, 0, 0),
        buffer=buffer.index,
        argument=buffer.name,
        index=first,
        length=length,
        count=missing,
    )


def not_finite(
    guarded: GuardedArguments, reporter: Reporter, fallback: Position
) -> tuple[Finding, ...]:
    """NaN and infinities in outputs of a kernel whose inputs are all finite."""
    floats = [b for b in guarded.guarded if b.bound.is_float and b.bound.dense]
    before = {b.index: _values(b.bound.owner, None) for b in floats if not b.bound.undefined}
    if any(not bool(it.isfinite().all()) for it in before.values()):
        return ()
    found: list[Finding] = []
    for buffer in floats:
        bound = guarded.bound[buffer.index]
        if not buffer.may_write or bound is None:
            continue
        values = _values(buffer.bound.owner, bound.address)
        wrong = (~values.isfinite()).nonzero()
        for (index,) in wrong[:1].tolist():
            value = float(values[index])
            found.append(_born(buffer, index, value, len(wrong), reporter, fallback))
    return tuple(found)


def _values(tensor: Any, address: int | None) -> Any:  # noqa: ANN401  (torch is optional)
    """The elements of a dense tensor, in the order of memory, or those at `address`."""
    flat = tensor.as_strided((tensor.numel(),), (1,), tensor.storage_offset())
    if address is None:
        return flat
    copy = flat.clone()
    ctypes.memmove(copy.data_ptr(), address, copy.numel() * copy.element_size())
    return copy


def _born(
    buffer: GuardedBuffer,
    index: int,
    value: float,
    count: int,
    reporter: Reporter,
    fallback: Position,
) -> Finding:
    writer = reporter.writer(buffer.slot, buffer.offset + index * buffer.bound.item_size)
    place = (writer.place if writer else None) or fallback
    word = "NaN" if math.isnan(value) else "an infinity"
    return Finding(
        kind="not-finite",
        message=f"writes {word} to `{buffer.name}`[{index}], and all inputs are finite",
        path=place.path,
        line=place.line,
        column=place.column,
        thread=writer.thread if writer else (0, 0, 0),
        threadgroup=(0, 0, 0),
        buffer=buffer.index,
        argument=buffer.name,
        index=index,
        length=buffer.bound.extent // buffer.bound.item_size,
        count=count,
    )
