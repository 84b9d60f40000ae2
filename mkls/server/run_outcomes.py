"""From the report of a run to what is shown in place."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from mkls.features.kernel_parts import kernel_parts
from mkls.index.kernels_link import Kernel
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.runner.diagnostics import Related, RunDiagnostic, diagnostics_of
from mkls.runner.report import Report
from mkls.server.run_results import Outcome
from mkls.text.document import Document, Uri, path_of
from mkls.text.span import Span


def outcome_of(snapshot: Snapshot, unit: Uri, kernels: frozenset[str], report: Report) -> Outcome:
    """Return what `report`, about `kernels` of `unit` in `snapshot`, shows."""
    compiled = snapshot.kernels.unit_with(unit)
    assert compiled, "what is no Metal source is not run"

    def text(uri: Uri) -> Document | None:
        source = snapshot.sources.get(uri)
        return source.document if source else None

    ran = kernels | {it.kernel for it in report.runs}
    made = [it for it in compiled.kernels if it.host_name in ran]
    start = made[0].span if made else Span(0, 0)
    home = Place(made[0].uri if made else unit, start)
    diagnostics = tuple(
        _registered(_at_hand(it, snapshot, home), made) for it in diagnostics_of(report, text)
    )
    places = [Place(it.uri, it.span) for it in diagnostics]
    parts = kernel_parts(snapshot, compiled, made, places)
    uris = {unit, *(it.uri for it in (*parts, *_mentioned(diagnostics)))}
    texts = {it: snapshot.sources[it].document.text for it in uris if it in snapshot.sources}
    return Outcome(unit, ran, report.runs, diagnostics, parts, texts)


def _at_hand(diagnostic: RunDiagnostic, snapshot: Snapshot, home: Place) -> RunDiagnostic:
    """Return `diagnostic`, on the kernel when it is about a header that no editor shows."""
    if diagnostic.uri in snapshot.sources:
        return diagnostic
    message = f"{path_of(diagnostic.uri).rpartition('/')[2]}: {diagnostic.message}"
    return replace(diagnostic, uri=home.uri, span=home.span, message=message)


def _registered(diagnostic: RunDiagnostic, made: Iterable[Kernel]) -> RunDiagnostic:
    """Return `diagnostic` with the place that makes its kernel, when it is somewhere else."""
    kernel = next((it for it in made if it.host_name == diagnostic.kernel), None)
    if kernel is None or _meet(kernel, diagnostic):
        return diagnostic
    place = Related(kernel.uri, kernel.span, f"`{kernel.host_name}` is registered here")
    return replace(diagnostic, related=(*diagnostic.related, place))


def _meet(kernel: Kernel, diagnostic: RunDiagnostic) -> bool:
    span = diagnostic.span
    apart = kernel.span.end <= span.start or span.end <= kernel.span.start
    return kernel.uri == diagnostic.uri and not apart


def _mentioned(diagnostics: tuple[RunDiagnostic, ...]) -> Iterator[Place]:
    for it in diagnostics:
        yield Place(it.uri, it.span)
        yield from (Place(near.uri, near.span) for near in it.related)
