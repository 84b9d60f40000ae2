"""Break trees, and print which mistakes mkls noticed.

`python -m tests.mutation --seed 1 --count 400 [--kind NAME]… [--tree 2.6|new]…` draws from all
kinds evenly; with `--of-each 60` it looks at up to so many mistakes of each kind in each tree.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from mkls.features.diagnostics import ALL_RULES, DEFAULT_RULES
from tests.mutation.kinds import BY_NAME, EXTENSION_KINDS, KINDS
from tests.support.mutation import Subject, Verdict, describe, draw, recall_table
from tests.support.pytorch import pytorch_tree_path
from tests.support.trees import EXTENSION, assemble_new_style_tree


def main() -> int:
    """Run what the command line asks for; print recall for each kind, and what was missed."""
    options = _options()
    rules = ALL_RULES if options.all_rules else DEFAULT_RULES
    shown = _shown(options)
    everything: list[Verdict] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.tree:
            root = _root(name, Path(folder))
            subject = Subject(root, rules)
            every = EXTENSION_KINDS if name == "extension" else KINDS
            kinds = [BY_NAME[it] for it in options.kind] or list(every)
            count = options.count // len(options.tree)
            if options.of_each:
                count = options.of_each * len(kinds)
            mutations = draw(kinds, subject.tree, options.seed, count, options.of_each)
            started = time.perf_counter()
            verdicts = [subject.judge(mutation) for mutation in mutations]
            each = 1000 * (time.perf_counter() - started) / max(1, len(verdicts))
            print(f"# {name}: {len(verdicts)} mutations, seed {options.seed}, {each:.0f} ms each")
            for verdict in verdicts:
                if verdict.how in shown:
                    print(f"[{verdict.how}] {describe(verdict, subject.tree)}")
            everything += verdicts
    print(recall_table(everything))
    return 0 if all(verdict.caught for verdict in everything) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--kind", action="append", default=[], choices=sorted(BY_NAME))
    parser.add_argument("--tree", action="append", choices=("2.6", "new", "extension"))
    parser.add_argument("--all-rules", action="store_true", help="also those off by default")
    parser.add_argument("--of-each", type=int, help="look at so many mistakes of each kind")
    parser.add_argument("--verbose", action="store_true", help="print what was caught, too")
    parser.add_argument("--strict", action="store_true", help="print what was only named, too")
    options = parser.parse_args()
    options.tree = options.tree or ["2.6", "new"]
    return options


def _shown(options: argparse.Namespace) -> frozenset[str]:
    if options.verbose:
        return frozenset(("missed", "named", "related", "at-place"))
    return frozenset(("missed", "named") if options.strict else ("missed",))


def _root(name: str, folder: Path) -> Path:
    if name == "extension":
        return EXTENSION
    return pytorch_tree_path() if name == "2.6" else assemble_new_style_tree(folder / "new_style")


if __name__ == "__main__":
    sys.exit(main())
