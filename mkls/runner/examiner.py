"""A process that asks the compiler about one source: `python …/mkls/runner/examiner.py`.

Reads a request as JSON from standard input and writes the examination to standard output. Like the
worker, it is started by path and takes nothing from the current folder.
"""

import json
import os
import sys
from pathlib import Path

sys.path[:] = [it for it in sys.path if it not in ("", str(Path(__file__).parent))]
_POLITELY = 10


def main() -> None:
    """Answer one request."""
    if hasattr(os, "nice"):
        os.nice(_POLITELY)
    import runpy

    worker = runpy.run_path(str(Path(__file__).with_name("worker.py")))
    worker["make_importable"](Path(__file__).resolve().parents[1])
    from mkls.runner.codec import from_json, to_json
    from mkls.runner.examination import examination
    from mkls.runner.request import RunRequest

    request = from_json(RunRequest, json.load(sys.stdin))
    json.dump(to_json(examination(request)), sys.stdout)


if __name__ == "__main__":
    main()
