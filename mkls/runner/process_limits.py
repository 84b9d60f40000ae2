"""Keep a worker from taking the machine down (worker side)."""

import contextlib
import os
import sys
import threading
from collections.abc import Callable

_INTERVAL_SECONDS = 0.2


def limit_memory(limit_bytes: int, too_much: Callable[[], None]) -> None:
    """Make allocations beyond `limit_bytes` fail, or call `too_much` where the system cannot.

    Linux counts private writable memory (RLIMIT_DATA), not reserved address space, of which the
    emulator's checked build takes plenty. macOS enforces no such limit: a thread watches there.
    """
    if sys.platform.startswith("linux"):
        import resource

        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (limit_bytes, limit_bytes))
        return
    threading.Thread(target=_watch, args=(limit_bytes, too_much), daemon=True).start()


def _watch(limit_bytes: int, too_much: Callable[[], None]) -> None:
    while resident_bytes() < limit_bytes:
        threading.Event().wait(_INTERVAL_SECONDS)
    too_much()
    os._exit(137)


def resident_bytes() -> int:
    """Return the largest resident size of this process so far."""
    try:
        import resource
    except ImportError:  # not a POSIX system: no watch
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
