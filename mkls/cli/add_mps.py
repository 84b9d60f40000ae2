"""`mkls add-mps`: make an operator run on MPS, in every overload that needs it."""

import argparse

from mkls.cli.planning import configure_operator, run_operator
from mkls.generation.add_mps import plan_mps

HELP = "make an operator run on MPS: rows, stub and kernel"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `mkls add-mps`."""
    configure_operator(parser, "bring to MPS")


def run(options: argparse.Namespace) -> int:
    """Plan the rows, the stubs and the kernels; return 1 when that is refused."""
    return run_operator(options, plan_mps)
