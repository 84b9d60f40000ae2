"""Carry out every plan there is: `python -m tests.generation.sweep [2.6|2.13]`.

Prints how many plans there are, how many are refused for which reason, and what breaks.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path

from mkls.generation.plan import Refusal
from tests.generation.workspaces import PLANNERS, Workshop, claims, new_style_workshop, workshop_at
from tests.support.pytorch import package_folder, pytorch_tree_path


def main(tree: str) -> None:
    workshop = _workshop(tree)
    before = claims(workshop.snapshot)
    offered: Counter[str] = Counter()
    left: Counter[str] = Counter()
    refused: dict[str, Counter[str]] = {name: Counter() for name in PLANNERS}
    wrong = 0
    for planner, operator, answer in workshop.cases():
        if isinstance(answer, Refusal):
            refused[planner][answer.reason.value] += 1
            continue
        offered[planner] += 1
        left[planner] += bool(answer.todo)
        after = workshop.after(answer)
        new = claims(after) - before
        again = PLANNERS[planner](after, operator, workshop.cpu_sources)
        if new or not isinstance(again, Refusal):
            wrong += 1
            print(f"{planner} {operator}: {list(new)[:3]} {'' if new else 'offered again'}")
    for name in PLANNERS:
        print(f"{name}: {offered[name]} offered, {left[name]} of them with something left to do")
        for reason, number in refused[name].most_common():
            print(f"  {number:5} refused: {reason}")
    print(f"{wrong} plans bring new findings or are offered again")


def _workshop(tree: str) -> Workshop:
    if tree == "2.6":
        return workshop_at(pytorch_tree_path())
    yaml = package_folder("torchgen") / "packaged/ATen/native/native_functions.yaml"
    return new_style_workshop(Path(tempfile.mkdtemp()), pytorch_tree_path(), yaml)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "2.6")
