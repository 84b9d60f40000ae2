"""Real PyTorch material: the 2.6.0 source tree and the installed torch package.

The tree is unpacked once from Debian's source package, with the machine's own mirror and keyring,
into the cache folder; `MKLS_PYTORCH_TREE` names one that is there already.
"""

import importlib.util
import os
import subprocess
from functools import cache
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("get_pytorch_source.sh")


@cache
def pytorch_tree_path() -> Path:
    """Return the root of a PyTorch 2.6.0 checkout, fetching it when it is not there yet."""
    given = os.environ.get("MKLS_PYTORCH_TREE")
    if given:
        return Path(given)
    folder = _cache_folder() / "pytorch-2.6.0"
    subprocess.run(["sh", str(SCRIPT), str(folder)], check=True, capture_output=True, text=True)
    return folder


def _cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(base) / "mkls-tests"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def pytorch_tree() -> Path:
    """The root of an untouched PyTorch 2.6.0 checkout; tests must not write to it."""
    return pytorch_tree_path()


def package_folder(name: str) -> Path:
    """Return the folder of an installed package without importing it."""
    spec = importlib.util.find_spec(name)
    assert spec, f"{name} is not installed: pip install -e '.[dev,run]' -c constraints.txt"
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


@pytest.fixture(scope="session")
def torch_include() -> Path:
    """The `include` folder of the installed torch 2.13.0: c10/metal, ATen/native/mps."""
    return package_folder("torch") / "include"


@pytest.fixture(scope="session")
def native_functions_2_13() -> Path:
    """The `native_functions.yaml` of the installed torch 2.13.0."""
    return package_folder("torchgen") / "packaged/ATen/native/native_functions.yaml"
