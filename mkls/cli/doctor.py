"""`mkls doctor`: what this machine can do, and what to install for the rest."""

import argparse
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from mkls import __version__
from mkls.cli.places import current_folder
from mkls.cli.style import Style
from mkls.emulator.toolchain import ToolchainError, find_toolchain
from mkls.rules import KNOWN_RULES
from mkls.session.cache_place import cache_folder
from mkls.session.config import load_config
from mkls.session.discovery import find_root, is_pytorch, workspace_files

HELP = "tell what works on this machine, and how to get the rest"


class Remark(NamedTuple):
    """One line of the report; `good` None is neither good nor bad."""

    good: bool | None
    what: str
    detail: str


def configure(_parser: argparse.ArgumentParser) -> None:
    """`mkls doctor` has no options."""


def run(_options: argparse.Namespace) -> int:
    """Print the report; 0 also when something optional is missing."""
    style = Style.of(sys.stdout)
    for remark in (*_installation(), *_workspace(), *_runner()):
        print(_line(remark, style))
    return 0


def _line(remark: Remark, style: Style) -> str:
    mark = {True: style.good("✓"), False: style.severity("warning", "!"), None: " "}[remark.good]
    return f"{mark} {remark.what:<12} {remark.detail}"


def _installation() -> list[Remark]:
    return [
        Remark(True, "mkls", f"{__version__} in {Path(__file__).parents[1]}"),
        Remark(True, "python", f"{platform.python_version()} at {sys.executable}"),
        *(_package(name) for name in ("pygls", "lsprotocol", "tree-sitter", "tree-sitter-cpp")),
    ]


def _package(name: str) -> Remark:
    try:
        return Remark(True, name, version(name))
    except PackageNotFoundError:
        return Remark(False, name, f"missing: pip install {name}")


def _workspace() -> list[Remark]:
    here = current_folder()
    if here is None:
        return [Remark(False, "workspace", "none: the current folder does not exist any more")]
    root = find_root(here)
    files = sum(1 for _ in workspace_files(root))
    kind = "a PyTorch checkout" if is_pytorch(root) else "no PyTorch checkout"
    messages = load_config(root, KNOWN_RULES).messages
    return [
        Remark(None, "workspace", f"{root} ({kind}, {files} files that mkls reads)"),
        *(Remark(False, "config", message) for message in messages),
    ]


def _runner() -> list[Remark]:
    return [_torch(), _compiler(), _caches(), *_untried()]


def _untried() -> list[Remark]:
    if sys.platform == "linux":
        return []
    what = "a Mac" if sys.platform == "darwin" else "this system"
    return [Remark(None, "untried", f"running and checking kernels has not been tried on {what}")]


def _caches() -> Remark:
    folder = cache_folder()
    if folder is None:
        return Remark(False, "caches", "none: no home folder is known; set MKLS_CACHE_DIR")
    return Remark(None, "caches", str(folder))


def _torch() -> Remark:
    if find_spec("torch") is None:
        return Remark(False, "torch", "missing: pip install 'mkls[run]' (for `mkls run`)")
    return Remark(True, "torch", version("torch"))


def _compiler() -> Remark:
    try:
        return Remark(True, "compiler", find_toolchain().description)
    except ToolchainError as error:
        return Remark(False, "compiler", str(error))
