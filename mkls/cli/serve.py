"""`mkls serve`: the language server."""

import argparse

HELP = "run the language server"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `mkls serve`."""
    transport = parser.add_mutually_exclusive_group()
    transport.add_argument(
        "--stdio", action="store_true", help="over standard input and output (default)"
    )
    transport.add_argument(
        "--tcp", type=int, metavar="PORT", help="wait for a client on this local port"
    )


def run(options: argparse.Namespace) -> int:
    """Serve until the client says exit."""
    # pygls and lsprotocol take 0.2 s to import: only the server pays for them.
    from mkls.server.app import serve_stdio, serve_tcp  # noqa: PLC0415

    if options.tcp is not None:
        return serve_tcp(options.tcp)
    return serve_stdio()
