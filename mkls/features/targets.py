"""Places to jump to, for whatever the cursor is on."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from mkls.features.subject_at import subject_at
from mkls.features.subjects import Subject
from mkls.index.host_documents import HostFunction
from mkls.index.inline_shaders import real_place
from mkls.index.kernels_link import Kernel
from mkls.index.operators import Row
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span


class Target(msgspec.Struct, frozen=True):
    """A place to jump to: `span` is its name in `whole`; `origin` is what the user jumps from."""

    uri: Uri
    span: Span
    whole: Span
    origin: Span


Found = tuple[Place, Span]
"""The name to jump to, and the whole of what it names."""

Finders = Mapping[type[Subject], Callable[[Snapshot, Any], Iterable[Found]]]


def targets(snapshot: Snapshot, uri: Uri, offset: int, finders: Finders) -> list[Target]:
    """Return what the finder for the subject at `offset` of `uri` finds, each place once.

    The place that the cursor is on is none to jump to.
    """
    subject = subject_at(snapshot, uri, offset)
    find = finders.get(type(subject)) if subject else None
    if subject is None or find is None:
        return []
    return [
        Target(place.uri, place.span, whole, subject.span)
        for place, whole in dict.fromkeys(find(snapshot, subject))
        if place.uri in snapshot.sources and not (place.uri == uri and offset in place.span)
    ]


def of_row(row: Row) -> Found:
    """Return a row's name and the row."""
    return Place(row.uri, row.name_span), row.place(Span(0, row.entry.end))


def of_function(function: HostFunction) -> Found:
    """Return a host function's name and its definition."""
    return function.name_place, function.place.span


def of_kernel(kernel: Kernel) -> Found:
    """Return what gives a kernel its host name, and what registers it."""
    whole = real_place(kernel.uri, kernel.span)
    name = real_place(kernel.uri, kernel.name_span or kernel.span)
    return name, whole.span


def of_primary(kernel: Kernel) -> list[Found]:
    """Return the template or the definition that a kernel is made from."""
    if kernel.primary is None:
        return []
    place = real_place(kernel.primary.uri, kernel.primary.span)
    return [(place, place.span)]


def of_place(place: Place) -> Found:
    """Return a name that stands for itself."""
    return place, place.span
