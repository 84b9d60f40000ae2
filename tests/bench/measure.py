"""Take times, and print them beside what they may cost."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf


@dataclass(frozen=True)
class Row:
    """One figure: `value` may be at most `budget`, both in `unit`."""

    name: str
    value: float
    budget: float
    unit: str
    note: str = ""

    @property
    def kept(self) -> bool:
        """Whether the budget is kept."""
        return self.value <= self.budget

    def __str__(self) -> str:
        mark = "ok  " if self.kept else "OVER"
        limit = f"budget {self.budget:g} {self.unit}" if self.budget < inf else "no budget"
        figure = f"{self.value:8.2f} {self.unit:<3} ({limit})"
        return f"{mark} {self.name:<58} {figure}  {self.note}".rstrip()


def seconds(call: Callable[[], object]) -> float:
    """Return how long one call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def use_bytecode(folder: str) -> None:
    """Let every process of this run keep its bytecode in `folder`, as an installed program does."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = folder


def run_python(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Run this interpreter; findings are no failure."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=dict(environment),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode not in {0, 1}:
        raise RuntimeError(done.stderr)


def alternate(calls: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """Return the median of each of `calls`, taken in turn so that noise hits all alike."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            taken[name].append(call())
    return {name: statistics.median(values) for name, values in taken.items()}


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` of `values` lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
