"""Recipes of tensors: what a case gives to a kernel, before any tensor exists."""

from dataclasses import dataclass

LAYOUTS = ("dense", "transposed", "offset", "step 2", "expanded", "scalar")
"""How a tensor lies in its storage; `offset` starts 5 elements in, `scalar` has no dimension."""


@dataclass(frozen=True)
class Operand:
    """A tensor to make: `dtype` is torch's name, `shape` the view's, `values` random or special."""

    dtype: str
    shape: tuple[int, ...]
    layout: str = "dense"
    values: str = "random"


@dataclass(frozen=True)
class Case:
    """What one run gives to a kernel of a family; `layout` names what the case is about."""

    layout: str
    inputs: tuple[Operand, ...]
    output: Operand

    @property
    def label(self) -> str:
        """The case in words: `dense float32 [1027]`, `transposed float16+int32 [20, 31]`."""
        dtypes = list(dict.fromkeys(it.dtype for it in self.inputs))
        text = f"{self.layout} {'+'.join(dtypes)} {list(self.output.shape)}"
        cast = self.output.dtype not in dtypes
        return f"{text} → {self.output.dtype}" if cast else text
