"""`mkls serve`: the language server."""

import argparse
import errno

from mkls.cli.main import UsageError

HELP = "run the language server"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `mkls serve`."""
    transport = parser.add_mutually_exclusive_group()
    transport.add_argument(
        "--stdio", action="store_true", help="over standard input and output (default)"
    )
    transport.add_argument(
        "--tcp", type=_port, metavar="PORT", help="wait for a client on this local port"
    )


def run(options: argparse.Namespace) -> int:
    """Serve until the client says exit."""
    # pygls and lsprotocol take 0.2 s to import: only the server pays for them.
    from mkls.server.app import serve_stdio, serve_tcp  # noqa: PLC0415

    if options.tcp is not None:
        try:
            return serve_tcp(options.tcp)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
            raise UsageError(f"cannot listen on port {options.tcp}: {error.strerror}") from error
    return serve_stdio()


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{port} is no port: 0 to 65535")
    return port
