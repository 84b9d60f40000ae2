"""`mkls kernels FILE`: the kernels that a file makes available to the host, macro-made ones too."""

import argparse
import json
import sys
from typing import Any

from mkls.cli.places import place
from mkls.cli.style import Style
from mkls.cli.workspace import open_workspace
from mkls.facts.model.metal import KernelArgument, MetalFacts
from mkls.index.kernels_link import Kernel
from mkls.index.snapshot import Snapshot
from mkls.text.wording import counted

HELP = "list the kernels that files make available to the host"

_NUMBERED = ("buffer", "texture", "sampler", "threadgroup")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `mkls kernels`."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="Metal sources or headers")
    parser.add_argument("--root", metavar="DIR", help="the workspace's root")
    parser.add_argument("--output-format", choices=("full", "json"), default="full")


def run(options: argparse.Namespace) -> int:
    """Print the kernels of each file in source order."""
    workspace = open_workspace(options.files, options.root)
    snapshot = workspace.session.snapshot()
    metal = snapshot.facts(MetalFacts)
    uris = [uri for uri in workspace.wanted if uri in metal]
    kernels = [kernel for uri in uris for kernel in snapshot.kernels.kernels_of(uri)]
    if options.output_format == "json":
        listed = [_as_json(snapshot, kernel) for kernel in kernels]
        sys.stdout.write(json.dumps(listed, indent=2) + "\n")
    else:
        style = Style.of(sys.stdout)
        sys.stdout.write("".join(_as_text(snapshot, kernel, style) for kernel in kernels))
        sys.stdout.flush()
        names = len({kernel.host_name for kernel in kernels})
        print(f"{counted(names, 'kernel')} in {counted(len(uris), 'file')}", file=sys.stderr)
    for uri in uris:
        for missing in snapshot.kernels.incomplete.get(uri, ()):
            where = place(snapshot, missing.uri, missing.span)
            lack = f"`{missing.name}` is not found, so kernels may be missing"
            print(f"mkls: {where.path}:{where.line}: {lack}", file=sys.stderr)
    return 0


def _as_json(snapshot: Snapshot, kernel: Kernel) -> dict[str, Any]:
    where = place(snapshot, kernel.uri, kernel.span)
    return {
        "host_name": kernel.host_name,
        "function": kernel.function,
        "path": where.path,
        "line": where.line,
        "arguments": [_argument(it) for it in kernel.arguments],
    }


def _argument(argument: KernelArgument) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": argument.name.text,
        "type": argument.type,
        "kind": argument.kind or "unknown",
    }
    if argument.kind in _NUMBERED:
        described["index"] = argument.index
    elif argument.attribute:
        described["attribute"] = argument.attribute
    if argument.kind == "buffer" and argument.access:
        described["access"] = argument.access
    return described


def _as_text(snapshot: Snapshot, kernel: Kernel, style: Style) -> str:
    where = place(snapshot, kernel.uri, kernel.span)
    head = f"{style.bold(kernel.host_name)}  {style.dim(f'{where.path}:{where.line}')}\n"
    return head + "".join(f"  {_argument_text(it)}\n" for it in kernel.arguments)


def _argument_text(argument: KernelArgument) -> str:
    number = f"{argument.kind} {argument.index}" if argument.kind in _NUMBERED else argument.kind
    remark = argument.access if argument.kind == "buffer" else argument.attribute
    spaced = "" if argument.type.endswith(("*", "&")) else " "
    return f"{number:<14} {argument.type}{spaced}{argument.name.text}  {remark}".rstrip()
