"""`python -m tests.bench [--rounds N] [PART …]`: print all figures; status 1 on a broken budget."""

import argparse
import sys
import tempfile

from tests.bench import checked, cold_check, emulator, server
from tests.bench.measure import use_bytecode
from tests.support.pytorch import pytorch_tree_path

_PARTS = {
    "check": cold_check.rows,
    "server": server.rows,
    "emulator": emulator.rows,
    "checked": checked.rows,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=(*_PARTS, []), help="default: all")
    parser.add_argument("--rounds", type=int, default=7, help="how often to take each time")
    options = parser.parse_args()
    tree = pytorch_tree_path()
    kept = True
    with tempfile.TemporaryDirectory() as bytecode:
        use_bytecode(bytecode)
        for name in options.parts or _PARTS:
            for row in _PARTS[name](tree, options.rounds):
                print(row, flush=True)
                kept &= row.kept
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
