"""`mkls demo`: the main job on the sample workspace that ships with mkls."""

import argparse
import os
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import mkls
from mkls.cli.fixing import fix_all, unified_diff
from mkls.cli.formats import full
from mkls.cli.main import UsageError
from mkls.cli.main import run as run_command
from mkls.cli.report import report
from mkls.cli.style import Style
from mkls.cli.workspace import Workspace, open_workspace
from mkls.diagnostics.selection import Selection
from mkls.features.diagnostics import DEFAULT_RULES, all_findings

HELP = "show what mkls finds in a small sample workspace with one mistake of each kind"

SAMPLE = Path(mkls.__file__).parent / "sample"
"""The sample: PyTorch's layout in miniature."""


_KERNEL_FILE = "aten/src/ATen/native/mps/kernels/UnaryKernel.metal"
_KERNEL = "softsign_dense_float_float"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `mkls demo`."""
    parser.add_argument(
        "--copy-to", metavar="DIR", help="leave a copy of the sample here to play with"
    )


def run(options: argparse.Namespace) -> int:
    """Check a copy of the sample, show the findings and what the fixes would change; return 0."""
    style = Style.of(sys.stdout)
    if options.copy_to:
        target = Path(options.copy_to)
        try:
            shutil.copytree(SAMPLE, target, dirs_exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot copy the sample to {target}: {error}") from error
        print(f"The sample lies in {target}; try `mkls check {target}`.")
        return 0
    with tempfile.TemporaryDirectory(prefix="mkls-demo-") as folder:
        root = Path(folder, "sample").resolve()
        shutil.copytree(SAMPLE, root)
        before = Path.cwd()
        os.chdir(root)  # paths are shown as seen from here
        try:
            _check(open_workspace([], None), style)
            _run(style)
        finally:
            os.chdir(before)
    return 0


def _check(workspace: Workspace, style: Style) -> None:
    snapshot = workspace.session.snapshot()
    print(_heading("mkls check: a miniature PyTorch tree with one mistake of each kind", style))
    found = all_findings(snapshot, workspace.wanted, DEFAULT_RULES)
    result = report(snapshot, found, Selection(), len(workspace.wanted))
    sys.stdout.write(full.render(result, style))
    print(_heading("mkls check --diff --unsafe-fixes: what the fixes would change", style))
    changes = fix_all(workspace.session, workspace.wanted, DEFAULT_RULES, unsafe=True)
    sys.stdout.write(unified_diff(changes, workspace.root))
    print(f"\n{len(result.findings)} findings; `mkls explain CODE` tells more about each.")
    print("`mkls demo --copy-to DIR` leaves a copy to open in an editor.")


def _run(style: Style) -> None:
    """Run a kernel with a numerical mistake, where torch and a compiler are installed."""
    command = ["run", _KERNEL_FILE, "--kernel", _KERNEL]
    print(_heading(f"mkls {' '.join(command)}: a kernel that computes the wrong thing", style))
    if find_spec("torch") is None:
        print("This needs torch and a compiler: pip install 'mkls[run]'")
        return
    sys.stdout.flush()
    run_command(command)


def _heading(text: str, style: Style) -> str:
    return f"\n{style.bold(text)}\n"
