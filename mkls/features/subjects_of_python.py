"""What the cursor is on in a Python file: a shader in a string, or a kernel that is asked for."""

import re

from mkls.features.strings import shader_around
from mkls.features.subjects import LibraryKernel, Subject
from mkls.features.subjects_in_strings import string_subject
from mkls.index.python_libraries import launches_in, references_in
from mkls.index.snapshot import Snapshot, Source
from mkls.text.span import Span


def python_subject(snapshot: Snapshot, source: Source, offset: int) -> Subject | None:
    """Return what stands at `offset` of a Python file."""
    uri, text = source.document.uri, source.document.text
    if inside := shader_around(snapshot, uri, offset):
        return string_subject(snapshot, inside)
    for reference, unit in references_in(snapshot, uri):
        name = reference.name
        kernels = tuple(it for it in unit.kernels if it.host_name == name.text)
        if kernels and offset in name.span:
            return LibraryKernel(name.span, kernels)
    for linked in launches_in(snapshot, uri):
        span = _last_name(text, linked.launch.function)
        if offset in span:
            return LibraryKernel(span, linked.kernels)
    return None


def _last_name(text: str, called: Span) -> Span:
    """Return `kernel` of `self.kernel`, and of what is more than names the end."""
    return Span(called.end - len(re.split(r"\W", called.of(text))[-1]), called.end)
