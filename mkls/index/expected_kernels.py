"""Kernels that others make necessary: float beside integers, castout beside predicates."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mkls.index.dtype_words import slots_of
from mkls.index.exec_calls import kernels_asked_for
from mkls.index.kernels_link import Kernel
from mkls.index.links import lookups_in
from mkls.index.name_patterns import Pattern
from mkls.index.place import Place
from mkls.index.python_libraries import units_of_python
from mkls.index.registrations import Registration
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

_INTEGERS: Final = frozenset({"long", "int", "short", "char", "uchar", "bool"})
_CAST: Final = "_cast_{}_{}"


class MissingFloat(NamedTuple):
    """An operator that turns integers to float and has no kernel for float itself."""

    registration: Registration
    stem: str
    text: str


def missing_floats(snapshot: Snapshot, uri: Uri) -> tuple[MissingFloat, ...]:
    """Return the operators of `uri` that mixed integers would ask for a float kernel in vain."""
    return snapshot.once(_missing_floats).get(uri, ())


def _missing_floats(snapshot: Snapshot) -> Mapping[Uri, tuple[MissingFloat, ...]]:
    words, names = snapshot.host.dtypes, snapshot.host_names
    found: dict[Uri, dict[str, MissingFloat]] = {}
    for registrations in snapshot.kernels.registrations.values():
        for registration in registrations:
            for kernel in registration.kernels:
                pattern, slots = slots_of(kernel.host_name, words)
                if not pattern.endswith(_CAST) or len(slots) != 2:
                    continue
                out, given = slots
                wanted = pattern.replace("{}", out)
                if given in _INTEGERS and out == "float" and wanted not in names:
                    stem = kernel.host_name.partition("_dense")[0].partition("_strided")[0]
                    place = registration.top.place
                    missing = MissingFloat(registration, stem, _text(registration, given))
                    found.setdefault(place.uri, {}).setdefault(stem, missing)
    return {uri: tuple(each.values()) for uri, each in found.items()}


def _text(registration: Registration, given: str) -> str:
    step = registration.written(_INTEGERS)
    arguments = ("float" if it.text == given else it.text for it in step.arguments)
    return f"{step.macro}({', '.join(arguments)})"


def lacking_castouts(snapshot: Snapshot, uri: Uri) -> Iterator[tuple[Place, Kernel]]:
    """Yield the binary calls of `uri` for kernels with a bool result that cannot cast it.

    With each, a kernel that is asked for.
    """
    for linked in lookups_in(snapshot, uri):
        if linked.lookup.function.text != "exec_binary_kernel" or linked.function.macro:
            continue
        for request in linked.requests:
            kernels = list(kernels_asked_for(snapshot, request.names))
            results = {slots_of(it.host_name, snapshot.host.dtypes)[1][:1] for it in kernels}
            castout = any("_castout_" in it.host_name for it in kernels)
            natural = len(linked.lookup.arguments) > 4
            if results == {("bool",)} and not (castout and natural) and request.place.uri == uri:
                yield request.place, kernels[0]
                break


def unused_kernels(snapshot: Snapshot, uri: Uri) -> tuple[tuple[Registration, Kernel], ...]:
    """Return the registrations of `uri` whose kernels no lookup can mean, once for all dtypes.

    Nothing is said while there is a lookup whose name cannot be worked out at all.
    """
    return snapshot.once(_unused).get(uri, ())


def _unused(snapshot: Snapshot) -> Mapping[Uri, tuple[tuple[Registration, Kernel], ...]]:
    asked: set[str] = set()
    patterns: set[Pattern] = set()
    for linked in snapshot.host.lookups:
        if linked.function.uri in snapshot.library:
            continue
        for request in linked.requests:
            if not any(isinstance(part, str) for it in request.names.patterns for part in it):
                return {}
            if not patterns.issuperset(request.names.patterns):
                patterns.update(request.names.patterns)
                asked.update(request.names.kernels(snapshot.host_names))
    found: dict[Uri, dict[tuple[str, str], tuple[Registration, Kernel]]] = {}
    if not asked and not _has_library(snapshot):
        return {}
    loaded = units_of_python(snapshot)
    for unit, registrations in snapshot.kernels.registrations.items():
        for registration in () if unit in loaded else registrations:
            kernels = registration.kernels
            if not any(it.host_name in asked for it in kernels):
                pattern, _ = slots_of(kernels[0].host_name, snapshot.host.dtypes)
                key = (registration.top.macro, pattern)
                uri = registration.top.place.uri
                found.setdefault(uri, {}).setdefault(key, (registration, kernels[0]))
    return {uri: tuple(each.values()) for uri, each in found.items()}


def _has_library(snapshot: Snapshot) -> bool:
    """Whether host code that may ask for kernels is at hand."""
    documents = snapshot.host.documents
    return any(not it.raw for document in documents for _, it in document.libraries())
