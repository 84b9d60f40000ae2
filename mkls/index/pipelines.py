"""Launches for which no pipeline was set."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mkls.facts.model.launches import Event, EventKind, Launches
from mkls.index.host_documents import HostFunction
from mkls.index.launches import launches_itself, launching_functions
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri


class Unset(NamedTuple):
    """A launch on an encoder on which `function` set no pipeline, though it looks one up.

    `pipeline` is the variable of the pipeline that is meant, "" when nothing tells.
    """

    function: HostFunction
    dispatch: Event
    pipeline: str


def unset_pipelines(snapshot: Snapshot, uri: Uri) -> Iterator[Unset]:
    """Yield the launches in `uri` before which no path sets a pipeline of their function.

    Whoever is handed the encoder may set one.
    """
    for function, launches in launching_functions(snapshot, uri):
        asks = launches.assignments or (function.function and function.function.lookups)
        if not launches.paths or not asks:
            continue
        variables = {it.variable for it in launches.assignments}
        for index, is_set in _dispatches(snapshot, launches).items():
            event = launches.events[index]
            # On an encoder that a caller hands over, the caller may have set one, but none of ours.
            if not is_set and (launches.fetches or event.pipeline in variables):
                only = next(iter(variables)) if len(variables) == 1 else ""
                yield Unset(function, event, event.pipeline or only)


def _dispatches(snapshot: Snapshot, launches: Launches) -> Mapping[int, bool]:
    """Return, for each launch, whether some path may have set a pipeline before it.

    A helper that launches a kernel of its own sets the pipeline of that.
    """
    found: dict[int, bool] = {}
    for path in launches.paths:
        known: set[str] = set()
        for index in path:
            event = launches.events[index]
            if event.kind is EventKind.PIPELINE:
                known.add(event.encoder)
            elif event.kind is EventKind.HANDED:
                if not launches_itself(snapshot, event.name.text):
                    known.add(event.encoder)
            elif event.kind is EventKind.DISPATCH:
                found[index] = found.get(index, False) or event.encoder in known
    return found
