"""For which dtypes kernels are registered, and which ones they lack."""

from collections.abc import Iterable

from mkls.index.dtype_domains import lacking_dtypes
from mkls.index.kernels_link import Kernel
from mkls.index.mps_state import dtypes_of_names
from mkls.index.snapshot import Snapshot


def dtype_set(snapshot: Snapshot, kernels: Iterable[Kernel]) -> str:
    """Return the dtypes of `kernels` and what is missing: `float half · missing: bfloat`."""
    listed = tuple(kernels)
    names = tuple(dict.fromkeys(it.host_name for it in listed))
    dtypes = " ".join(dtypes_of_names(snapshot, names))
    missing = ", ".join(missing_dtypes(snapshot, listed))
    return f"{dtypes} · missing: {missing}" if dtypes and missing else dtypes


def missing_dtypes(snapshot: Snapshot, kernels: Iterable[Kernel]) -> list[str]:
    """Return the dtypes that the registrations of `kernels` certainly lack."""
    names = {it.host_name for it in kernels}
    found: dict[str, None] = {}
    for group in lacking_dtypes(snapshot).values():
        for missing in group:
            if not missing.certain:
                continue
            siblings = (it for member in missing.family.members.values() for it in member.kernels)
            if not names.isdisjoint(it.host_name for it in siblings):
                found["/".join(dict.fromkeys(missing.dtypes))] = None
    return list(found)
