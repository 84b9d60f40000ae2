"""What the index knows of a document's kernels, as the worker wants it (client side)."""

from collections.abc import Iterable, Mapping

from mkls.index.kernels_link import Kernel
from mkls.index.snapshot import Snapshot
from mkls.runner.request import Argument, KernelSpec
from mkls.text.document import Uri, path_of

_KINDS: Mapping[str, str] = {
    "": "unknown",
    "buffer": "buffer",
    "threadgroup": "threadgroup",
    "texture": "texture",
    "sampler": "sampler",
    "builtin": "builtin",
}


def kernel_specs(snapshot: Snapshot, uri: Uri) -> tuple[KernelSpec, ...]:
    """Return the kernels that the document at `uri` makes, those of its headers included."""
    return specs_of(snapshot, snapshot.kernels.kernels_of(uri))


def specs_of(snapshot: Snapshot, kernels: Iterable[Kernel]) -> tuple[KernelSpec, ...]:
    """Return `kernels` without duplicates, in order."""
    found: dict[str, KernelSpec] = {}
    for kernel in kernels:
        found.setdefault(kernel.host_name, _spec(snapshot, kernel))
    return tuple(found.values())


def _spec(snapshot: Snapshot, kernel: Kernel) -> KernelSpec:
    source = snapshot.sources.get(kernel.uri)
    line = source.document.lines.line(kernel.span.start) + 1 if source else 0
    return KernelSpec(
        kernel.host_name,
        kernel.function.rpartition("::")[2],
        path_of(kernel.uri),
        line,
        tuple(
            Argument(
                it.name.text,
                it.type,
                _KINDS.get(it.kind, "unknown"),
                it.index,
                it.access or None,
                it.attribute.partition("(")[0] or None,
            )
            for it in kernel.arguments
        ),
    )
