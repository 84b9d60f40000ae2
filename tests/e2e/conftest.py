"""A real editor on the real tree."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.neovim import Neovim


@pytest.fixture(scope="module")
def editor_folder(tmp_path_factory) -> Path:
    """Where the editors of one module keep their things; the second starts with a warm cache."""
    return tmp_path_factory.mktemp("editor")


@pytest.fixture
def nvim(editor_folder) -> Iterator[Neovim]:
    """A Neovim of the test's own."""
    editor = Neovim(editor_folder)
    yield editor
    editor.close()
