"""Kernels on a Mac's GPU, through `torch.mps.compile_shader`."""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import torch

from mkls.runner.backends.protocol import Bound, CompilationError, Launched, Unit
from mkls.runner.compiler_messages import problems_of
from mkls.runner.embedding import Embedded, embed
from mkls.runner.request import KernelSpec
from mkls.runner.validation_layer import findings_of


class MpsBackend:
    """Compiles kernels for the GPU.

    A checked run reads what Metal's validation layers say; the client starts its worker with them
    switched on, since Metal looks at the environment when the device is made.
    """

    name = "mps"
    checks_by_default = False

    def open(self, unit: Unit, checked: bool, deadline_seconds: float) -> "MpsProgram":
        """Embed the headers of `unit`; the client's watch over the worker is the deadline."""
        del deadline_seconds
        return MpsProgram(unit, checked)


class MpsProgram:
    """The kernels of one unit."""

    specs: tuple[KernelSpec, ...] = ()

    def __init__(self, unit: Unit, checked: bool) -> None:
        """Embed; compile nothing yet."""
        self._checked = checked
        self._embedded = embedded_unit(unit)
        self._library: Any = None

    def compile(self, names: Sequence[str]) -> None:
        """Compile the whole unit: Metal makes the pipeline of a kernel when it is first used."""
        del names
        self._library = compiled(self._embedded)

    def launch(
        self,
        name: str,
        bound: Sequence[Bound],
        threads: Sequence[int],
        group_size: Sequence[int] | None,
    ) -> Launched:
        """Run kernel `name` on copies of the tensors' storages, and copy them back."""
        moved = _Moved()
        arguments = [moved.argument(it) for it in bound]
        kernel = getattr(self._library, name)
        origins = dict(enumerate(self._embedded.origins, 1))
        before = time.perf_counter()
        try:
            with StandardError(self._checked) as written:
                kernel(*arguments, threads=list(threads), group_size=group_size)
                torch.mps.synchronize()
        except RuntimeError as error:
            return Launched("crashed", 0.0, (), str(error).splitlines()[0])
        milliseconds = (time.perf_counter() - before) * 1000
        moved.copy_back()
        return Launched("completed", milliseconds, findings_of(written.text, origins))


def embedded_unit(unit: Unit) -> Embedded:
    """Return the text of `unit` with its headers embedded, in the order of its folders."""
    return embed(unit.path, unit.source, unit.include_dirs, reader(unit.files))


def reader(files: dict[str, str]) -> Callable[[str], str | None]:
    """Return a function that reads `files`, then the disk."""

    def read(path: str) -> str | None:
        if path in files:
            return files[path]
        try:
            return Path(path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None

    return read


def compiled(embedded: Embedded) -> Any:
    """Return torch's library for `embedded`. Raises CompilationError."""
    try:
        return cast("Any", torch.mps.compile_shader(embedded.text))
    except (SyntaxError, RuntimeError) as error:
        raise CompilationError(problems_of(str(error), embedded)) from None


class _Moved:
    """CPU storages and their copies on the device; views of one storage share one copy."""

    def __init__(self) -> None:
        self._copies: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def argument(self, value: Bound) -> Any:
        if value is None:
            return None
        if isinstance(value, bytes):
            return torch.frombuffer(bytearray(value), dtype=torch.uint8).to("mps")
        tensor: torch.Tensor = value
        storage = tensor.untyped_storage()
        key = storage.data_ptr()
        if key not in self._copies:
            count = storage.nbytes() // tensor.element_size()
            whole = torch.empty(0, dtype=tensor.dtype).set_(storage, 0, (count,), (1,))  # pyright: ignore
            self._copies[key] = (whole, whole.to("mps"))
        copy = self._copies[key][1]
        return copy.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())

    def copy_back(self) -> None:
        for whole, copy in self._copies.values():
            whole.copy_(copy.cpu())


class StandardError:
    """What is written to standard error meanwhile, by Metal's validation above all."""

    def __init__(self, wanted: bool = True) -> None:
        """Listen when `wanted`."""
        self._wanted = wanted
        self.text = ""

    def __enter__(self) -> "StandardError":
        """Start to listen."""
        if self._wanted:
            sys.stderr.flush()
            self._kept = os.dup(2)
            self._file = tempfile.TemporaryFile()
            os.dup2(self._file.fileno(), 2)
        return self

    def __exit__(self, *_exception: object) -> None:
        """Stop, keep the text, and pass it on."""
        if not self._wanted:
            return
        os.dup2(self._kept, 2)
        os.close(self._kept)
        self._file.seek(0)
        data = self._file.read()
        self._file.close()
        self.text = data.decode(errors="replace")
        os.write(2, data)
