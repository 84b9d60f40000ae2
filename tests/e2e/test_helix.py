"""A real Helix, configured by `editors/helix/languages.toml`."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.helix import CONFIGURATION, Helix
from tests.support.lsp_server import REPOSITORY

pytestmark = pytest.mark.editors

NATIVE = "aten/src/ATen/native"


@pytest.fixture
def sample(tmp_path) -> Path:
    """A copy of the sample workspace."""
    return shutil.copytree(REPOSITORY / "mkls" / "sample", tmp_path / "sample")


@pytest.fixture
def opened(tmp_path) -> Iterator[Callable[[str], Helix]]:
    """Opens a file in an editor of its own."""
    editors: list[Helix] = []

    def opened(file: str) -> Helix:
        editors.append(Helix(file, tmp_path / "helix"))
        return editors[-1]

    yield opened
    for editor in editors:
        editor.close()


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("mps/kernels/BinaryKernel.metal:15:21", "another kernel has the host name"),
        ("native_functions.yaml:45:6", "delegates to `notch.out`"),
    ],
)
def test_what_is_wrong_is_shown(sample, opened, place, text):
    helix = opened(f"{sample / NATIVE}/{place}")

    assert text in helix.sees(text)


def test_a_code_action_mends_what_is_reported(sample, opened):
    host = sample / NATIVE / "mps/operations/SampleKernel.mm"
    helix = opened(f"{host}:18:33")
    helix.sees("no Metal source defines a kernel")

    helix.press("Space", "a")
    helix.sees("Change to `fade`")
    helix.press("Enter")
    helix.sees('exec_unary_kernel(iter, "fade")')
    helix.press(":")
    helix.press("w", "Enter")

    helix.sees(" written, ")
    assert '(iter, "fade")' in host.read_text(encoding="utf-8")


def test_the_queries_are_there_for_each_language():
    named = CONFIGURATION.read_text(encoding="utf-8").split('\nname = "')[1:]

    languages = {it.split('"')[0] for it in named}

    queries = CONFIGURATION.parent / "runtime" / "queries"
    assert languages == {it.parent.name for it in queries.glob("*/highlights.scm")}
