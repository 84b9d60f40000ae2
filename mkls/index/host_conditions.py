"""Conditions in host code that decide more than they know: SDK macros, MPSGraph's limits."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from mkls.index.host_documents import HostFunction
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span

_MACRO: Final = r"(__MAC_\d+_\d+|MAC_OS_VERSION_\w+)"
_SDK: Final = re.compile(
    rf"^#[ \t]*if(?:def)?[ \t]+(?:defined[ \t]*\(?[ \t]*)?{_MACRO}\b[^\n]*\n"
    r"(.*?)^#[ \t]*(?:el\w+|endif)\b",
    re.MULTILINE | re.DOTALL,
)
_MESSAGE: Final = re.compile(r"\[\s*\w+\s+\w+(?:\]|:|With)")
_TOO_LARGE: Final = "isTooLargeForMPSGraph"
_ASKED: Final = re.compile(r"\b(isTooLargeForMPSGraph)\([^;?]*\)\s*\?\s*([^:;?]*?)\s*:\s*([^;,)]*)")
_DECIDED: Final = re.compile(r"\bbool (\w+)\s*=([^;]*)\bisTooLargeForMPSGraph\b([^;]*);")
_KNOWS_WIDTH: Final = ("offsetsFitIn", "can_use_32bit_indexing", "numel")


class SdkGate(NamedTuple):
    """The condition of code that only some macOS can run, without a question for its version."""

    macro: str
    span: Span


def sdk_gates(snapshot: Snapshot, uri: Uri) -> Iterator[SdkGate]:
    """Yield the SDK macros in `uri` below which a function calls what only new systems have."""
    text = snapshot.sources[uri].document.text
    if "__MAC_" not in text and "MAC_OS_VERSION_" not in text:
        return
    for found in _SDK.finditer(text):
        function = _around(snapshot, uri, found.start())
        if function is None or not _MESSAGE.search(found[2]):
            continue
        if "is_macos" not in text[function.place.span.start : found.end()]:
            yield SdkGate(found[1], Span(*found.span(1)))


def _around(snapshot: Snapshot, uri: Uri, offset: int) -> HostFunction | None:
    document = snapshot.host.document(uri)
    for function in document.functions if document else ():
        span = function.place.span
        if function.function and not function.macro and span.start < offset < span.end:
            return function
    return None


class WidthByDimension(NamedTuple):
    """A flag that tells whether MPSGraph can take a tensor, and that chooses an index's width.

    `decided` is where it is made, None where it is asked on the spot.
    """

    name: str
    span: Span
    decided: Span | None


def widths_by_dimension(snapshot: Snapshot, uri: Uri) -> Iterator[WidthByDimension]:
    """Yield the uses of such flags in `uri`."""
    text = snapshot.sources[uri].document.text
    if _TOO_LARGE not in text:
        return
    for found in _ASKED.finditer(text):
        if _chooses_width(found):
            yield WidthByDimension(_TOO_LARGE, Span(*found.span(1)), None)
    for decided in _DECIDED.finditer(text):
        function = _around(snapshot, uri, decided.start())
        if function is None or any(it in decided[2] + decided[3] for it in _KNOWS_WIDTH):
            continue
        for use in _uses(decided[1], text, decided.end(), function.place.span.end):
            yield WidthByDimension(decided[1], use, Span(*decided.span(1)))


def _uses(name: str, text: str, start: int, end: int) -> Iterator[Span]:
    ternary = re.compile(rf"\b({name})\s*\?\s*([^:;?]*?)\s*:\s*([^;,)]*)")
    branch = re.compile(rf"\bif\s*\(\s*({name})\s*\)([^;]*);\s*\}}?\s*else\b(?! if)([^;]*);")
    for pattern in (ternary, branch):
        for found in pattern.finditer(text, start, end):
            if _chooses_width(found):
                yield Span(*found.span(1))


def _chooses_width(found: "re.Match[str]") -> bool:
    """Whether the second part of a choice is of 64 bits, and the third of 32."""
    narrow = "64" not in found[3] and ("32" in found[3] or "int" in found[3])
    return "64" in found[2] and narrow
