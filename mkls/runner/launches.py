"""What `exec_*` binds and launches for each family, told of tensors by shape and strides alone.

Buffer tables: `c10/metal/indexing.h`; launches: `ATen/native/mps/OperationUtils.mm` and `.h`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mkls.runner.families import Family
from mkls.runner.scalar_types import torch_type

_ILP = 4


class Strided(Protocol):
    """What a launch wants to know of a tensor."""

    @property
    def shape(self) -> Sequence[int]:
        """Its sizes, the outermost first."""
        ...

    @property
    def dtype(self) -> object:
        """Its dtype; `str` of it ends in torch's name."""
        ...

    def stride(self) -> Sequence[int]:
        """Its strides, in elements."""
        ...

    def element_size(self) -> int:
        """The bytes of one element."""
        ...


@dataclass(frozen=True)
class Constant:
    """Bytes bound as `constant` memory: `values` as an array of Metal's `type`."""

    type: str
    values: tuple[float, ...]


Binding = Strided | Constant


@dataclass(frozen=True)
class FamilyLaunch:
    """What to bind, by buffer number, and the grid."""

    bindings: tuple[Binding, ...]
    threads: tuple[int, ...]


def launch(
    family: Family, output: Strided, inputs: Sequence[Strided], alpha: Constant | None = None
) -> FamilyLaunch:
    """Return the launch of a kernel of `family`; `output` has the broadcast shape."""
    extra = (alpha,) if alpha else ()
    count = _numel(output.shape)
    if family.kind == "unary":
        return _unary(family, output, inputs[0], extra, count)
    tensors = (output, *inputs)
    if family.is_strided:
        return FamilyLaunch((*tensors, *_strided(family, output, inputs, extra)), (count,))
    constants: tuple[Constant, ...] = extra
    if "broadcast" in family.flavor:
        small = min(_numel(it.shape) for it in inputs)
        constants = (Constant("long", (small,)), *extra)
    if family.is_cast:
        constants = (*constants, *_cast_constants(family, inputs))
    if family.is_ilp:
        return FamilyLaunch((*tensors, Constant("uint", (count,))), (-(-count // _ILP),))
    return FamilyLaunch((*tensors, *constants), (count,))


def _unary(
    family: Family, output: Strided, source: Strided, extra: tuple[Constant, ...], count: int
) -> FamilyLaunch:
    size, code = output.element_size(), _code(output)
    if family.is_strided:
        sizes = tuple(output.shape)[::-1] or (1,)
        last = (len(sizes), code) if family.is_castout else (len(sizes),)
        bindings = (
            output,
            source,
            Constant("long", sizes),
            Constant("long", _byte_strides(source, output.shape)),
            Constant("long", _byte_strides(output, output.shape)),
            Constant("uint", last),
            *extra,
        )
        return FamilyLaunch(bindings, (sizes[0], count // sizes[0] if count else 0))
    if family.flavor == "dense_castout":
        return FamilyLaunch((output, source, Constant("uint", (size, code))), (count,))
    threads = -(-count // _ILP) if family.is_ilp else count
    if family.flavor == "dense_castout_ilp":
        constant = Constant("uint", (size, code, count, 0))
        return FamilyLaunch((output, source, constant), (threads,))
    if family.is_ilp:
        return FamilyLaunch((output, source, Constant("uint", (count,))), (threads,))
    return FamilyLaunch((output, source, *extra), (threads,))


def _strided(
    family: Family, output: Strided, inputs: Sequence[Strided], extra: tuple[Constant, ...]
) -> tuple[Constant, ...]:
    shape = output.shape
    sizes = tuple(shape)[::-1] or (1,)
    strides = [Constant("long", _byte_strides(it, shape)) for it in (output, *inputs)]
    codes = [_code(it) for it in inputs]
    if family.kind == "ternary":
        types = (Constant("uint", (*codes, _code(output))),) if family.is_cast else ()
        return (Constant("long", sizes), *strides, Constant("uint", (len(sizes),)), *types)
    described = Constant("uint", (len(sizes), *codes, _code(output)))
    return (*extra, Constant("long", sizes), *strides, described)


def _cast_constants(family: Family, inputs: Sequence[Strided]) -> tuple[Constant, ...]:
    sizes = tuple(it.element_size() for it in inputs)
    codes = tuple(_code(it) for it in inputs)
    if family.kind == "ternary":
        return Constant("uint", (*sizes, 0)), Constant("uint", (*codes, 0))
    return (Constant("uint", (*sizes, *codes)),)


def _byte_strides(tensor: Strided, shape: Sequence[int]) -> tuple[int, ...]:
    """Return the strides for iterating `shape`, the innermost first, 0 where it is broadcast."""
    own = list(zip(tensor.shape, tensor.stride(), strict=True))[::-1]
    size = tensor.element_size()
    strides = [
        0 if extent == 1 and wanted != 1 else step * size
        for (extent, step), wanted in zip(own, tuple(shape)[::-1], strict=False)
    ]
    strides += [0] * (len(shape) - len(strides))
    return tuple(strides) or (0,)


def _code(tensor: Strided) -> int:
    known = torch_type(str(tensor.dtype).removeprefix("torch."))
    return known.code if known else 0


def _numel(shape: Sequence[int]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count
