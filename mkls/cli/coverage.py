"""`mkls coverage`: which operators run on MPS, and how."""

import argparse
import json
import sys
from typing import Any

from mkls.cli.formats.coverage_page import coverage_page
from mkls.cli.main import UsageError
from mkls.cli.places import place
from mkls.cli.style import Style
from mkls.cli.workspace import open_workspace
from mkls.features.coverage import Coverage, CoveredRow, coverage
from mkls.index.snapshot import Snapshot
from mkls.text.span import Span

HELP = "report which operators run on MPS, and how"

_BAR = 40  # characters


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `mkls coverage`."""
    parser.add_argument("--root", metavar="DIR", help="the PyTorch checkout")
    parser.add_argument("--output-format", choices=("full", "json", "html"), default="full")
    parser.add_argument(
        "--gaps", action="store_true", help="list what CPU and CUDA have, but not MPS"
    )


def run(options: argparse.Namespace) -> int:
    """Print the report."""
    paths = [options.root] if options.root else []
    snapshot = open_workspace(paths, options.root).session.snapshot()
    found = coverage(snapshot)
    if not found.rows:
        raise UsageError("no `native_functions.yaml` is at hand; give the checkout with --root")
    if options.output_format == "json":
        sys.stdout.write(json.dumps(as_json(snapshot, found), indent=1) + "\n")
    elif options.output_format == "html":
        sys.stdout.write(coverage_page(as_json(snapshot, found)))
    else:
        sys.stdout.write("\n".join(_text(found, Style.of(sys.stdout), options.gaps)) + "\n")
    return 0


def as_json(snapshot: Snapshot, found: Coverage) -> dict[str, Any]:
    """Return the report as JSON has it."""
    return {
        "states": {state.value: count for state, count in found.counts.items()},
        "gaps": len(found.gaps),
        "rows": [_row(snapshot, it) for it in found.rows],
    }


def _row(snapshot: Snapshot, row: CoveredRow) -> dict[str, Any]:
    return {
        "name": row.name,
        "operator": row.base,
        "state": row.state.value,
        "kind": row.kind,
        "function": row.function,
        "delegate": row.delegate,
        "elsewhere": list(row.elsewhere),
        "migration": row.migration,
        "stubs": list(row.stubs),
        "kernels": list(row.kernels),
        "dtypes": list(row.dtypes),
        "path": place(snapshot, row.uri, Span(0, 0)).path,
        "line": row.line,
    }


def _text(found: Coverage, style: Style, gaps: bool) -> list[str]:
    lines = [style.bold(f"{len(found.rows)} rows of native_functions.yaml on MPS"), ""]
    most = max(found.counts.values())
    for state, count in found.counts.items():
        bar = "█" * round(_BAR * count / most) or ("▏" if count else "")
        share = f"{100 * count / len(found.rows):.1f} %"
        lines.append(f"  {state.value:<26} {count:>5} {share:>7}  {style.dim(bar)}".rstrip())
    bases = dict.fromkeys(row.base for row in found.gaps)
    lines += (
        "",
        f"{len(found.gaps)} rows of {len(bases)} operators have kernels for CPU and CUDA, "
        "but none for MPS" + (":" if gaps else "; --gaps lists them"),
    )
    if gaps:
        lines += ("", *_gaps(found, style))
    return lines


def _gaps(found: Coverage, style: Style) -> list[str]:
    by_base: dict[str, list[CoveredRow]] = {}
    for row in found.gaps:
        by_base.setdefault(row.base, []).append(row)
    return [
        f"  {style.bold(base)}  {style.dim(' '.join(it.name for it in rows))}"
        for base, rows in by_base.items()
    ]
