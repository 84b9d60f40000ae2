"""GCC's preprocessor, the oracle for ours."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

_DIAGNOSED = re.compile(r"<stdin>:(\d+):\d+: (?:error|warning)")


def gcc() -> str:
    """Return the path of GCC, which the tests of the preprocessor need."""
    found = shutil.which("gcc")
    assert found, "the preprocessor is tested against GCC: apt-get install gcc"
    return found


def preprocessed(source: str) -> tuple[str, set[int]]:
    """Return `source` after preprocessing, and the lines that GCC complains about."""
    command = [gcc(), "-E", "-P", "-x", "c++", "-std=gnu++20", "-"]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    return done.stdout, {int(line) for line in _DIAGNOSED.findall(done.stderr)}


def preprocessed_metal(path: Path, version: int, stubs: Path, includes: Sequence[Path] = ()) -> str:
    """Return the Metal source at `path` after preprocessing for one language version.

    `stubs` is a folder that gets empty headers in place of Apple's.
    """
    for name in ("stdlib", "array", "atomic", "compute", "math", "simdgroup", "simdgroup_matrix"):
        (stubs / f"metal_{name}").write_text("", encoding="utf-8")
    roots = [f"-I{folder}" for folder in (stubs, *includes)]
    command = [gcc(), "-E", "-P", "-x", "c++", "-nostdinc", "-undef", *roots]
    defines = [f"-D__METAL_VERSION__={version}", "-D__METAL__=1"]
    done = subprocess.run(
        [*command, *defines, str(path)], capture_output=True, text=True, check=True
    )
    return done.stdout
