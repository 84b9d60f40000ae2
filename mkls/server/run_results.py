"""What the last runs of kernels came to, until an edit makes it old."""

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import replace

import msgspec

from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.runner.diagnostics import RunDiagnostic
from mkls.runner.lens import RUNNING, lens_title
from mkls.runner.report import Run
from mkls.server.text_difference import Difference, difference
from mkls.text.document import Uri


class Outcome(msgspec.Struct, frozen=True):
    """What a run of `kernels` of `unit` came to.

    It holds until one of `parts` is edited; `texts` are the documents that the places are in.
    """

    unit: Uri
    kernels: frozenset[str]
    runs: tuple[Run, ...]
    diagnostics: tuple[RunDiagnostic, ...]
    parts: frozenset[Place]
    texts: Mapping[Uri, str]

    def without(self, other: "Outcome") -> "Outcome | None":
        """Return what is left when `other` is newer, None when nothing is."""
        kept = self.kernels - other.kernels
        if self.unit != other.unit or kept == self.kernels:
            return self
        if not kept:
            return None
        runs = tuple(it for it in self.runs if it.kernel in kept)
        diagnostics = tuple(it for it in self.diagnostics if it.kernel in kept)
        return msgspec.structs.replace(self, kernels=kept, runs=runs, diagnostics=diagnostics)

    def carried_to(self, snapshot: Snapshot) -> "Outcome | None":
        """Return this with the places that it is about now, None when it is old."""
        outcome: Outcome | None = self
        for uri, text in self.texts.items():
            source = snapshot.sources.get(uri)
            if source is None:
                return None
            new = source.document.text
            if outcome and new is not text and new != text:
                outcome = outcome.edited(uri, difference(text, new), new)
        return outcome

    def edited(self, uri: Uri, change: Difference, text: str) -> "Outcome | None":
        """Return this after a `change` of `uri` into `text`, None when it touches a part."""
        if any(it.uri == uri and change.touches(it.span) for it in self.parts):
            return None
        moved = frozenset(
            Place(uri, change.moved(it.span)) if it.uri == uri else it for it in self.parts
        )
        return msgspec.structs.replace(
            self,
            parts=moved,
            diagnostics=tuple(_moved(it, uri, change) for it in self.diagnostics),
            texts={**self.texts, uri: text},
        )


def _moved(diagnostic: RunDiagnostic, uri: Uri, change: Difference) -> RunDiagnostic:
    related = tuple(
        replace(it, span=change.moved(it.span)) if it.uri == uri else it
        for it in diagnostic.related
    )
    span = change.moved(diagnostic.span) if diagnostic.uri == uri else diagnostic.span
    return replace(diagnostic, span=span, related=related)


class RunResults:
    """The outcomes of one workspace, and the kernels that run right now."""

    def __init__(self) -> None:
        """Start without any."""
        self._outcomes: tuple[Outcome, ...] = ()
        self._running: list[tuple[Uri, frozenset[str]]] = []
        self._snapshot: Snapshot | None = None

    @contextmanager
    def running(self, unit: Uri, kernels: frozenset[str]) -> Generator[None, None, None]:
        """While in this context, `kernels` of `unit` count as running."""
        entry = unit, kernels
        self._running.append(entry)
        try:
            yield
        finally:
            self._running.remove(entry)

    def add(self, outcome: Outcome) -> None:
        """Take in the newest outcome."""
        kept = (left for it in self._outcomes if (left := it.without(outcome)))
        self._outcomes = (*kept, outcome)
        self._snapshot = None

    def diagnostics(self, snapshot: Snapshot, uri: Uri) -> tuple[RunDiagnostic, ...]:
        """Return what runs have shown about `uri`."""
        self._carry(snapshot)
        return tuple(it for one in self._outcomes for it in one.diagnostics if it.uri == uri)

    def title(self, snapshot: Snapshot, unit: Uri, kernels: Iterable[str]) -> str:
        """Return what to write above the place that makes `kernels` of `unit`."""
        names = frozenset(kernels)
        if any(unit == it and names & busy for it, busy in self._running):
            return RUNNING
        self._carry(snapshot)
        mine = (it for it in self._outcomes if it.unit == unit)
        return lens_title([run for one in mine for run in one.runs if run.kernel in names])

    def _carry(self, snapshot: Snapshot) -> None:
        if snapshot is not self._snapshot:
            self._snapshot = snapshot
            carried = (it.carried_to(snapshot) for it in self._outcomes)
            self._outcomes = tuple(it for it in carried if it)
