"""`mkls check` of the whole 2.6.0 tree against torchgen's reading of the YAML alone."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.bench.measure import Row, alternate, run_python, seconds

_TORCHGEN = """
import sys
sys.path.insert(0, sys.argv[1])
from torchgen.gen import parse_native_yaml
native = sys.argv[1] + "/aten/src/ATen/native/"
parse_native_yaml(native + "native_functions.yaml", native + "tags.yaml")
"""


def rows(tree: Path, rounds: int) -> Iterator[Row]:
    """Yield the cold and the warm check, process against process."""
    check = ["-m", "mkls", "check", "--no-msl", "--output-format", "json", "--root", str(tree)]
    with tempfile.TemporaryDirectory() as warm:
        run_python([*check, str(tree)], _environment(warm))
        run_python(["-c", _TORCHGEN, str(tree)], os.environ)  # both have their bytecode now
        medians = alternate(
            {
                "torchgen": lambda: seconds(
                    lambda: run_python(["-c", _TORCHGEN, str(tree)], os.environ)
                ),
                "cold": lambda: _cold(check, tree),
                "few": lambda: _cold([*check, "--select", "malformed-entry"], tree),
                "warm": lambda: seconds(
                    lambda: run_python([*check, str(tree)], _environment(warm))
                ),
            },
            rounds,
        )
    cold, warm_time, torchgen = (medians[name] for name in ("cold", "warm", "torchgen"))
    rules = (cold - medians["few"]) / cold
    absolute = f"{cold:.3f} s against {torchgen:.3f} s"
    yield Row(
        "cold check of 2.6.0 / torchgen.gen.parse_native_yaml", cold / torchgen, 1.0, "x", absolute
    )
    yield Row("all rules and the links that they need / cold check", rules, 0.4, "x")
    yield Row("warm check / cold check", warm_time / cold, 0.8, "x", f"{warm_time:.3f} s")


def _cold(check: list[str], tree: Path) -> float:
    with tempfile.TemporaryDirectory() as empty:
        return seconds(lambda: run_python([*check, str(tree)], _environment(empty)))


def _environment(cache: str) -> Mapping[str, str]:
    return {**os.environ, "MKLS_CACHE_DIR": cache}
