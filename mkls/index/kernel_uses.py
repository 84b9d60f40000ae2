"""Which look-ups ask for a kernel, and which functions and rows lead to them."""

from collections.abc import Iterable, Mapping

from mkls.index.kernels_link import Kernel
from mkls.index.lookups import LinkedLookup, Request
from mkls.index.name_patterns import Hole
from mkls.index.snapshot import Snapshot

Use = tuple[LinkedLookup, Request]


def kernels_named(snapshot: Snapshot, names: Iterable[str]) -> list[Kernel]:
    """Return the kernels of these host names, those in strings of host code last."""
    return [
        kernel
        for index in (snapshot.kernels, snapshot.inline_kernels)
        for name in names
        for kernel in index.by_host_name.get(name, ())
    ]


def uses_of(snapshot: Snapshot, names: Iterable[str]) -> list[Use]:
    """Return the look-ups that may mean a kernel of these host names, each once."""
    table = snapshot.once(_uses_by_host_name)
    found = {id(use): use for name in names for use in table.get(name, ())}
    return list(found.values())


def uses_of_kernels(snapshot: Snapshot, kernels: Iterable[Kernel]) -> list[Use]:
    """Return the look-ups that may mean one of `kernels`; host code asks for none of Python's."""
    hidden = snapshot.python_kernels.units
    return uses_of(snapshot, (it.host_name for it in kernels if it.unit not in hidden))


def _uses_by_host_name(snapshot: Snapshot) -> Mapping[str, tuple[Use, ...]]:
    found: dict[str, list[Use]] = {}
    for linked in snapshot.host.lookups:
        for request in linked.requests:
            use = (linked, request)
            for name in request.names.kernels(snapshot.host_names):
                found.setdefault(name, []).append(use)
    return {name: tuple(uses) for name, uses in found.items()}


def is_certain(request: Request) -> bool:
    """Whether a name that `request` asks for begins with text that is known."""
    return all(pattern and not isinstance(pattern[0], Hole) for pattern in request.names.patterns)
