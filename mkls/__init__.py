"""mkls: a language server for PyTorch's Metal kernels and the code that launches them."""

__version__ = "0.1.0"
