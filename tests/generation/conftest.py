"""A warm runner for the kernels that are written."""

from collections.abc import Iterator

import pytest

from mkls.runner.client import Runner
from mkls.runner.settings import WorkerSettings


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    with Runner(WorkerSettings(memory_limit_bytes=4 << 30)) as made:
        yield made
