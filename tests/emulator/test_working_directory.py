"""Places are found whatever the working directory of the process that compiles."""

from pathlib import Path

import pytest
import torch

from tests.emulator.kernels import Compile

SOURCE = """kernel void late(device int* out, uint i [[thread_position_in_grid]]) {
  out[0] = 1;
  out[i + 100] = 2;
}
"""


@pytest.mark.parametrize("below", [0, 1, 2])
def test_a_finding_in_a_file_below_the_working_directory(
    compile_: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: int
) -> None:
    path = tmp_path / "some" / f"late{below}.metal"
    path.parent.mkdir()
    path.write_text(SOURCE)
    monkeypatch.chdir([tmp_path / "some", tmp_path, tmp_path.parent][below])
    library = compile_(SOURCE, prelude=False, filename=str(path), checked=True)
    outcome = library.kernel("late").run(torch.zeros(8, dtype=torch.int32), threads=1)
    assert [(f.path, f.line) for f in outcome.findings] == [(str(path), 3)]
