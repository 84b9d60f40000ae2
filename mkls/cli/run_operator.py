"""The kernels of an operator, found in the workspace."""

from dataclasses import replace
from difflib import get_close_matches

from mkls.cli.main import UsageError
from mkls.cli.workspace import open_workspace
from mkls.index.kernels_link import Kernel
from mkls.index.snapshot import Snapshot
from mkls.runner.host_names import functor_in
from mkls.runner.kernel_specs import specs_of
from mkls.runner.reference_names import functors_of
from mkls.runner.request import OperatorQuestion, RunRequest
from mkls.runner.requests import document_request
from mkls.text.document import Uri


def operator_requests(operator: str, root: str | None) -> list[RunRequest]:
    """Return one request for each Metal source that registers kernels of `operator`.

    Raises:
        UsageError: There are none.
    """
    name, _, overload = operator.partition(".")
    workspace = open_workspace([], root)
    snapshot = workspace.session.snapshot()
    functors = functors_of(name.rstrip("_"))
    sources = kernels_by_source(snapshot, functors)
    if not sources:
        raise UsageError(_nothing(snapshot, name))
    question = OperatorQuestion(name, overload, functors)
    return [_request(snapshot, uri, kernels, question) for uri, kernels in sources.items()]


def kernels_by_source(
    snapshot: Snapshot, functors: tuple[str, ...]
) -> dict[Uri, tuple[Kernel, ...]]:
    """Return the kernels that apply one of `functors`, by the source that is compiled."""
    found: dict[Uri, tuple[Kernel, ...]] = {}
    for uri, unit in snapshot.kernels.units.items():
        specs = specs_of(snapshot, unit.kernels)
        names = {it.host_name for it in specs if functor_in(it) in functors}
        kernels = tuple(it for it in unit.kernels if it.host_name in names)
        if kernels:
            found[uri] = kernels
    return found


def _request(
    snapshot: Snapshot, uri: Uri, kernels: tuple[Kernel, ...], question: OperatorQuestion
) -> RunRequest:
    request = document_request(snapshot, uri)
    names = tuple(dict.fromkeys(it.host_name for it in kernels))
    return replace(request, kernels=names, operator=question)


def _nothing(snapshot: Snapshot, name: str) -> str:
    known = {
        functor
        for unit in snapshot.kernels.units.values()
        for spec in specs_of(snapshot, unit.kernels)
        if (functor := functor_in(spec))
    }
    close = get_close_matches(name, sorted(known), 3)
    hint = f"; did you mean {', '.join(close)}?" if close else ""
    return f"no Metal source here registers a kernel for `{name}`{hint}"
