"""Parse the command line and hand over to a command."""

import argparse
import errno
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from types import ModuleType
from typing import TextIO

from mkls import __version__
from mkls.cli import head_start

COMMANDS = (
    *("check", "kernels", "operator", "coverage", "run", "add-mps", "migrate", "new-kernel"),
    *("rules", "explain", "doctor", "demo", "serve"),
)

_OUTPUT_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


class UsageError(Exception):
    """A call that cannot be carried out; the message says what to do instead."""


def run(arguments: Sequence[str]) -> int:
    """Run one command; return the exit status (0, 1 or 2)."""
    _have_streams(arguments)
    _let_any_text_out(sys.stdout, sys.stderr)
    if arguments[:1] == ["check"]:
        head_start.begin(arguments[1:])
    try:
        parser = _parser(arguments)
    except KeyboardInterrupt:  # importing the command is half of the work
        return 2
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return 2
    command = _module(options.command)
    try:
        return _written(int(command.run(options)))
    except UsageError as error:
        print(f"mkls {options.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader (`| head`) has seen enough
        _write_no_more()
        return 0
    except KeyboardInterrupt:
        return 2
    except OSError as error:
        reason = _reason_outside(error)
        if reason is None:
            return _own_fault(options.command)
        print(f"mkls {options.command}: {reason}", file=sys.stderr)
        return 2
    except Exception:  # the door: whatever fails, the status is 2 and the reason is shown
        return _own_fault(options.command)


def _written(status: int) -> int:
    """Return `status` once all output is written, so that a failure to do so is told."""
    if sys.stdout is not None and not sys.stdout.closed:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stdout.flush()
    return status


def _own_fault(command: str) -> int:
    traceback.print_exc()
    print(f"mkls {command}: this is a fault of mkls; please report it", file=sys.stderr)
    return 2


def _reason_outside(error: OSError) -> str | None:
    """Return what to tell of an `error` that the surroundings are to blame for, else None."""
    if error.filename is not None:
        return None
    if error.errno in _OUTPUT_ERRORS:
        _write_no_more()
        return f"cannot write the output: {error.strerror}"
    return None if _is_somewhere() else "the current folder does not exist any more"


def _is_somewhere() -> bool:
    try:
        os.getcwd()  # noqa: PTH109  (it is the question that counts)
    except OSError:
        return False
    return True


def _write_no_more() -> None:
    """Let the interpreter lose at exit what it could not write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _have_streams(arguments: Sequence[str]) -> None:
    """Write to nowhere where the caller has closed a stream (`>&-`): the status still tells."""
    if arguments[:1] == ["serve"]:
        return
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  (to the end)
            setattr(sys, name, nowhere)


def _module(command: str) -> ModuleType:
    return import_module(f"mkls.cli.{command.replace('-', '_')}")


def _let_any_text_out(*streams: TextIO) -> None:
    """Print what the terminal's encoding lacks too: bytes of a Latin-1 source come out as bytes."""
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            is_utf8 = stream.encoding.lower().replace("-", "") == "utf8"
            stream.reconfigure(errors="surrogateescape" if is_utf8 else "backslashreplace")


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mkls",
        description="Check, link and run PyTorch's Metal kernels.",
        epilog="`mkls COMMAND --help` tells more. Status: 0 clean, 1 findings, 2 failure.",
    )
    parser.add_argument("--version", action="version", version=f"mkls {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    named = {argument for argument in arguments if argument in COMMANDS}
    for name in COMMANDS:
        # Only the command that is called is imported: `mkls check` must not wait for the others.
        if not named or name in named:
            module = _module(name)
            module.configure(commands.add_parser(name, help=module.HELP, description=module.HELP))
        else:
            commands.add_parser(name)
    return parser
