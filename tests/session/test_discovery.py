import os
from pathlib import Path

import pytest

from mkls.session.discovery import find_root, in_workspace, workspace_files
from mkls.text.document import path_of, uri_of

YAML = "aten/src/ATen/native/native_functions.yaml"


def make(root: Path, *paths: str) -> None:
    for path in paths:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()


def listed(root: Path) -> list[str]:
    return sorted(Path(path).relative_to(root).as_posix() for path in workspace_files(root))


def test_the_root_of_a_checkout_is_found_from_anywhere_in_it(tmp_path):
    make(tmp_path, YAML, "aten/src/ATen/native/mps/kernels/A.metal", "aten/.git/config")

    assert find_root(tmp_path / "aten/src/ATen/native/mps/kernels/A.metal") == tmp_path
    assert find_root(tmp_path / "aten/src") == tmp_path


def test_elsewhere_the_root_is_the_nearest_project(tmp_path):
    make(tmp_path, "pyproject.toml", "sub/mkls.toml", "sub/deep/a.metal")

    assert find_root(tmp_path / "sub/deep/a.metal") == tmp_path / "sub"


def test_a_lone_file_is_its_folder(tmp_path):
    make(tmp_path, "a.metal")

    assert find_root(tmp_path / "a.metal") == tmp_path


@pytest.mark.parametrize(
    ("path", "read"),
    [
        (YAML, True),
        ("aten/src/ATen/native/tags.yaml", True),
        ("aten/src/ATen/native/Fill.cpp", True),
        ("aten/src/ATen/native/cpu/CatKernel.h", True),
        ("aten/src/ATen/native/cpu/CatKernel.cpp", False),
        ("aten/src/ATen/native/cuda/Fill.h", False),
        ("aten/src/ATen/native/metal/MetalAten.mm", False),
        ("aten/src/ATen/native/mps/kernels/A.metal", True),
        ("aten/src/ATen/mps/MPSFallback.mm", True),
        ("c10/metal/utils.h", True),
        ("torchgen/model.py", True),
        ("torchgen/gen.py", False),
        ("caffe2/a.mm", False),
    ],
)
def test_what_counts_in_a_checkout(tmp_path, path, read):
    make(tmp_path, YAML, path)

    assert (path in listed(tmp_path)) is read
    assert in_workspace(tmp_path, tmp_path / path) is read


def test_what_counts_elsewhere(tmp_path):
    make(
        tmp_path,
        "src/a.metal",
        "src/b.mm",
        "notes.txt",
        ".hidden/c.metal",
        "node_modules/d.metal",
        "env/pyvenv.cfg",
        "env/e.metal",
    )

    assert listed(tmp_path) == ["src/a.metal", "src/b.mm"]
    assert not in_workspace(tmp_path, tmp_path / ".hidden/c.metal")
    assert not in_workspace(tmp_path, tmp_path.parent / "outside.metal")


def test_a_broken_link_is_no_file(tmp_path):
    (tmp_path / "gone.metal").symlink_to(tmp_path / "nowhere.metal")

    assert listed(tmp_path) == []


def test_a_second_name_of_a_file_is_not_read(tmp_path):
    make(tmp_path, "a.metal")
    (tmp_path / "alias.metal").symlink_to("a.metal")
    outside = tmp_path.parent / f"{tmp_path.name}.metal"
    outside.touch()
    (tmp_path / "elsewhere.metal").symlink_to(outside)

    assert listed(tmp_path) == ["a.metal", "elsewhere.metal"]


def test_a_folder_that_may_not_be_looked_into_hides_nothing_else(tmp_path, monkeypatch):
    make(tmp_path, "a.metal", "secret/b.metal")
    looks = Path.exists

    def exists(path: Path) -> bool:
        if path.parent.name == "secret":
            raise PermissionError(path)
        return looks(path)

    monkeypatch.setattr(Path, "exists", exists)

    assert "a.metal" in listed(tmp_path)
    assert find_root(tmp_path / "secret/b.metal") == tmp_path / "secret"


def test_a_name_that_is_no_utf8_is_read_under_a_uri(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.metal"))
    path.touch()

    (found,) = workspace_files(tmp_path)

    assert uri_of(found).endswith("/caf%E9.metal")
    assert path_of(uri_of(found)) == found == str(path)
