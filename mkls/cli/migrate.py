"""`mkls migrate`: move an operator from MPSGraph to the stub that CPU and CUDA share."""

import argparse

from mkls.cli.planning import configure_operator, run_operator
from mkls.generation.migrate import plan_migration

HELP = "move an operator from MPSGraph to its dispatch stub"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `mkls migrate`."""
    configure_operator(parser, "migrate")


def run(options: argparse.Namespace) -> int:
    """Plan the migration; return 1 when it is refused."""
    return run_operator(options, plan_migration)
