"""`python -m mkls` and the `mkls` command."""

import gc
import sys


def main() -> int:
    """Run the command line; return its exit status."""
    # What start-up allocates stays to the end: going through it again and again only costs.
    gc.disable()
    from mkls.cli.main import run  # noqa: PLC0415  (what it imports is to live as long)

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
