"""For which dtypes the functors of a source are registered."""

from collections.abc import Mapping

from mkls.index.dtype_words import COMPLEX, FLOATING, METAL_SPELLINGS, SPELLINGS
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

_DTYPES = frozenset((*SPELLINGS.values(), *METAL_SPELLINGS, *FLOATING, *COMPLEX))


def registered_dtypes(snapshot: Snapshot, uri: Uri, functor: str) -> Mapping[str, Place]:
    """Return the dtypes that stand beside the name of `functor` in registrations, and where.

    Macros paste `_functor` to the name that they are given. Nothing is known of a functor without
    registrations.
    """
    unit = snapshot.kernels.unit_with(uri)
    if unit is None:
        return {}
    stem = functor.removesuffix("_functor")
    return snapshot.once(_registered).get((unit.uri, stem), {})


def _registered(snapshot: Snapshot) -> Mapping[tuple[Uri, str], Mapping[str, Place]]:
    found: dict[tuple[Uri, str], dict[str, Place]] = {}
    for uri, registrations in snapshot.kernels.registrations.items():
        for registration in registrations:
            arguments = registration.leaf.arguments
            dtypes = [it for it in arguments if it.text in _DTYPES]
            for argument in arguments if dtypes else ():
                if argument.text not in _DTYPES:
                    known = found.setdefault((uri, argument.text), {})
                    for dtype in dtypes:
                        known.setdefault(dtype.text, dtype.place)
    return found
