"""`mkls operator NAME`: all there is about one operator."""

import argparse
import json
import sys
from difflib import get_close_matches
from typing import Any

from mkls.cli.main import UsageError
from mkls.cli.places import place
from mkls.cli.workspace import open_workspace
from mkls.features.card_text import card_markdown
from mkls.features.operator_card import NamedPlace, OperatorCard, operator_card
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot

HELP = "tell how an operator runs on MPS: rows, functions, stubs, kernels, tests"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `mkls operator`."""
    parser.add_argument("name", metavar="NAME", help="an operator, such as `add` or `add.Tensor`")
    parser.add_argument("--root", metavar="DIR", help="the workspace's root")
    parser.add_argument("--output-format", choices=("full", "json"), default="full")


def run(options: argparse.Namespace) -> int:
    """Print the operator's card, as Markdown or as JSON."""
    paths = [options.root] if options.root else []
    snapshot = open_workspace(paths, options.root).session.snapshot()
    name = str(options.name)
    card = operator_card(snapshot, name)
    if card is None:
        raise UsageError(_unknown(snapshot, name))
    if options.output_format == "json":
        sys.stdout.write(json.dumps(_as_json(snapshot, card), indent=2) + "\n")
    else:
        sys.stdout.write(card_markdown(snapshot, card))
    return 0


def _unknown(snapshot: Snapshot, name: str) -> str:
    if not snapshot.operators.rows:
        return "no `native_functions.yaml` is at hand; give the checkout with --root"
    close = get_close_matches(name, snapshot.operators.by_base, n=1)
    hint = f"; did you mean `{close[0]}`?" if close else ""
    return f"no row is called `{name}`{hint}"


def _as_json(snapshot: Snapshot, card: OperatorCard) -> dict[str, Any]:
    return {
        "operator": card.base,
        "rows": [
            {
                "name": it.name,
                "state": it.state,
                "function": it.function,
                "shared_with": list(it.shares),
                "dtypes": list(it.dtypes),
                **_place(snapshot, it.place),
            }
            for it in card.rows
        ],
        **{
            kind: [_named(snapshot, it) for it in found]
            for kind, found in (
                ("functions", card.functions),
                ("stubs", card.stubs),
                ("kernels", card.kernels),
                ("tests", card.tests),
            )
        },
    }


def _named(snapshot: Snapshot, it: NamedPlace) -> dict[str, Any]:
    return {"name": it.name, "role": it.role, **_place(snapshot, it.place)}


def _place(snapshot: Snapshot, where: Place) -> dict[str, Any]:
    found = place(snapshot, where.uri, where.span)
    return {"path": found.path, "line": found.line}
