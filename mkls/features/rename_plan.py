"""What a rename replaces, before the new name is known."""

from collections.abc import Iterable
from enum import Enum

import msgspec

from mkls.features.occurrences import Occurrence
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.edit import Edit
from mkls.text.span import Span


class Group(Enum):
    """Why a place is renamed; the value is what the editor shows above such changes."""

    ROW = "Rows of native_functions.yaml"
    HOST = "Host code"
    LOOKUP = "Look-ups of kernels"
    METAL = "Kernels, functors and registrations"
    OTHER = "Other places"


class Refusal(msgspec.Struct, frozen=True):
    """Why something cannot be renamed, as a sentence for the user."""

    reason: str


class Written(msgspec.Struct, frozen=True, order=True):
    """A place that spells the old name, to be replaced."""

    uri: Uri
    span: Span
    group: Group = Group.OTHER


class Plan(msgspec.Struct, frozen=True):
    """A name that can be changed: `span` is it under the cursor, `places` are all that spell it.

    `doubt` says what mkls cannot see: the user is asked before the change is made. `host_names`
    are the kernels whose names begin with `old` and change along.
    """

    span: Span
    old: str
    places: tuple[Written, ...]
    doubt: str = ""
    host_names: frozenset[str] = frozenset()

    def edits(self, uri: Uri, new: str) -> list[Edit]:
        """Return what changes in `uri`."""
        return [Edit(it.span, new) for it in self.places if it.uri == uri]

    @property
    def uris(self) -> list[Uri]:
        """The documents that change."""
        return list(dict.fromkeys(it.uri for it in self.places))


def plan_of(
    snapshot: Snapshot,
    cursor: tuple[Uri, int],
    old: str,
    places: Iterable[Written],
    doubt: str = "",
    host_names: frozenset[str] = frozenset(),
) -> Plan | Refusal:
    """Return the plan that replaces `old` at `places`, unless one of them says something else."""
    listed = sorted({(it.uri, it.span): it for it in places}.values(), key=_place)
    for it in listed:
        source = snapshot.sources.get(it.uri)
        if source is None or it.uri in snapshot.library:
            return Refusal(f"`{old}` is also named in `{_file(it.uri)}`, outside of the workspace")
        if it.span.of(source.document.text) != old:
            return Refusal(f"a macro or a format string makes `{old}` in `{_file(it.uri)}`")
    span = next((it.span for it in listed if it.uri == cursor[0] and cursor[1] in it.span), None)
    if span is None:
        return Refusal(f"`{old}` is not spelled out here")
    return Plan(span, old, tuple(listed), doubt, host_names)


def _place(written: Written) -> tuple[Uri, Span]:
    return written.uri, written.span


def _file(uri: Uri) -> str:
    return uri.rpartition("/")[2]


def written(found: Iterable[Occurrence], group: Group) -> list[Written]:
    """Return `found` as places of a group."""
    return [Written(it.uri, it.span, group) for it in found]
