"""Where kernels can be run in place: above functions, templates and what registers kernels."""

import msgspec

from mkls.index.kernels_link import Kernel
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span


class Runnable(msgspec.Struct, frozen=True):
    """A place that makes `kernels`, which are host names of what `unit` is compiled to."""

    span: Span
    unit: Uri
    kernels: tuple[str, ...]


def runnables(snapshot: Snapshot, uri: Uri) -> list[Runnable]:
    """Return the places of `uri` above which kernels can be run, in the order of the text.

    A template stands for all its instantiations, a macro's invocation for what it registers.
    """
    found: dict[Span, list[Kernel]] = {}
    for kernel in snapshot.kernels.kernels_of(uri):
        places = (Place(kernel.uri, kernel.span), kernel.primary)
        for span in {it.span for it in places if it and it.uri == uri}:
            found.setdefault(span, []).append(kernel)
    return [_runnable(span, found[span]) for span in sorted(found)]


def _runnable(span: Span, kernels: list[Kernel]) -> Runnable:
    names = tuple(dict.fromkeys(it.host_name for it in kernels))
    return Runnable(span, kernels[0].unit, names)
