"""Make the tensors that recipes describe (worker side)."""

import itertools
import math
from typing import Any

import torch

from mkls.runner.domains import Domain, domain_of
from mkls.runner.operands import Operand

_OFFSET = 5


def dtype_of(name: str) -> torch.dtype:
    """Return the dtype that torch calls `name`."""
    return getattr(torch, name)


def make_inputs(functor: str, operands: tuple[Operand, ...]) -> list[torch.Tensor]:
    """Return tensors for `operands`, the same ones for the same recipe."""
    generator = torch.Generator().manual_seed(0)
    made: list[torch.Tensor] = []
    for position, operand in enumerate(operands):
        dtype = dtype_of(operand.dtype)
        integral = not (dtype.is_floating_point or dtype.is_complex)
        domain = domain_of(functor, position, integral)
        if operand.values == "special" and (domain is None or domain.special):
            values = _special(dtype, operand.shape, position, len(operands))
        else:
            values = _random(dtype, operand.shape, domain, generator)
        made.append(lay_out(values, operand.layout))
    return made


def make_output(operand: Operand) -> torch.Tensor:
    """Return an output full of a value that a kernel is unlikely to write."""
    dtype = dtype_of(operand.dtype)
    fill: Any = 77 if not dtype.is_floating_point else 1234.5
    if dtype == torch.bool:
        fill = False
    values = torch.full(operand.shape, fill, dtype=_workable(dtype)).to(dtype)
    return lay_out(values, operand.layout)


def lay_out(values: torch.Tensor, layout: str) -> torch.Tensor:
    """Return a tensor equal to `values` that lies in its storage as `layout` says."""
    if layout == "transposed" and values.dim() > 1:
        return values.transpose(-1, -2).contiguous().transpose(-1, -2)
    if layout == "offset":
        storage = values.new_zeros(values.numel() + _OFFSET)
        storage[_OFFSET:] = values.reshape(-1)
        return storage[_OFFSET:].view(values.shape)
    if layout == "step 2":
        storage = values.new_zeros((*values.shape[:-1], values.shape[-1] * 2))
        storage[..., ::2] = values
        return storage[..., ::2]
    if layout == "expanded" and values.dim() > 1:
        return values[:1].clone().expand(values.shape)
    return values.contiguous()


def _workable(dtype: torch.dtype) -> torch.dtype:
    """Return a dtype in which torch's CPU can make what `dtype` holds."""
    return torch.complex64 if dtype == torch.complex32 else dtype


def _random(
    dtype: torch.dtype, shape: tuple[int, ...], domain: Domain | None, generator: torch.Generator
) -> torch.Tensor:
    if dtype.is_complex:
        values = torch.randn(shape, dtype=torch.complex64, generator=generator) * 2
        return values.to(dtype)
    if dtype == torch.bool:
        return torch.randint(0, 2, shape, generator=generator).bool()
    if domain is None:
        if dtype.is_floating_point:
            return (torch.randn(shape, generator=generator) * 3).to(dtype)
        low = 0 if not dtype.is_signed else -100
        return torch.randint(low, 101, shape, generator=generator).to(dtype)
    if domain.integers or not dtype.is_floating_point:
        low, high = math.ceil(domain.low), math.floor(domain.high)
        return torch.randint(low, high + 1, shape, generator=generator).to(dtype)
    unit = torch.rand(shape, generator=generator)
    return (domain.low + unit * (domain.high - domain.low)).to(dtype)


def special_values(dtype: torch.dtype) -> list[float]:
    """Return sixteen values at which kernels go wrong: the ends of the range and around zero."""
    if dtype == torch.bool:
        return [0, 1] * 8
    if not dtype.is_floating_point:
        info = torch.iinfo(dtype)
        ends = [
            info.min,
            info.min + 1,
            -1 if info.min else 0,
            0,
            1,
            2,
            3,
            5,
            info.max - 1,
            info.max,
        ]
        return [*ends, 7, 10, 31, 32, 64, 100]
    info = torch.finfo(dtype)
    positive = [0.0, info.smallest_normal / 4, info.smallest_normal, info.eps, 0.5, 1.0, info.max]
    return [*positive, *(-it for it in positive), math.inf, math.nan]


def _special(dtype: torch.dtype, shape: tuple[int, ...], position: int, count: int) -> torch.Tensor:
    """Return operand `position` of all combinations of special values, as many as fit."""
    values = special_values(dtype)
    combinations = itertools.islice(itertools.product(values, repeat=count), math.prod(shape))
    column = [it[position] for it in combinations]
    kind = torch.float64 if dtype.is_floating_point else dtype
    return torch.tensor(column, dtype=kind).to(dtype).reshape(shape)


def broadcast(*tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Return `tensors` expanded to their common shape. RuntimeError when there is none."""
    return tuple(torch.broadcast_tensors(*tensors))  # pyright: ignore


def seed(number: int) -> None:
    """Make what torch's random functions give reproducible."""
    torch.default_generator.manual_seed(number)
