"""Guess which kernel a name means that no kernel has."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from mkls.index.kernels_link import Kernel
from mkls.index.name_patterns import Pattern, fits
from mkls.index.snapshot import Snapshot

_MOST: Final = 6
_ALIKE: Final = 0.8
_COMMON: Final = ("float", "long", "int", "half")
_LONGER: Final = 3
"""By how much a name may be longer or shorter; its beginning or its end is the same."""


def nearest_kernels(snapshot: Snapshot, asked: str) -> tuple[Kernel, ...]:
    """Return the kernels whose name is most like `asked`, one that nothing asks for first.

    `asked` is a name, `{dtype}` in it any dtype.
    """
    for dtype in _COMMON:
        close = _close(asked.replace("{dtype}", dtype), snapshot)
        if close and any(not _is_asked_for(snapshot, it) for it in close):
            return _first_idle(snapshot, close)
    return _first_idle(snapshot, _close(asked.replace("{dtype}", _COMMON[0]), snapshot))


def idle_kernels(snapshot: Snapshot, asked: str) -> tuple[Kernel, ...]:
    """Return the kernels most like `asked` that nothing asks for, () without one."""
    idle = [it for it in _close(asked, snapshot) if not _is_asked_for(snapshot, it)]
    return _first_idle(snapshot, idle)


def kernels_beginning(snapshot: Snapshot, start: str) -> tuple[Kernel, ...]:
    """Return the kernels whose name begins most like `start`."""
    beginnings: dict[str, str] = {}
    for name in snapshot.host_names.sorted:
        for length in range(len(start) - 1, len(start) + 2):
            beginnings.setdefault(name[:length], name)
    close = get_close_matches(start, beginnings, n=_MOST, cutoff=_ALIKE)
    return _first_idle(snapshot, [beginnings[it] for it in close])


def _close(name: str, snapshot: Snapshot) -> list[str]:
    ends = (name[:3], name[-3:])
    near = [
        it
        for it in snapshot.host_names.sorted
        if abs(len(it) - len(name)) <= _LONGER and (it.startswith(ends[0]) or it.endswith(ends[1]))
    ]
    return get_close_matches(name, near, n=_MOST, cutoff=_ALIKE)


def _first_idle(snapshot: Snapshot, names: Iterable[str]) -> tuple[Kernel, ...]:
    ordered = sorted(names, key=lambda it: _is_asked_for(snapshot, it))
    return _called(snapshot, ordered[0]) if ordered else ()


def _is_asked_for(snapshot: Snapshot, host_name: str) -> bool:
    """Whether a lookup that says how the name begins may ask for it."""
    return any(
        host_name.startswith(start) and fits(pattern, host_name, snapshot.host.dtypes)
        for pattern in snapshot.once(_patterns)
        if isinstance(start := pattern[0], str)
    )


def _patterns(snapshot: Snapshot) -> frozenset[Pattern]:
    return frozenset(
        pattern
        for linked in snapshot.host.lookups
        for request in linked.requests
        for pattern in request.names.patterns
        if pattern
    )


def _called(snapshot: Snapshot, host_name: str) -> tuple[Kernel, ...]:
    tables = (snapshot.kernels.by_host_name, snapshot.inline_kernels.by_host_name)
    return next((table[host_name] for table in tables if host_name in table), ())
