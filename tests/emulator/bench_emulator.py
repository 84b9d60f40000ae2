"""The emulator's part of the benchmark alone: `python tests/emulator/bench_emulator.py`.

The same as `python -m tests.bench emulator`: it prints a table, and its status is 1 over budget.
"""

import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    sys.argv[1:1] = ["emulator"]
    runpy.run_module("tests.bench", run_name="__main__")
