"""`mkls new-kernel`: start an operator, in PyTorch itself or in an extension."""

import argparse

from mkls.cli.main import UsageError
from mkls.cli.planning import add_output_options, conclude
from mkls.cli.workspace import open_workspace
from mkls.generation.new_extension import EXTENSIONS, plan_extension
from mkls.generation.new_operator import (
    KINDS,
    NewOperator,
    native_functions_uri,
    plan_new_operator,
)

HELP = "start a new operator: rows, stub, kernel, directives for a run, test"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `mkls new-kernel`."""
    parser.add_argument("name", help="the operator's name: `soft_clip`")
    parser.add_argument("--kind", choices=KINDS, default="unary", help="default: unary")
    parser.add_argument(
        "--expression", default="", metavar="MSL", help="what it computes, of `a`, `b` and `c`"
    )
    parser.add_argument("--extension", choices=EXTENSIONS, help="outside of PyTorch: of which kind")
    parser.add_argument("--root", metavar="DIR", help="the PyTorch checkout, or where to begin")
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Plan the operator; return 1 when that is refused."""
    workspace = open_workspace([options.root] if options.root else [], options.root)
    snapshot = workspace.session.snapshot()
    wanted = NewOperator(options.name, options.kind, options.expression)
    if options.extension:
        return conclude(workspace, plan_extension(snapshot, wanted, options.extension), options)
    if native_functions_uri(snapshot) is None:
        raise UsageError(
            f"{workspace.root} is no PyTorch checkout: for an extension, "
            f"give --extension {'|'.join(EXTENSIONS)}"
        )
    return conclude(workspace, plan_new_operator(snapshot, wanted), options)
