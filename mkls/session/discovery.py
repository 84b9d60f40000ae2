"""Find the workspace's root and the files that mkls reads there."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from mkls.session.disk import exists, is_file, is_folder
from mkls.text.document import Uri, language_of, uri_of

NATIVE_FUNCTIONS = "aten/src/ATen/native/native_functions.yaml"
_ROOT_MARKERS = (".git", "mkls.toml", "pyproject.toml")
_LARGEST_FILE = 4 << 20
_MOST_FILES = 20_000

# Below these, a PyTorch tree has what links to MPS; `native` has the C++ that calls the stubs.
_PYTORCH_FOLDERS = ("aten/src/ATen/native", "aten/src/ATen/mps", "c10/metal")
_PYTORCH_FILES = (
    "torchgen/model.py",
    "tools/autograd/derivatives.yaml",
    "torch/testing/_internal/common_mps.py",
    "test/test_mps.py",  # held the lists of common_mps.py up to 2.6
)
_OTHER_BACKENDS = frozenset(
    (
        "cuda",
        "hip",
        "cudnn",
        "miopen",
        "mkl",
        "mkldnn",
        "metal",
        "vulkan",
        "xnnpack",
        "xpu",
        "nnapi",
    )
)
_SKIPPED = frozenset(
    ("node_modules", "__pycache__", "build", "dist", "third_party", "site-packages", "venv")
)


def find_root(start: Path) -> Path:
    """Return the workspace's root for `start`, a file or a folder.

    The nearest folder upwards that holds `native_functions.yaml` in PyTorch's layout, else the
    nearest with `.git`, `mkls.toml` or `pyproject.toml`, else the folder itself.
    """
    folder = start if is_folder(start) else start.parent
    upwards = (folder, *folder.parents)
    for candidate in upwards:
        if is_file(candidate / NATIVE_FUNCTIONS):
            return candidate
    for candidate in upwards:
        if is_project(candidate):
            return candidate
    return folder


def is_project(folder: Path) -> bool:
    """Whether `folder` is marked as the top of a project."""
    return any(exists(folder / marker) for marker in _ROOT_MARKERS)


def is_pytorch(root: Path) -> bool:
    """Whether `root` is a PyTorch checkout."""
    return is_file(root / NATIVE_FUNCTIONS)


Unreadable = Callable[[str, OSError], None]
"""Called with a path, and why what is there cannot be read."""


def _silent(_path: str, _reason: OSError) -> None: ...


def workspace_files(root: Path, unreadable: Unreadable = _silent) -> Iterator[str]:
    """Yield the absolute path of each file below `root` that mkls reads, in no set order.

    `unreadable` is told of folders that exist and cannot be read, and why.
    """
    return _pytorch_files(root, unreadable) if is_pytorch(root) else _any_files(root, unreadable)


def in_workspace(root: Path, path: Path) -> bool:
    """Whether `workspace_files(root)` would yield `path`, if it existed."""
    if not path.is_relative_to(root) or language_of(uri_of(str(path))) is None:
        return False
    relative = path.relative_to(root)
    if not is_pytorch(root):
        return not any(_is_skipped(part) for part in relative.parts[:-1])
    if relative.as_posix() in _PYTORCH_FILES:
        return True
    return not _is_cpu_kernel(str(path)) and any(
        relative.is_relative_to(folder)
        and _OTHER_BACKENDS.isdisjoint(relative.relative_to(folder).parts[:-1])
        for folder in _PYTORCH_FOLDERS
    )


def _is_cpu_kernel(path: str) -> bool:
    # Stubs are declared in headers of `cpu` folders, and only implemented in their sources.
    return "/cpu/" in path and path.endswith(".cpp")


def _pytorch_files(root: Path, unreadable: Unreadable) -> Iterator[str]:
    for folder in _PYTORCH_FOLDERS:
        for path in _walk(str(root / folder), root, _OTHER_BACKENDS.__contains__, unreadable):
            if not _is_cpu_kernel(path):
                yield path
    for name in _PYTORCH_FILES:
        if is_file(root / name):
            yield str(root / name)


def _any_files(root: Path, unreadable: Unreadable) -> Iterator[str]:
    # Many a project has more Python than anything else, and little of it concerns us.
    left = {True: _MOST_FILES, False: _MOST_FILES}
    for path in _walk(str(root), root, _is_skipped, unreadable):
        is_python = path.endswith(".py")
        if left[is_python]:
            left[is_python] -= 1
            yield path


def _is_skipped(folder: str) -> bool:
    return folder.startswith(".") or folder in _SKIPPED


def _walk(
    folder: str, root: Path, skip: Callable[[str], bool], unreadable: Unreadable
) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            unreadable(folder, error)
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if not skip(entry.name) and not _is_environment(entry.path):
                yield from _walk(entry.path, root, skip, unreadable)
        elif language_of(Uri(f"/{entry.path}")) is not None and _is_wanted(entry, root):
            yield entry.path


def _is_alias(link: Path, root: Path) -> bool:
    """Whether `link` is a second name of a file below `root`, which is read under its own."""
    return link.resolve().is_relative_to(root.resolve())


def _is_environment(folder: str) -> bool:
    return exists(Path(folder, "pyvenv.cfg"))


def _is_wanted(entry: "os.DirEntry[str]", root: Path) -> bool:
    try:
        if entry.is_symlink() and _is_alias(Path(entry.path), root):
            return False
        return entry.is_file() and entry.stat().st_size <= _LARGEST_FILE
    except OSError:
        return False
