"""Inputs for an operator: torch's own samples where it has them, and layouts that it lacks."""

import sys
import types
import unittest
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import torch

from mkls.runner.matrix import promoted_pairs
from mkls.runner.operands import Operand
from mkls.runner.scalar_types import ScalarType
from mkls.runner.tensors import make_inputs, seed

_ROW, _TABLE, _BLOCK = (1027,), (20, 31), (3, 5, 7)
_MOST_SAMPLES = 12


@dataclass(frozen=True)
class Sample:
    """Inputs under a name."""

    layout: str
    inputs: tuple[torch.Tensor, ...]

    @property
    def label(self) -> str:
        """The sample in words: `broadcast float32 [40, 25] × [25]`."""
        dtypes = dict.fromkeys(str(it.dtype).removeprefix("torch.") for it in self.inputs)
        shapes = dict.fromkeys(str(list(it.shape)) for it in self.inputs)
        return f"{self.layout} {'+'.join(dtypes)} {' × '.join(shapes)}"


def samples(
    functor: str, operands: int, dtypes: tuple[ScalarType, ...], extremes: bool = True
) -> Iterator[Sample]:
    """Yield samples in every layout for each of `dtypes`, then mixed ones."""
    for dtype in dtypes:
        yield from _layouts(functor, operands, dtype.torch)
        if extremes and not dtype.is_complex:
            yield _extremes(functor, operands, dtype.torch)
        yield from _torch_samples(functor, operands, dtype.torch)
        if operands > 1:
            yield from _mixed(functor, operands, dtype.torch)


def _layouts(functor: str, operands: int, dtype: str) -> Iterator[Sample]:
    def of(name: str, *recipes: Operand) -> Sample:
        return Sample(name, tuple(make_inputs(functor, recipes)))

    def same(name: str, shape: tuple[int, ...], layout: str = "dense") -> Sample:
        return of(name, *(Operand(dtype, shape, layout) for _ in range(operands)))

    rest = operands - 1
    yield same("dense", _ROW)
    yield same("dense", (1,))
    yield same("no dimensions", ())
    yield same("empty", (0, 3))
    yield same("offset", _BLOCK, "offset")
    yield same("step 2", _ROW, "step 2")
    yield same("transposed", _TABLE, "transposed")
    yield same("expanded", _TABLE, "expanded")
    if rest:
        first = Operand(dtype, _TABLE, "transposed")
        yield of("transposed, dense", first, *(Operand(dtype, _TABLE) for _ in range(rest)))
        yield of(
            "broadcast", Operand(dtype, (40, 25)), *(Operand(dtype, (25,)) for _ in range(rest))
        )
        yield of(
            "broadcast left",
            *(Operand(dtype, (25,)) for _ in range(rest)),
            Operand(dtype, (40, 25)),
        )
        yield of(
            "column", Operand(dtype, (20, 1)), *(Operand(dtype, (20, 31)) for _ in range(rest))
        )
        yield of("scalar", Operand(dtype, _ROW), *(Operand(dtype, ()) for _ in range(rest)))
        yield of("scalar left", *(Operand(dtype, ()) for _ in range(rest)), Operand(dtype, _ROW))


def _extremes(functor: str, operands: int, dtype: str) -> Sample:
    size = {1: 16, 2: 256, 3: 1024}[operands]
    recipe = Operand(dtype, (size,), "dense", "special")
    return Sample("extremes", tuple(make_inputs(functor, (recipe,) * operands)))


def _mixed(functor: str, operands: int, dtype: str) -> Iterator[Sample]:
    for first, second in promoted_pairs(dtype):
        dtypes = (first, second, first)[:operands]
        for layout, shape in (("dense", _ROW), ("step 2", _ROW)):
            recipes = tuple(Operand(it, shape, layout) for it in dtypes)
            yield Sample(f"mixed, {layout}", tuple(make_inputs(functor, recipes)))


def _torch_samples(functor: str, operands: int, dtype: str) -> Iterator[Sample]:
    """Yield OpInfo's samples whose arguments are tensors alone."""
    for info in operator_infos(functor):
        try:
            seed(0)
            found = list(info.sample_inputs("cpu", getattr(torch, dtype)))
        except (RuntimeError, TypeError, NotImplementedError, AssertionError):
            continue
        for sample in found[:_MOST_SAMPLES]:
            tensors = (sample.input, *sample.args)
            if len(tensors) == operands and all(isinstance(it, torch.Tensor) for it in tensors):
                yield Sample("torch's sample", tensors)


def operator_infos(name: str) -> list[Any]:
    """Return torch's descriptions of operator `name`, none where they cannot be imported."""
    # OpInfo's modules import `expecttest` for a base class alone, which samples do not need.
    if "expecttest" not in sys.modules:
        stand_in = types.ModuleType("expecttest")
        stand_in.__dict__["TestCase"] = unittest.TestCase
        sys.modules["expecttest"] = stand_in
    try:
        from torch.testing._internal.common_methods_invocations import op_db
    except Exception:
        return []
    wanted = (name, f"special.{name}", f"nn.functional.{name}")
    return [it for it in cast("list[Any]", op_db) if it.name in wanted and not it.variant_test_name]
