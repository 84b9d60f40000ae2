"""Long work on the event loop, cut into slices."""

import asyncio
from time import perf_counter

_SLICE = 0.008  # seconds: what a request that arrives meanwhile may have to wait


class Turns:
    """Lets other messages have their turn when a slice is used up."""

    def __init__(self) -> None:
        """Begin a slice."""
        self._began = perf_counter()

    async def give_way(self) -> None:
        """Let others run, if it is time for that."""
        if perf_counter() - self._began > _SLICE:
            # Two rounds: in the first the loop asks the system for input, in the second it reads.
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            self._began = perf_counter()
