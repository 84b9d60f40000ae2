"""The sample PyTorch tree in the style of 2.13 and main.

`tests/trees/new_style` holds what is written for these tests. What PyTorch installs as headers
(`c10/metal`, `ATen/native/mps`) comes from the installed torch, so that the sample is read against
the real registration macros, and never against a copy that has grown old.
"""

import shutil
from pathlib import Path

import pytest

from tests.support.pytorch import package_folder

WRITTEN = Path(__file__).parents[1] / "trees" / "new_style"
EXTENSION = Path(__file__).parents[1] / "trees" / "extension"
"""A small extension outside of PyTorch: Python that runs shaders, and operators in C++."""

ATEN = Path("aten/src/ATen")
_HEADERS = (
    (Path("c10/metal"), Path("c10/metal")),
    (Path("ATen/native/mps"), ATEN / "native/mps"),
    (Path("ATen/native"), ATEN / "native"),
)
"""Folders below torch's `include`, and where a checkout has them."""
_INSTALLED = {
    "c10/metal": None,
    "ATen/native/mps": (
        "MetalShaderLibrary.h",
        "OperationUtils.h",
        "TensorFactory.h",
        "Copy.h",
        "kernels/Activation.h",
        "kernels/ReduceOps.h",
        "operations/BinaryKernel.h",
        "operations/ScanKernel.h",
    ),
    "ATen/native": ("DispatchStub.h",),
}
"""Which headers to take of each folder: None for all."""


def assemble_new_style_tree(root: Path) -> Path:
    """Put the whole sample tree together below `root`, which must not exist yet."""
    shutil.copytree(WRITTEN, root)
    include = package_folder("torch") / "include"
    for installed, in_checkout in _HEADERS:
        names = _INSTALLED[installed.as_posix()]
        folder = include / installed
        for name in names or sorted(path.name for path in folder.glob("*.h")):
            target = root / in_checkout / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / name, target)
    return root


@pytest.fixture(scope="session")
def new_style_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of the sample tree; tests must not write to it. mkls finds nothing wrong there."""
    return assemble_new_style_tree(tmp_path_factory.mktemp("trees") / "new_style")


def metal_sources(root: Path) -> list[Path]:
    """Return the Metal sources of a PyTorch tree, in order."""
    return sorted((root / ATEN / "native/mps/kernels").glob("*.metal"))
