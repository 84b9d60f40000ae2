"""Describe what a kernel wrote, when nothing says what it should have written."""

import torch

from mkls.runner.report import Output

_SHOWN = 6


def summary(name: str, tensor: torch.Tensor) -> Output:
    """Return dtype, shape, first values and range of `tensor`."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    flat = tensor.reshape(-1)
    first = ", ".join(_shown(it) for it in flat[:_SHOWN])
    more = ", …" if flat.numel() > _SHOWN else ""
    return Output(name, f"{dtype} {list(tensor.shape)} = [{first}{more}]{_range(flat)}")


def _shown(value: torch.Tensor) -> str:
    item = value.to(torch.complex64).item() if value.dtype.is_complex else value.item()
    return f"{item:.5g}" if isinstance(item, float) else str(item)


def _range(flat: torch.Tensor) -> str:
    if flat.dtype.is_complex or flat.dtype == torch.bool or not flat.numel():
        return ""
    wide = flat.double()
    finite = wide[torch.isfinite(wide)]
    odd = flat.numel() - finite.numel()
    text = (
        f", from {float(finite.min()):.5g} to {float(finite.max()):.5g}" if finite.numel() else ""
    )
    return f"{text}, {odd} not finite" if odd else text
