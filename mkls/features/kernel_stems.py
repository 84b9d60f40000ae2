"""With what the names of kernels begin: the part that people call a kernel by."""

from collections.abc import Iterable

from mkls.index.kernel_uses import is_certain, uses_of
from mkls.index.kernels_link import Kernel
from mkls.index.lookups import Request
from mkls.index.snapshot import Snapshot


def stem_of_request(snapshot: Snapshot, request: Request) -> str | None:
    """Return the text that a look-up's names begin with, `fmax` of `"fmax_" + dtype`.

    None when the text that decides the look-up is not what its names begin with.
    """
    source = snapshot.sources.get(request.place.uri)
    if source is None or not is_certain(request):
        return None
    spelled = request.place.span.of(source.document.text)
    beginnings = [str(pattern[0]) for pattern in request.names.patterns]
    shortest = min((len(it) for it in beginnings), default=0)
    text = spelled[:shortest]
    if not text or not all(it.startswith(text) for it in beginnings):
        return None
    return text.rstrip("_") or None


def stem_of_kernels(snapshot: Snapshot, kernels: Iterable[Kernel]) -> str | None:
    """Return the shortest text by which look-ups ask for `kernels`, else by how they are named."""
    listed = list(kernels)
    asked = {
        stem
        for _, request in uses_of(snapshot, (it.host_name for it in listed))
        if (stem := stem_of_request(snapshot, request))
    }
    if asked:
        return min(asked, key=len)
    named = {_registered_stem(it) for it in listed}
    return named.pop() if len(named) == 1 else None


def _registered_stem(kernel: Kernel) -> str | None:
    """Return the argument of a registration with which the kernel's name begins, or the name."""
    if not kernel.macro:
        return kernel.host_name
    fitting = [
        it
        for it in kernel.macro_arguments
        if it and (kernel.host_name == it or kernel.host_name.startswith(it + "_"))
    ]
    return max(fitting, key=len, default=None)
