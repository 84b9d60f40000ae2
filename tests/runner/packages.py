"""Kernel packages from PyPI, unpacked, with a Mac's device played by the CPU and the emulator."""

import importlib.util
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from mkls.shaders import compile_shader


def wheel_folder(name: str, version: str) -> Path:
    """Return the unpacked wheel of a package, downloaded without what it depends on."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(base) / "mkls-tests" / f"{name}-{version}"
    if not folder.is_dir():
        fresh = folder.with_name(f"{folder.name}.{os.getpid()}")
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
        subprocess.run(
            [*command, "--quiet", "--dest", str(fresh), f"{name}=={version}"],
            check=True,
            capture_output=True,
            text=True,
        )
        (wheel,) = fresh.glob("*.whl")
        zipfile.ZipFile(wheel).extractall(fresh)
        fresh.rename(folder)
    return folder


def load(path: Path) -> ModuleType:
    """Import one file of a package alone: its neighbours need what is not here (triton)."""
    spec = importlib.util.spec_from_file_location(f"package_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _MacMode(TorchFunctionMode):
    """Takes `mps` for the CPU, and says `mps` when a tensor is asked where it is."""

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if getattr(func, "__self__", None) is torch.Tensor.device:
            return torch.device("mps")
        arguments = tuple("cpu" if _is_mps(it) else it for it in args)
        keywords = {name: "cpu" if _is_mps(it) else it for name, it in (kwargs or {}).items()}
        return func(*arguments, **keywords)


def _is_mps(value: object) -> bool:
    return value == "mps" or (isinstance(value, torch.device) and value.type == "mps")


class Library:
    """Kernels that see tensors as they are."""

    def __init__(self, source: str, check: bool = False) -> None:
        self._library = compile_shader(source, backend="emulator", check=check)

    @property
    def findings(self) -> list[Any]:
        return self._library.findings

    def __getattr__(self, name: str) -> Callable[..., None]:
        kernel = getattr(self._library, name)

        def run(*args: Any, **kwargs: Any) -> None:
            with torch._C.DisableTorchFunction():
                kernel(*args, **kwargs)

        return run


@contextmanager
def mac(monkeypatch: Any) -> Iterator[None]:
    """Let code that was written for a Mac run here: its kernels on the emulator."""
    monkeypatch.setattr(torch.mps, "compile_shader", Library, raising=False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    with _MacMode():
        yield
