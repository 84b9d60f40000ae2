"""What a device says on its own: the error buffer, and Metal's validation."""

import struct

from mkls.runner.device_errors import BUFFER_BYTES, MESSAGES, errors_in, is_error_buffer
from mkls.runner.validation_layer import findings_of


def message(text, file="/tree/k.metal", line=7):
    return (
        file.encode().ljust(128, b"\0")
        + b"k".ljust(128, b"\0")
        + text.encode().ljust(250, b"\0")
        + b"\0\0"
        + struct.pack("<I", line)
    )


def buffer(count, *messages):
    return (struct.pack("<I", count) + b"".join(messages)).ljust(BUFFER_BYTES, b"\0")


def test_reports_are_read_with_their_place():
    (found,) = errors_in(buffer(1, message("index 7 is out of range")), "/other.metal")

    assert found.kind == "device-error"
    assert (found.path, found.line) == ("/tree/k.metal", 7)
    assert found.message == "index 7 is out of range"


def test_the_embedded_program_is_the_kernels_file():
    (found,) = errors_in(buffer(1, message("bad", file="program_source")), "/tree/k.metal")

    assert found.path == "/tree/k.metal"


def test_a_flood_ends_with_how_many_more_there_were():
    found = errors_in(buffer(100, *(message("bad") for _ in range(MESSAGES))), "/k.metal")

    assert len(found) == MESSAGES
    assert found[-1].message == "bad (and 70 more)"


def test_an_empty_buffer_has_no_errors():
    assert errors_in(bytes(BUFFER_BYTES), "/k.metal") == ()


def test_the_error_buffer_is_known_by_its_type():
    assert is_error_buffer("device ErrorMessages *")
    assert is_error_buffer("device ::c10::metal::ErrorMessages*")
    assert not is_error_buffer("device float *")


VALIDATION = (
    "2026-12-01 10:00:00.000 python[1:2] Metal GPU Validation Enabled\n"
    "2026-12-01 10:00:01.000 python[1:2] Invalid device store executing kernel function "
    '"k" encoder: "0", dispatch: 0, at offset 512\n'
    "file://program_source:3:11 - k()\n"
    '\tbuffer: "<unnamed>", length:512, resident:Read Write\n'
)


def test_shader_validation_is_a_finding_at_the_users_line():
    (found,) = findings_of(VALIDATION, {3: ("/tree/k.metal", 42)})

    assert found.kind == "out-of-bounds-write"
    assert (found.path, found.line, found.column) == ("/tree/k.metal", 42, 11)


def test_the_same_report_is_one_finding():
    assert len(findings_of(VALIDATION * 3, {3: ("/tree/k.metal", 42)})) == 1


def test_an_assertion_of_the_debug_layer_is_a_finding():
    text = (
        "-[MTLDebugComputeCommandEncoder setBytes:length:atIndex:]:344: failed assertion "
        "`Set Bytes Validation\nlength(0) must be larger than 0.'\n"
    )

    found = findings_of(text, {})

    assert any("Set Bytes Validation" in it.message for it in found)


def test_silence_is_no_finding():
    assert findings_of("Metal GPU Validation Enabled\n", {}) == ()
