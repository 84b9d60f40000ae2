"""One cache for all emulator tests of a session, so that the shim is precompiled once."""

from pathlib import Path

import pytest

from mkls.emulator.settings import EmulatorSettings
from tests.emulator.kernels import Compile, compiler_of


@pytest.fixture(scope="session")
def emulator_settings(tmp_path_factory: pytest.TempPathFactory) -> EmulatorSettings:
    """Settings with a cache that starts empty."""
    return EmulatorSettings(cache_directory=str(tmp_path_factory.mktemp("emulator")))


@pytest.fixture(scope="session")
def compile_(emulator_settings: EmulatorSettings, torch_include: Path) -> Compile:
    """Compiles Metal text, with torch's headers at hand."""
    return compiler_of(emulator_settings, torch_include)
