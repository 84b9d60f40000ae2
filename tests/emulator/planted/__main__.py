"""`python -m tests.emulator.planted [KIND …]`: print recall and false alarms by kind.

Each bug is run in detail and as a large launch, and so is its repaired twin. Status 1 when a bug is
missed, or anything is reported that is none.
"""

import argparse
import sys
from pathlib import Path

import torch

from mkls.emulator import checked_launch
from mkls.emulator.settings import EmulatorSettings
from tests.emulator.planted_builds import FILES, Builds, is_found, others
from tests.emulator.planted_cases import Case

_LARGE = {"in detail": checked_launch.LARGE, "at a glance": 0}


def main() -> int:
    """Print a line for each kind, and the sums."""
    parser = argparse.ArgumentParser(prog="python -m tests.emulator.planted", description=__doc__)
    parser.add_argument("kinds", nargs="*", choices=(*FILES, []), help="default: all")
    kinds = parser.parse_args().kinds or list(FILES)
    builds = Builds(EmulatorSettings(), Path(torch.__file__).parent / "include")
    totals = (0, 0, 0)
    print(f"{'kind':28} found of   false alarms in runs")
    for kind in kinds:
        counts = _judged(builds, FILES[kind].cases)
        totals = tuple(a + b for a, b in zip(totals, counts, strict=True))
        _print(kind, counts)
    _print("all", totals)
    found, wanted, wrong = totals
    return 0 if found == wanted and not wrong else 1


def _print(kind: str, counts: tuple[int, ...]) -> None:
    found, wanted, wrong = counts
    print(f"{kind:28} {found:5} {wanted:3}   {wrong:12} {2 * wanted:7}", flush=True)


def _judged(builds: Builds, cases: tuple[Case, ...]) -> tuple[int, int, int]:
    """How many bugs are found, of how many runs, and how many runs show something else."""
    found = wrong = 0
    for how, large in _LARGE.items():
        checked_launch.LARGE = large
        for case in cases:
            bug = builds.findings(case, repaired=False)
            twin = builds.findings(case, repaired=True)
            found += is_found(case, bug)
            wrong += bool(others(case, bug)) + bool(twin)
            if not is_found(case, bug):
                print(f"missed {how}: {case.file}, {case.name}")
            for alarm in (*(f for f in bug if f.kind in others(case, bug)), *twin):
                print(f"wrong {how}: {case.file}, {case.name}: {alarm.kind}, line {alarm.line}")
    return found, len(_LARGE) * len(cases), wrong


if __name__ == "__main__":
    sys.exit(main())
