"""The process in which kernels are compiled and run: `python …/mkls/runner/worker.py`.

Started by path, so that any interpreter can run it: nothing of mkls need be installed there. The
folder of mkls alone becomes importable, not its neighbours, and the current folder never is.
"""

import importlib.util
import os
import sys
from pathlib import Path

# Nothing is imported from this file's folder, nor from the current one (`python -c`).
sys.path[:] = [it for it in sys.path if it not in ("", str(Path(__file__).parent))]


def make_importable(package: Path) -> None:
    """Make the package in folder `package` importable without its parent folder on the path."""
    location = package / "__init__.py"
    spec = importlib.util.spec_from_file_location(
        package.name, location, submodule_search_locations=[str(package)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[package.name] = module
    spec.loader.exec_module(module)


def main() -> None:
    """Serve requests until standard input ends. First argument: the memory limit in bytes."""
    package = Path(__file__).resolve().parents[1]
    # No file of a user's lies below this folder: debug information keeps their paths whole.
    os.chdir(package)
    make_importable(package)
    from mkls.runner.worker_loop import serve

    serve(memory_limit_bytes=int(sys.argv[1]) if len(sys.argv) > 1 else 0)


if __name__ == "__main__":
    main()
