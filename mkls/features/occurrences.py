"""Where a name is written: the unit of references, highlights and rename."""

from collections.abc import Iterable, Iterator

import msgspec

from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import HostFacts
from mkls.index.inline_shaders import real_place
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.syntax.identifiers import identifier_spans
from mkls.text.document import Uri
from mkls.text.span import Span


class Occurrence(msgspec.Struct, frozen=True, order=True):
    """A place that writes a name; `declares` where it makes what the name means."""

    uri: Uri
    span: Span
    declares: bool = False

    @property
    def place(self) -> Place:
        """Where it is."""
        return Place(self.uri, self.span)


def ordered(found: Iterable[Occurrence]) -> list[Occurrence]:
    """Return each place of `found` once, in the order of files; what declares stays so."""
    declared: dict[Place, bool] = {}
    for it in found:
        declared[it.place] = it.declares or declared.get(it.place, False)
    return [Occurrence(it.uri, it.span, declared[it]) for it in sorted(declared)]


def host_documents(snapshot: Snapshot, only: Uri | None = None) -> Iterator[Uri]:
    """Yield the documents of C++ and Objective-C++, or just `only` if it is one."""
    for facts in (snapshot.facts(HostFacts), snapshot.facts(CppFacts)):
        if only is None:
            yield from facts
        elif only in facts:
            yield only


def in_host_code(snapshot: Snapshot, name: str, uris: Iterable[Uri]) -> Iterator[Occurrence]:
    """Yield where identifier `name` stands in the code of `uris`."""
    for uri in uris:
        for span in identifier_spans(snapshot.sources[uri].document.text, name):
            yield Occurrence(uri, span)


def in_metal_code(snapshot: Snapshot, name: str, unit_uris: Iterable[Uri]) -> Iterator[Occurrence]:
    """Yield where identifier `name` stands in Metal documents, those within strings included."""
    for uri in unit_uris:
        shader = snapshot.inline_shaders.get(uri)
        if shader:
            for span in identifier_spans(shader.text, name):
                place = real_place(uri, span)
                yield Occurrence(place.uri, place.span)
        elif uri in snapshot.sources:
            for span in identifier_spans(snapshot.sources[uri].document.text, name):
                yield Occurrence(uri, span)
