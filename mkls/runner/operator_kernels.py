"""The kernels of an operator, found in a workspace (client side)."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from mkls.index.kernels_link import Kernel
from mkls.index.snapshot import Snapshot
from mkls.runner.host_names import functor_in
from mkls.runner.kernel_specs import specs_of
from mkls.runner.reference_names import functors_of
from mkls.runner.request import OperatorQuestion, RunRequest
from mkls.runner.requests import document_request
from mkls.text.document import Uri


def requests_of(
    snapshot: Snapshot, operator: str, more_include_dirs: Sequence[str] = ()
) -> list[RunRequest]:
    """Return one request for each Metal source that registers kernels of `operator`.

    `operator` may name an overload: `sub.Tensor`.
    """
    name, _, overload = operator.partition(".")
    functors = functors_of(name.rstrip("_"))
    question = OperatorQuestion(name, overload, functors)
    return [
        replace(
            document_request(snapshot, uri, more_include_dirs),
            kernels=tuple(dict.fromkeys(it.host_name for it in kernels)),
            operator=question,
        )
        for uri, kernels in kernels_by_source(snapshot, functors).items()
    ]


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


def nothing_registered(snapshot: Snapshot, operator: str) -> str:
    """Return what to tell somebody who asks for kernels of an `operator` that has none."""
    name = operator.partition(".")[0]
    known = {
        functor
        for unit in snapshot.kernels.units.values()
        for spec in specs_of(snapshot, unit.kernels)
        if (functor := functor_in(spec))
    }
    close = get_close_matches(name, sorted(known), 3)
    hint = f"; did you mean {', '.join(close)}?" if close else ""
    return f"no Metal source here registers a kernel for `{name}`{hint}"
