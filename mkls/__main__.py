"""`python -m mkls` and the `mkls` command."""

import gc
import sys


def main() -> int:
    """Run the command line; return its exit status."""
    # What start-up allocates lives as long as the process: collecting it again and again only costs.
    gc.disable()
    from mkls.cli.main import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
