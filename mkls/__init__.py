"""mkls: a language server for PyTorch's Metal kernels and the code that launches them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkls.shaders import compile_shader

__all__ = ["__version__", "compile_shader"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    # The command line and the server import this package too, and must not wait for a runner.
    if name == "compile_shader":
        from mkls.shaders import compile_shader  # noqa: PLC0415

        return compile_shader
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
