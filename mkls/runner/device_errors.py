"""The buffer into which `TORCH_REPORT_ERROR` writes (`c10/metal/error.h`)."""

from mkls.runner.report import Finding

MESSAGES = 30
_FILE, _FUNCTION, _TEXT = 128, 128, 250
_MESSAGE_BYTES = 512
"""Three arrays of characters, padded to four bytes, and the line as `unsigned int`."""
BUFFER_BYTES = 4 + MESSAGES * _MESSAGE_BYTES


def is_error_buffer(type_name: str) -> bool:
    """Whether a kernel's parameter of this type is the error buffer."""
    return "ErrorMessages" in type_name


def errors_in(data: bytes, path: str) -> tuple[Finding, ...]:
    """Return the reports in the buffer; `path` is the kernel's file, should a report name none."""
    count = int.from_bytes(data[:4], "little")
    return tuple(_report(data, number, count, path) for number in range(min(count, MESSAGES)))


def _report(data: bytes, number: int, count: int, path: str) -> Finding:
    start = 4 + number * _MESSAGE_BYTES
    file = _text(data, start, _FILE)
    message = _text(data, start + _FILE + _FUNCTION, _TEXT)
    line = int.from_bytes(data[start + _MESSAGE_BYTES - 4 : start + _MESSAGE_BYTES], "little")
    where = path if not file or file == "program_source" else file
    more = count - MESSAGES
    if number == MESSAGES - 1 and more > 0:
        message += f" (and {more} more)"
    return Finding("device-error", message, where, line, 1)


def _text(data: bytes, start: int, length: int) -> str:
    return data[start : start + length].split(b"\0")[0].decode(errors="replace")
