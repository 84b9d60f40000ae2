"""What stands above kernels, functors and rows: where to run them, who uses them, their state."""

from collections.abc import Iterator
from enum import Enum

import msgspec

from mkls.features.dtype_sets import dtype_set
from mkls.features.states import row_words
from mkls.index.kernel_users import lookups_of_kernel, rows_of_kernel
from mkls.index.kernels_link import Kernel
from mkls.index.links import has_host_code
from mkls.index.mps_state import dtypes_of_names
from mkls.index.place import Place
from mkls.index.python_libraries import references_to, units_of_python
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span
from mkls.text.wording import counted


class Runnable(msgspec.Struct, frozen=True):
    """A place that makes `kernels`, which are host names of what `unit` is compiled to."""

    span: Span
    unit: Uri
    kernels: tuple[str, ...]


class LensKind(Enum):
    """What a lens tells; each can be switched off (`mkls.codeLens.*`)."""

    USERS = "users"
    """How many look-ups and rows use a kernel."""
    DTYPES = "dtypes"
    """For which dtypes it is registered, and which are missing."""
    ROWS = "rows"
    """What a row runs on MPS, and how far it is migrated."""


class Lens(msgspec.Struct, frozen=True):
    """Something to tell above `span`: of kernels by host name, or of one operator."""

    span: Span
    kind: LensKind
    names: tuple[str, ...]


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


def lenses(snapshot: Snapshot, uri: Uri) -> list[Lens]:
    """Return the lenses of `uri` but for those that run, without what they say."""
    return [*_of_kernels(snapshot, uri), *_of_rows(snapshot, uri)]


def _of_kernels(snapshot: Snapshot, uri: Uri) -> Iterator[Lens]:
    # Without host code nobody is known to use a kernel, and to say so above each is noise.
    asked_for = has_host_code(snapshot) or uri in units_of_python(snapshot)
    for it in runnables(snapshot, uri):
        if asked_for:
            yield Lens(it.span, LensKind.USERS, it.kernels)
        if len(it.kernels) > 1 and dtypes_of_names(snapshot, it.kernels):
            yield Lens(it.span, LensKind.DTYPES, it.kernels)


def _of_rows(snapshot: Snapshot, uri: Uri) -> Iterator[Lens]:
    """Yield a lens for each row that has kernels of a backend's own, on MPS or for CUDA."""
    for row in snapshot.operators.rows_in.get(uri, ()):
        lines = row.entry.dispatch_lines
        if "MPS" in lines or ("CUDA" in lines and "CPU" in lines and row.entry.composite is None):
            yield Lens(row.name_span, LensKind.ROWS, (row.name,))


def lens_words(snapshot: Snapshot, kind: LensKind, names: tuple[str, ...]) -> str:
    """Return what the lens of a kind says about kernels or an operator, "" for nothing."""
    if kind is LensKind.ROWS:
        row = snapshot.operators.row(names[0]) if names else None
        return row_words(snapshot, row) if row else ""
    if kind is LensKind.DTYPES:
        kernels = (it for name in names for it in snapshot.kernels.by_host_name.get(name, ()))
        found = dtype_set(snapshot, kernels)
        return f"dtypes: {found}" if found else ""
    lookups = {it.place for name in names for it in lookups_of_kernel(snapshot, name)}
    kernels = (it for name in names for it in snapshot.kernels.by_host_name.get(name, ()))
    lookups |= set(references_to(snapshot, kernels))
    rows = {row.name for name in names for row in rows_of_kernel(snapshot, name)}
    if not lookups:
        return "no look-up is known"
    return f"{counted(len(lookups), 'look-up')} · {counted(len(rows), 'row')}"
