"""A warm runner for all tests, and sources in temporary files."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mkls.runner.client import Runner
from mkls.runner.report import Report, Run
from mkls.runner.requests import file_request
from mkls.runner.settings import WorkerSettings
from tests.support.pytorch import package_folder

Execute = Callable[..., Report]


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    with Runner(WorkerSettings(memory_limit_bytes=4 << 30)) as made:
        yield made


@pytest.fixture
def execute(runner: Runner, tmp_path: Path) -> Execute:
    """Run the kernels of a text; keyword arguments are those of the request."""

    def run(text: str, name: str = "kernels.metal", **options: Any) -> Report:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        installed = package_folder("torch") / "include"
        request = file_request(path, tmp_path, (), installed)
        return runner.submit(replace(request, **options)).result(timeout=120)

    return run


def only(report: Report) -> Run:
    """Return the one run of a report."""
    (run,) = report.runs
    return run


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs a Mac's GPU, unless it is asked for by `-m`."""
    if "mps" in config.option.markexpr:
        return
    left_out = [it for it in items if it.get_closest_marker("mps")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [it for it in items if it not in left_out]
