"""Show plans, print them as patches, carry them out: what the generating commands share."""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from mkls.cli.fixing import unified_diff
from mkls.cli.main import UsageError
from mkls.cli.workspace import Workspace, open_workspace
from mkls.generation.plan import Plan, Reason, Refusal, changed_texts
from mkls.index.snapshot import Snapshot
from mkls.session.cpu_kernels import cpu_kernel_texts
from mkls.session.disk import write_text
from mkls.text.document import Uri, path_of
from mkls.text.wording import counted, printable

Planner = Callable[[Snapshot, str, Sequence[str]], Plan | Refusal]


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what becomes of a plan."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--diff", action="store_true", help="print the plan as a patch")
    what.add_argument("--apply", action="store_true", help="carry the plan out")


def configure_operator(parser: argparse.ArgumentParser, verb: str) -> None:
    """Add the options of a command that is about an operator."""
    parser.add_argument("operator", nargs="?", help="all overloads, `atan2`, or one, `atan2.out`")
    parser.add_argument("--root", metavar="DIR", help="the PyTorch checkout")
    parser.add_argument(
        "--list", action="store_true", help=f"list the operators that it can {verb}, and why not"
    )
    add_output_options(parser)


def run_operator(options: argparse.Namespace, planner: Planner) -> int:
    """Plan for the operator that `options` name, or list what can be planned."""
    if options.list == bool(options.operator):
        raise UsageError("give an OPERATOR, or --list")
    workspace = open_workspace([options.root] if options.root else [], options.root)
    snapshot = workspace.session.snapshot()
    if not snapshot.operators.rows:
        raise UsageError(f"{workspace.root}: no native_functions.yaml, so no operators")
    texts = cpu_kernel_texts(workspace.root)
    if options.list:
        return _list(snapshot, planner, texts)
    return conclude(workspace, planner(snapshot, options.operator, texts), options)


def _list(snapshot: Snapshot, planner: Planner, texts: Sequence[str]) -> int:
    refused: Counter[str] = Counter()
    offered = 0
    for base in snapshot.operators.by_base:
        answer = planner(snapshot, base, texts)
        if isinstance(answer, Plan):
            offered += 1
            print(f"{base}: {counted(len(answer.steps), 'step')}{_left(answer)}")
        else:
            refused[answer.reason.value] += 1
            if answer.reason is not Reason.NOTHING_TO_DO:
                print(f"{base}: refused: {answer.message}")
    print(f"\n{counted(offered, 'operator')} offered", file=sys.stderr)
    for reason, number in refused.most_common():
        print(f"{number:6} refused: {reason}", file=sys.stderr)
    return 0


def _left(plan: Plan) -> str:
    return f", left to do: {'; '.join(plan.todo)}" if plan.todo else ""


def conclude(workspace: Workspace, answer: Plan | Refusal, options: argparse.Namespace) -> int:
    """Print, show or carry out what a planner answered; return the exit status."""
    if isinstance(answer, Refusal):
        print(f"refused: {answer.message}")
        return 1
    snapshot = workspace.session.snapshot()
    if options.diff:
        _print_diff(workspace, snapshot, answer)
        return 0
    _print_plan(answer)
    if options.apply:
        _write(workspace, snapshot, answer)
    else:
        print("\n--diff prints this as a patch, --apply carries it out", file=sys.stderr)
    return 0


def _print_plan(plan: Plan) -> None:
    print(plan.title)
    for number, step in enumerate(plan.steps, 1):
        print(f"{number}. {step.title}")
        if step.doubt:
            print(f"   look at it: {step.doubt}")
    for it in plan.todo:
        print(f"left to do: {it}")


def _texts(snapshot: Snapshot, plan: Plan) -> dict[Uri, tuple[str, str]]:
    sources = snapshot.sources
    return {
        uri: (sources[uri].document.text if uri in sources else "", text)
        for uri, text in changed_texts(snapshot, plan).items()
    }


def _print_diff(workspace: Workspace, snapshot: Snapshot, plan: Plan) -> None:
    sys.stdout.write(unified_diff(_texts(snapshot, plan), workspace.root))
    for it in plan.todo:
        print(f"left to do: {it}", file=sys.stderr)


def _write(workspace: Workspace, snapshot: Snapshot, plan: Plan) -> None:
    new = [Path(path_of(file.uri)) for file in plan.files]
    for path in new:
        if path.exists():
            raise UsageError(f"{path}: exists already, and mkls does not read it")
    for uri, (_, text) in _texts(snapshot, plan).items():
        path = Path(path_of(uri))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, text)
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from error
        name = path.relative_to(workspace.root) if path.is_relative_to(workspace.root) else path
        print(f"{'wrote' if path in new else 'changed'} {printable(str(name))}", file=sys.stderr)
