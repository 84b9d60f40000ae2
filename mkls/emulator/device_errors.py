"""The buffer into which `TORCH_REPORT_ERROR` writes (`c10/metal/error.h`), read after a launch."""

import ctypes
from collections.abc import Mapping

import msgspec

from mkls.emulator.findings import Finding
from mkls.emulator.kernel_table import Argument
from mkls.emulator.launch_arguments import BoundBuffer
from mkls.emulator.positions import Position

_MESSAGES = 30
_FILE, _FUNCTION, _TEXT = 128, 128, 250
_MESSAGE_BYTES = 512
"""Three arrays of characters, padded to four bytes, and the line as `unsigned int`."""


def device_errors(
    buffers: Mapping[int, BoundBuffer | None],
    arguments: Mapping[int, Argument],
    kernel: Position,
) -> tuple[Finding, ...]:
    """What a kernel reported itself; equal reports are counted."""
    found: dict[tuple[str, int, str], Finding] = {}
    for index, argument in arguments.items():
        buffer = buffers.get(index)
        if buffer is None or "ErrorMessages" not in argument.type:
            continue
        for finding in _reports(buffer, index, argument, kernel):
            key = (finding.path, finding.line, finding.message)
            count = found[key].count + 1 if key in found else 1
            found[key] = _counted(finding, count)
    return tuple(found.values())


def _reports(
    buffer: BoundBuffer, index: int, argument: Argument, kernel: Position
) -> list[Finding]:
    data = ctypes.string_at(buffer.address, buffer.extent)
    count = min(int.from_bytes(data[:4], "little"), _MESSAGES)
    starts = [4 + number * _MESSAGE_BYTES for number in range(count)]
    return [
        _report(data, start, index, argument, kernel)
        for start in starts
        if start + _MESSAGE_BYTES <= len(data)
    ]


def _report(data: bytes, start: int, index: int, argument: Argument, kernel: Position) -> Finding:
    file = _text(data, start, _FILE)
    end = start + _MESSAGE_BYTES
    return Finding(
        kind="device-error",
        message=_text(data, start + _FILE + _FUNCTION, _TEXT),
        path=file or kernel.path,
        line=int.from_bytes(data[end - 4 : end], "little") or kernel.line,
        column=1,
        thread=(0, 0, 0),
        threadgroup=(0, 0, 0),
        buffer=index,
        argument=argument.name,
    )


def _counted(finding: Finding, count: int) -> Finding:
    return msgspec.structs.replace(finding, count=count)


def _text(data: bytes, start: int, length: int) -> str:
    return data[start : start + length].split(b"\0")[0].decode(errors="replace")
