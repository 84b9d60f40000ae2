"""Metal text for tests, compiled once per text and mode."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from mkls.emulator.library import Library, compile_source
from mkls.emulator.settings import EmulatorSettings

Compile = Callable[..., Library]
PRELUDE = "#include <metal_stdlib>\nusing namespace metal;\n"


def compiler_of(settings: EmulatorSettings, torch_include: Path) -> Compile:
    """A function that compiles source text; equal calls share one library."""

    @cache
    def compile_(
        source: str, *, prelude: bool = True, kernels: tuple[str, ...] | None = None, **options: Any
    ) -> Library:
        text = PRELUDE + source if prelude else source
        return compile_source(
            text, include_dirs=[torch_include], settings=settings, kernels=kernels, **options
        )

    return compile_
