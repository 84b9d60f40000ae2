"""Launches of kernels: what the host binds along each straight path, and where it does not fit."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from mkls.facts.model.launches import Event, EventKind, Launches
from mkls.facts.model.metal import KernelArgument
from mkls.index.bindings import Bound, Fault, Mismatch, mismatches
from mkls.index.host_documents import HostFunction
from mkls.index.inline_shaders import real_place
from mkls.index.instantiations import deviating_kernels
from mkls.index.kernels_link import Kernel
from mkls.index.lookups import LinkedLookup, Request
from mkls.index.name_patterns import Hole, NameSet
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span


class Launch(NamedTuple):
    """A kernel launched on a straight path, with what is bound at `dispatch`.

    `groups` are the kernels that the lookup may give: those that one literal asks for in each, and
    of them only the dtype decides.
    """

    function: HostFunction
    dispatch: Event
    groups: tuple[tuple[Kernel, ...], ...]
    bound: Bound

    @property
    def kernels(self) -> Iterator[Kernel]:
        """Every kernel that may be meant."""
        return (kernel for group in self.groups for kernel in group)


class Misfit(NamedTuple):
    """A launch that does not fit its kernels, with how it misses the one that it fits best.

    `others` are further mismatches with the same kernel.
    """

    launch: Launch
    mismatch: Mismatch
    others: tuple[Mismatch, ...]


def misfits(snapshot: Snapshot, uri: Uri) -> tuple[Misfit, ...]:
    """Return the launches in `uri` whose arguments fit no kernel that may be meant, each once."""
    return snapshot.once(_misfits).get(uri, ())


def launches(snapshot: Snapshot, uri: Uri) -> tuple[Launch, ...]:
    """Return what `uri` launches on each straight path, where the kernels are known."""
    return snapshot.once(_launches).get(uri, ())


def launching_functions(snapshot: Snapshot, uri: Uri) -> Iterator[tuple[HostFunction, Launches]]:
    """Yield the functions of `uri` that deal with a command encoder."""
    document = snapshot.host.document(uri)
    for function in document.functions if document else ():
        if function.function and function.function.launches and not function.macro:
            yield function, function.function.launches


def streams_have_encoders(snapshot: Snapshot) -> bool:
    """Whether streams keep an encoder: in a checkout of PyTorch before 2.0, nobody asks for one."""
    return not snapshot.operators.rows or snapshot.once(_fetches_encoders)


def _fetches_encoders(snapshot: Snapshot) -> bool:
    fetched = (
        launches_.fetches
        for document in snapshot.host.documents
        for _, launches_ in launching_functions(snapshot, document.uri)
    )
    return any(fetched)


def _misfits(snapshot: Snapshot) -> Mapping[Uri, tuple[Misfit, ...]]:
    if not snapshot.knows_all_kernels:
        return {}
    return {
        uri: tuple(_of_document(of_document))
        for uri, of_document in snapshot.once(_launches).items()
    }


def _of_document(found: Iterable[Launch]) -> Iterator[Misfit]:
    by_dispatch: dict[tuple[int, Span], list[Launch]] = {}
    for launch in found:
        key = (launch.function.stated.start, launch.dispatch.span)
        by_dispatch.setdefault(key, []).append(launch)
    for paths in by_dispatch.values():
        yield from _of_dispatch(paths)


def _of_dispatch(paths: list[Launch]) -> Iterator[Misfit]:
    """Yield what is wrong with one dispatch.

    Kernels of a group that fit none of the paths are reported on their own, so long as others fit;
    else, once, a path that fits none of the kernels.
    """
    tried = [[_best(launch, group) for group in launch.groups] for launch in paths]
    by_group = [list(of_group) for of_group in zip(*tried, strict=True)]
    bad = [of_group for of_group in by_group if all(of_group)]
    if bad and len(bad) < len(by_group):
        yield from _of_groups(paths, bad)
        return
    for launch, of_path in zip(paths, tried, strict=True):
        if all(of_path):
            yield from _reported(launch, min(of_path, key=len))
            return


def _of_groups(paths: list[Launch], bad: list[list[list[Mismatch]]]) -> Iterator[Misfit]:
    seen: set[tuple[Fault, int]] = set()
    for of_group in bad:
        # Of paths that miss as much, one that binds a number twice tells why.
        tried = list(zip(paths, of_group, strict=True))
        path, found = min(tried, key=lambda it: (len(it[1]), not it[0].bound.repeated))
        for misfit in _reported(path, found):
            key = (misfit.mismatch.fault, misfit.mismatch.number)
            if key not in seen:
                seen.add(key)
                yield misfit


def _best(launch: Launch, group: tuple[Kernel, ...]) -> list[Mismatch]:
    """Return how `launch` misses the kernel of `group` that it fits best; [] when it fits one."""
    best: list[Mismatch] = []
    for kernel in group:
        found = mismatches(kernel, launch.bound)
        if not found:
            return []
        if not best or len(found) < len(best):
            best = found
    return best


def _reported(launch: Launch, found: list[Mismatch]) -> Iterator[Misfit]:
    """Yield the most telling mismatch; a vector that is too short is a mistake of its own."""
    ordered = sorted(found, key=_order)
    first = ordered[0]
    yield Misfit(launch, first, tuple(ordered[1:]))
    if first.fault in (Fault.EXTRA, Fault.MISSING):
        return
    is_short = first.fault is Fault.SHORT_VECTOR
    for other in ordered[1:]:
        if (other.fault is Fault.SHORT_VECTOR) is not is_short:
            yield Misfit(launch, other, ())
            return


def _order(mismatch: Mismatch) -> tuple[int, int]:
    """Put the most telling first; of arguments too many, the last."""
    return (mismatch.fault, -mismatch.number if mismatch.fault is Fault.EXTRA else mismatch.number)


def _launches(snapshot: Snapshot) -> Mapping[Uri, tuple[Launch, ...]]:
    asked = _Asked(snapshot)
    found: dict[Uri, list[Launch]] = {}
    for document in snapshot.host.documents:
        if not document.objective:
            continue
        for function, launches_ in launching_functions(snapshot, document.uri):
            found.setdefault(document.uri, []).extend(_Walk(asked, function, launches_).launches())
    return {uri: tuple(of_uri) for uri, of_uri in found.items()}


class _Asked:
    """The lookups of a snapshot, by their function and by the calls that they go through."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.deviating = deviating_kernels(snapshot)
        self.by_function: dict[int, list[LinkedLookup]] = {}
        self.by_caller: dict[Uri, list[tuple[Span, Request]]] = {}
        for linked in snapshot.host.lookups:
            self.by_function.setdefault(id(linked.function.function), []).append(linked)
            for request in linked.requests:
                for place in request.via:
                    self.by_caller.setdefault(place.uri, []).append((place.span, request))

    def groups(self, function: HostFunction, value: Span) -> tuple[tuple[Kernel, ...], ...]:
        """Return the kernels that the pipeline made at `value` may be of; () when it is open."""
        requests = [
            request
            for linked in self.by_function.get(id(function.function), ())
            if value.covers(linked.lookup.span)
            for request in linked.requests
        ]
        if not requests:
            place = function.stated.place(value)
            requests = [
                request
                for span, request in self.by_caller.get(place.uri, ())
                if place.span.covers(span)
            ]
        found = [self._named(request) for request in requests]
        return tuple(group for groups in found for group in groups) if all(found) else ()

    def _named(self, request: Request) -> list[tuple[Kernel, ...]]:
        """Return the kernels of each pattern, of those that match any kernel at all."""
        names = request.names
        if (Hole.ANY,) in names.patterns:
            return []
        tables = (self.snapshot.kernels.by_host_name, self.snapshot.inline_kernels.by_host_name)
        matched = [
            tuple(NameSet((pattern,), names.dtypes).kernels(self.snapshot.host_names))
            for pattern in names.patterns
        ]
        return [
            found
            for group in dict.fromkeys(matched)
            if (found := tuple(it for it in _of_names(group, tables) if self._is_sure(it)))
        ]

    def _is_sure(self, kernel: Kernel) -> bool:
        """Whether the instantiation agrees with its template: else that is the mistake."""
        return (kernel.macro or str(kernel.span.start), kernel.function) not in self.deviating


def launches_itself(snapshot: Snapshot, name: str) -> bool:
    """Whether helper `name`, which is handed an encoder, launches a kernel of its own."""
    functions = snapshot.host.functions(name)
    return bool(functions) and all(
        it.function is not None
        and it.function.launches is not None
        and any(event.kind is EventKind.DISPATCH for event in it.function.launches.events)
        for it in functions
    )


def _of_names(
    names: Iterable[str], tables: Iterable[Mapping[str, tuple[Kernel, ...]]]
) -> Iterator[Kernel]:
    for name in names:
        for table in tables:
            yield from table.get(name, ())


class _Walk:
    """Walks the straight paths of one function."""

    def __init__(self, asked: _Asked, function: HostFunction, facts: Launches) -> None:
        self.asked = asked
        self.function = function
        self.facts = facts
        self.known: dict[str, tuple[tuple[Kernel, ...], ...]] = {}

    def launches(self) -> Iterator[Launch]:
        for path in self.facts.paths:
            encoders: dict[str, _Encoder] = {}
            for index in path:
                event = self.facts.events[index]
                encoder = encoders.setdefault(event.encoder, _Encoder())
                encoder.take(event, self.asked)
                if event.kind is EventKind.DISPATCH:
                    groups = self._groups(encoder.pipeline or event.pipeline)
                    if groups:
                        yield Launch(self.function, event, groups, encoder.bound())

    def _groups(self, variable: str) -> tuple[tuple[Kernel, ...], ...]:
        """Return the kernels that the pipeline in `variable` may be of; () when that is open."""
        if variable not in self.known:
            values = [it.span for it in self.facts.assignments if it.variable == variable]
            each = [self.asked.groups(self.function, value) for value in values]
            known = each if all(each) else []
            self.known[variable] = tuple(group for groups in known for group in groups)
        return self.known[variable]


class _Encoder:
    """What is bound on one encoder."""

    def __init__(self) -> None:
        self.events: dict[int, Event] = {}
        self.memory: dict[int, Event] = {}
        self.repeated: list[tuple[Event, Event]] = []
        self.perhaps: set[int] = set()
        self.skipped: dict[int, Event] = {}
        self.first = False
        self.is_open = False
        self.pipeline = ""
        self.launched = False

    def take(self, event: Event, asked: _Asked) -> None:
        if event.kind is EventKind.PIPELINE:
            self._set(event.name.text)
        elif event.kind is EventKind.BIND:
            if first := self.events.get(event.index):
                self.repeated.append((first, event))
            self.events[event.index] = event
        elif event.kind is EventKind.MEMORY:
            self.memory[event.index] = event
        elif event.kind is EventKind.SKIPPED:
            self.perhaps.add(event.index)
            self.skipped[event.index] = event
        elif event.kind is EventKind.BIND_FIRST:
            self.first = True
        elif event.kind is EventKind.HANDED:
            self.is_open = self.is_open or not launches_itself(asked.snapshot, event.name.text)
        else:
            self.launched = True

    def _set(self, pipeline: str) -> None:
        """Set a pipeline: what an earlier launch bound stays bound, but was meant for another."""
        self.pipeline = pipeline
        if self.launched:
            self.perhaps |= set(self.events)
            self.events, self.memory, self.skipped, self.repeated = {}, {}, {}, []
            self.first = self.is_open = self.launched = False

    def bound(self) -> Bound:
        return Bound(
            dict(self.events),
            dict(self.memory),
            tuple(self.repeated),
            frozenset(self.perhaps),
            dict(self.skipped),
            self.first,
            self.is_open,
        )


def group_limits(snapshot: Snapshot, uri: Uri) -> Mapping[Span, int]:
    """Return the most threads that the kernels launched in `uri` state, by the group's size."""
    found: dict[Span, int] = {}
    for launch in launches(snapshot, uri):
        stated = [it for it in map(stated_limit, launch.kernels) if it]
        if launch.dispatch.group and stated:
            span = launch.dispatch.group_span.shifted(launch.function.stated.start)
            found[span] = max(stated)
    return found


def stated_limit(kernel: Kernel) -> int:
    """Return the most threads that `kernel` states for a group, 0 where it states none."""
    for attribute in kernel.registered.kernel.attributes:
        name, _, number = attribute.partition("(")
        if name == "max_total_threads_per_threadgroup" and number.rstrip(")").isdecimal():
            return int(number.rstrip(")"))
    return 0


def stale_arguments(snapshot: Snapshot, uri: Uri) -> Iterator[Misfit]:
    """Yield what a path leaves out although every kernel takes it; `event` is what is left out."""
    seen: set[Span] = set()
    for launch in launches(snapshot, uri) if snapshot.knows_all_kernels else ():
        for index, event in launch.bound.skipped.items():
            if index in launch.bound.events or event.name.span in seen:
                continue
            bare = launch.bound._replace(perhaps=frozenset())
            each = [_lacks(kernel, bare, index) for kernel in launch.kernels]
            if all(each) and each[0] is not None:
                seen.add(event.name.span)
                yield Misfit(launch, each[0]._replace(event=event), ())


def _lacks(kernel: Kernel, bound: Bound, index: int) -> Mismatch | None:
    found = mismatches(kernel, bound) or ()
    return next((it for it in found if it.fault is Fault.MISSING and it.number == index), None)


def place_of(kernel: Kernel) -> Place:
    """Return where a kernel's function is named, as a place that an editor can show."""
    place = kernel.primary or Place(kernel.uri, kernel.span)
    return real_place(place.uri, place.span)


def parameter_place(kernel: Kernel, argument: KernelArgument | None) -> Place | None:
    """Return where a kernel's parameter is written; None for one that a macro makes."""
    if argument is None or kernel.primary is None or argument.span.start == argument.span.end:
        return None
    return real_place(kernel.primary.uri, argument.span)
