"""Work that is done once for a burst of reasons to do it."""

import asyncio
from collections.abc import Callable, Coroutine
from time import perf_counter

from mkls.server.notices import Notices

_SHORTEST, _LONGEST = 0.005, 0.1  # seconds of quiet before a run
_SHARE = 0.25  # of the last run's time
_MOST_WAIT = 0.25  # seconds: somebody who never stops typing gets a run after that


class Debounced:
    """Waits for quiet before it works, for a quarter of the time that the last run took.

    So a quick check is as good as immediate, and a slow one leaves the processor time for what a
    person asks. A run that is overtaken by the next one is given up.
    """

    def __init__(self, work: Callable[[], Coroutine[None, None, None]], notices: Notices) -> None:
        """Do `work` when it is due."""
        self._work = work
        self._notices = notices
        self._delay = _SHORTEST
        self._waiting_since: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._run: asyncio.Task[None] | None = None

    def touch(self) -> None:
        """There is a reason to work."""
        now = perf_counter()
        if self._waiting_since is None:
            self._waiting_since = now
        if self._timer:
            self._timer.cancel()
        delay = min(self._delay, max(0.0, self._waiting_since + _MOST_WAIT - now))
        self._timer = asyncio.get_running_loop().call_later(delay, self._start)

    def stop(self) -> None:
        """Do not work any more."""
        if self._timer:
            self._timer.cancel()
        if self._run:
            self._run.cancel()

    def _start(self) -> None:
        self._waiting_since = self._timer = None
        if self._run:
            self._run.cancel()
        self._run = asyncio.ensure_future(self._measured())

    async def _measured(self) -> None:
        began = perf_counter()
        try:
            await self._work()
        except Exception as error:
            self._notices.failed("checking the workspace", error)
        self._delay = min(max(_SHARE * (perf_counter() - began), _SHORTEST), _LONGEST)
