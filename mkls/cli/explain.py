"""`mkls explain CODE`: print a rule's page."""

import argparse
from difflib import get_close_matches

from mkls.cli.main import UsageError
from mkls.diagnostics.manual import page
from mkls.rules import KNOWN_RULES

HELP = "explain a rule"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `mkls explain`."""
    parser.add_argument("code", metavar="CODE", help="a rule's code, such as `mkls rules` lists")


def run(options: argparse.Namespace) -> int:
    """Print the page of one rule."""
    by_code = {rule.code: rule for rule in KNOWN_RULES}
    code = str(options.code)
    rule = by_code.get(code)
    if rule is None:
        close = get_close_matches(code, by_code, n=1)
        hint = f"; did you mean `{close[0]}`?" if close else "; `mkls rules` lists them"
        raise UsageError(f"no rule is called `{code}`{hint}")
    print(page(rule), end="")
    return 0
