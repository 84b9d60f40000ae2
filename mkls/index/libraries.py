"""Which Metal source a host file compiles when shaders are compiled just in time."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from mkls.facts.model.host import HostFacts
from mkls.facts.model.name import Name
from mkls.index.links import lookups_in
from mkls.index.lookups import LinkedLookup, Request
from mkls.index.name_patterns import HostNames, Satisfaction
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

_METALLIB: Final = re.compile(r"(?:.*/)?(?P<stem>\w+)_metallib\.h\Z")


class Exchanged(NamedTuple):
    """A file whose just-in-time library lacks every kernel that the file asks for.

    `stem` are the characters of the include that name the Metal source, at `place`. `right` are
    the sources that have all of them.
    """

    stem: str
    place: Place
    right: tuple[str, ...]
    missing: str


class Elsewhere(NamedTuple):
    """A lookup whose kernel is in the bundled library, but not in the file's just-in-time one."""

    linked: LinkedLookup
    request: Request
    stem: str
    include: Place
    source: str


def _included(snapshot: Snapshot, uri: Uri) -> tuple[str, Place] | None:
    facts = snapshot.facts(HostFacts).get(uri)
    for include in facts.includes if facts else ():
        path: Name = include.path
        found = _METALLIB.fullmatch(path.text)
        if found:
            start = path.span.start + path.text.index(found["stem"] + "_metallib.h")
            span = path.span
            return found["stem"], Place(uri, type(span)(start, start + len(found["stem"])))
    return None


def _stem(uri: Uri) -> str:
    return uri.rpartition("/")[2].removesuffix(".metal")


def wrong_libraries(snapshot: Snapshot, uri: Uri) -> Iterator[Exchanged | Elsewhere]:
    """Yield what `uri` asks of its just-in-time library in vain.

    Nothing is said while a header is not at hand, nor of lookups in libraries of a file's own.
    """
    included = _included(snapshot, uri)
    if included is None or not snapshot.knows_all_kernels:
        return
    stem, place = included
    own = snapshot.once(_names_by_stem).get(stem)
    asked = list(_asked(snapshot, uri))
    lacking = [
        (linked, it)
        for linked, it in asked
        if own is None or it.satisfied_by(own) is Satisfaction.NO
    ]
    lacking = [(linked, it) for linked, it in lacking if _sources(snapshot, it)]
    if not lacking:
        return
    if len(lacking) == len(asked):
        right = tuple(
            other
            for other, names in snapshot.once(_names_by_stem).items()
            if all(it.satisfied_by(names) is not Satisfaction.NO for _, it in asked)
        )
        yield Exchanged(stem, place, right, _brief(asked[0][1]))
        return
    for linked, it in lacking:
        sources = sorted(_sources(snapshot, it))
        if sources and it.place.uri == uri:
            yield Elsewhere(linked, it, stem, place, sources[0])


def _brief(request: Request) -> str:
    return request.names.text.split(" or ")[0]


def _names_by_stem(snapshot: Snapshot) -> dict[str, HostNames]:
    return {
        _stem(uri): HostNames(it.host_name for it in unit.kernels)
        for uri, unit in snapshot.kernels.units.items()
        if uri.endswith(".metal")
    }


def _asked(snapshot: Snapshot, uri: Uri) -> Iterator[tuple[LinkedLookup, Request]]:
    """Yield the requests to the file's bundled library whose names are known."""
    document = snapshot.host.document(uri)
    libraries = document.libraries() if document else ()
    bundled = {it.name.text for _, it in libraries if it.bundled}
    for linked in lookups_in(snapshot, uri):
        library = linked.lookup.library.rpartition("::")[2]
        if library in bundled:
            for request in linked.requests:
                if request.names.is_known:
                    yield linked, request


def _sources(snapshot: Snapshot, request: Request) -> set[str]:
    names = request.names.kernels(snapshot.host_names)
    kernels = (it for name in names for it in snapshot.kernels.by_host_name.get(name, ()))
    return {_stem(it.unit) for it in kernels if it.unit.endswith(".metal")}
