"""`mkls rules`: list the rules by group."""

import argparse
import json
import sys

from mkls.cli.style import Style
from mkls.diagnostics.model import Group, Rule
from mkls.rules import KNOWN_RULES

HELP = "list the rules"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `mkls rules`."""
    parser.add_argument("--output-format", choices=("full", "json"), default="full")


def run(options: argparse.Namespace) -> int:
    """Print the rules."""
    if options.output_format == "json":
        sys.stdout.write(json.dumps([_as_json(rule) for rule in KNOWN_RULES], indent=2) + "\n")
        return 0
    style = Style.of(sys.stdout)
    for group in Group:
        listed = [rule for rule in KNOWN_RULES if rule.group is group]
        if listed:
            print(style.bold(group.value))
            for rule in listed:
                print(_line(rule, style))
    return 0


def _line(rule: Rule, style: Style) -> str:
    off = "" if rule.default else style.dim(" (off by default)")
    severity = style.severity(rule.severity.value, f"{rule.severity.value:<12}")
    return f"  {rule.code:<32} {severity} {rule.summary}{off}"


def _as_json(rule: Rule) -> dict[str, object]:
    return {
        "code": rule.code,
        "group": rule.group.value,
        "severity": rule.severity.value,
        "default": rule.default,
        "summary": rule.summary,
        "fixable": "## Fix safety" in rule.page,
        "url": rule.url,
    }
