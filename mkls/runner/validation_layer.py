"""Findings from what Metal's validation writes to standard error (`MTL_DEBUG_LAYER`)."""

import re
from collections.abc import Mapping

from mkls.runner.report import Finding

ENVIRONMENT = {
    "MTL_DEBUG_LAYER": "1",
    "MTL_SHADER_VALIDATION": "1",
    "MTL_DEBUG_LAYER_ERROR_MODE": "nslog",
    "MTL_DEBUG_LAYER_WARNING_MODE": "nslog",
    "MTL_SHADER_VALIDATION_REPORT_TO_STDERR": "1",
}
"""What makes Metal check a process; it is read when the device is made, so before the first use."""

_ACCESS = re.compile(
    r"Invalid (?:device|threadgroup|constant)? ?(?P<verb>load|store|address|access)[^\n]*"
)
_PLACE = re.compile(r"(?:program_source|[\w./-]+):(?P<line>\d+):(?P<column>\d+)")
_ASSERTION = re.compile(r"failed assertion [`']?(?P<message>[^\n']+)")
_LINES_BEHIND = 3
"""The place and the buffer stand on the lines behind the message."""


def findings_of(text: str, origins: Mapping[int, tuple[str, int]]) -> tuple[Finding, ...]:
    """Return what the layer reported; `origins` maps embedded lines to path and line."""
    found: dict[str, Finding] = {}
    for match in _ACCESS.finditer(text):
        behind = text[match.end() :].split("\n")[1 : 1 + _LINES_BEHIND]
        finding = _access(match, behind, origins)
        found.setdefault(f"{finding.line} {finding.message}", finding)
    for match in _ASSERTION.finditer(text):
        message = match["message"].strip()
        found.setdefault(message, Finding("device-error", message))
    return tuple(found.values())


def _access(
    match: re.Match[str], behind: list[str], origins: Mapping[int, tuple[str, int]]
) -> Finding:
    kind = "out-of-bounds-write" if match["verb"] == "store" else "out-of-bounds-read"
    buffers = [" ".join(it.split()) for it in behind if "buffer:" in it]
    message = "; ".join((match[0].strip(), *buffers[:1]))
    for line in (match[0], *behind):
        place = _PLACE.search(line)
        if place and int(place["line"]) in origins:
            path, number = origins[int(place["line"])]
            return Finding(kind, message, path, number, int(place["column"]))
    return Finding(kind, message)
