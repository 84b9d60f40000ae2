"""Paths that a file lists (`mkls check @FILE`), as lintrunner and others hand them over."""

from collections.abc import Iterable
from pathlib import Path

from mkls.cli.main import UsageError
from mkls.session.disk import read_text


def named_paths(arguments: Iterable[str]) -> list[str]:
    """Return `arguments` with the lines of FILE in place of each `@FILE`; `./@FILE` is a path.

    Raises:
        UsageError: A list cannot be read.
    """
    return [path for argument in arguments for path in _named(argument)]


def _named(argument: str) -> list[str]:
    if not argument.startswith("@"):
        return [argument]
    name = argument[1:]
    try:
        text = read_text(str(Path(name)))
    except OSError as error:
        raise UsageError(
            f"{argument}: the list of paths cannot be read: {error.strerror}"
        ) from error
    return [line for line in text.replace("\r\n", "\n").split("\n") if line]
