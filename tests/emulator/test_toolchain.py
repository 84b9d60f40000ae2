"""Which compiler builds the kernels."""

from pathlib import Path

import pytest

from mkls.emulator.settings import EmulatorSettings
from mkls.emulator.toolchain import ToolchainError, find_toolchain


def script(folder: Path, text: str) -> str:
    path = folder / "compiler"
    path.write_text(f"#!/bin/sh\necho '{text}'\n")
    path.chmod(0o755)
    return str(path)


def test_the_bundled_compiler_is_a_clang() -> None:
    toolchain = find_toolchain()
    assert "clang version" in toolchain.version
    assert "ziglang" in toolchain.description


def test_a_setting_wins_over_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = script(tmp_path, "Debian clang version 19.1.0")
    monkeypatch.setenv("MKLS_CXX", "not-there")
    assert find_toolchain(EmulatorSettings(compiler=named)).kernel == (named,)


def test_the_variable_names_a_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = script(tmp_path, "clang version 18.0.0")
    monkeypatch.setenv("MKLS_CXX", f"{named} --driver-mode=g++")
    assert find_toolchain().kernel == (named, "--driver-mode=g++")


@pytest.mark.parametrize(
    ("text", "message"),
    [("clang version 14.0.6", "too old"), ("g++ (Debian) 12.2", "no clang")],
)
def test_an_unfit_compiler_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ToolchainError, match=message) as raised:
        find_toolchain(EmulatorSettings(compiler=script(tmp_path, text)))
    assert "pip install ziglang" in str(raised.value)


def test_a_missing_compiler_is_named() -> None:
    with pytest.raises(ToolchainError, match="no-such-clang"):
        find_toolchain(EmulatorSettings(compiler="no-such-clang"))
