"""Lines of machine code."""

import shutil
import subprocess
from pathlib import Path

from mkls.emulator.line_table import LineTable
from mkls.emulator.toolchain import find_toolchain

SOURCE = '# 7 "folder/some.metal"\nint f(int x) {\n  return x\n      * 3;\n}\n'


def test_addresses_lead_to_lines(tmp_path: Path) -> None:
    toolchain = find_toolchain()
    object_file, library = tmp_path / "a.o", tmp_path / "a.so"
    command = [
        *toolchain.kernel,
        "-x",
        "c++",
        "-g1",
        "-gdwarf-4",
        "-O0",
        "-fPIC",
        "-c",
        "-",
        "-o",
        str(object_file),
    ]
    subprocess.run(command, input=SOURCE, text=True, check=True)
    subprocess.run([*toolchain.linker, str(object_file), "-o", str(library)], check=True)
    table = LineTable(library)
    places = {table.place(address) for address in range(0x200, 0x4000)}
    lines = {place[1] for place in places if place}
    assert {7, 8, 9} <= lines
    assert all(place[0].endswith("folder/some.metal") for place in places if place)
    assert table.place(0) is None


def test_other_files_have_no_lines(tmp_path: Path) -> None:
    text = tmp_path / "text"
    shutil.copy(__file__, text)
    assert LineTable(text).place(100) is None
