"""Which kernel `exec_*` asks for, given the tensors (`ATen/native/mps/OperationUtils.mm`)."""

from collections.abc import Sequence
from typing import Protocol

from mkls.runner.families import Family
from mkls.runner.launches import Strided
from mkls.runner.scalar_types import ScalarType, torch_type

_ILP_ELEMENTS = 1 << 18
"""From here on, four elements a thread pay (`ILP_DISPATCH_THRESHOLD`)."""


class Tensor(Strided, Protocol):
    """What the choice depends on."""

    def is_contiguous(self) -> bool:
        """Whether the elements lie in order, without gaps."""
        ...


def variants(
    functor: str,
    output: Tensor,
    inputs: Sequence[Tensor],
    alpha: str = "",
    common: ScalarType | None = None,
) -> tuple[Family, ...]:
    """Return what the host would ask for, the fallbacks behind; nothing for an empty tensor.

    `common` is the dtype to which the inputs promote: kernels that cast are named after the
    output's dtype, but comparisons, whose output is `bool`, after the common one.
    """
    kind = {1: "unary", 2: "binary", 3: "ternary"}[len(inputs)]
    if 0 in output.shape:
        return ()
    types = [_type(it) for it in inputs]
    stored = _type(output)
    if kind == "unary":
        return _unary(functor, output, inputs[0], types[0], stored, alpha)
    cast = any(it != types[0] for it in types)
    computing = common if common and stored.is_bool else stored
    if kind == "binary" and (special := _broadcast(output, inputs)):
        flavor, full = special
        named = computing if cast else types[full]
    else:
        flavor = "dense" if _all_dense((output, *inputs)) else "strided"
        named = computing if cast else types[0]
    if cast:
        flavor += "_cast"
    keyed_by_output = cast and kind == "ternary"
    return (Family(functor, kind, flavor, named, None if keyed_by_output else stored, alpha),)


def _unary(
    functor: str,
    output: Tensor,
    source: Tensor,
    input_type: ScalarType,
    stored: ScalarType,
    alpha: str,
) -> tuple[Family, ...]:
    dense = _all_dense((output, source))
    if alpha:
        flavor = "dense" if dense else "strided"
        return (Family(functor, "unary", flavor, input_type, stored, alpha),)
    wide = stored.is_floating and _numel(output) >= _ILP_ELEMENTS
    flavor, fallback = "strided", "strided_castout"
    if dense:
        flavor = "dense" if wide else "dense_scalar"
        fallback = "dense_castout_ilp" if wide else "dense_castout"
    return (
        Family(functor, "unary", flavor, input_type, stored),
        Family(functor, "unary", fallback, input_type),
    )


def _broadcast(output: Tensor, inputs: Sequence[Tensor]) -> tuple[str, int] | None:
    """Return the flavor for one small operand, and which operand is the full one."""
    for small, full in ((0, 1), (1, 0)):
        if _numel(inputs[full]) != _numel(output) or _numel(inputs[small]) == _numel(output):
            continue
        dense = inputs[full].is_contiguous() and output.is_contiguous()
        if not dense or not _is_suffix(inputs[small], output):
            continue
        if _numel(inputs[small]) == 1:
            return ("dense_scalar_lhs" if small == 0 else "dense_scalar"), full
        return ("dense_broadcast_rhs" if small == 0 else "dense_broadcast"), full
    return None


def _is_suffix(small: Tensor, large: Tensor) -> bool:
    """Whether repeating the elements of `small` in order gives `large`'s shape."""
    if not small.is_contiguous() or len(small.shape) > len(large.shape):
        return False
    squeezing = False
    for own, wanted in zip(small.shape[::-1], large.shape[::-1], strict=False):
        if squeezing and own != 1:
            return False
        squeezing = squeezing or own != wanted
        if squeezing and own != 1:
            return False
    return True


def _all_dense(tensors: Sequence[Tensor]) -> bool:
    """Whether all lie densely in their storages, in the same order of dimensions."""
    first = tensors[0]
    shapes = {tuple(it.shape) for it in tensors}
    if len(shapes) > 1:
        return False
    strides = {
        tuple(step for step, size in zip(it.stride(), it.shape, strict=True) if size > 1)
        for it in tensors
    }
    return len(strides) == 1 and _extent(first) == _numel(first)


def _extent(tensor: Tensor) -> int:
    return 1 + sum((n - 1) * step for n, step in zip(tensor.shape, tensor.stride(), strict=True))


def _numel(tensor: Tensor) -> int:
    count = 1
    for size in tensor.shape:
        count *= size
    return count


def _type(tensor: Tensor) -> ScalarType:
    known = torch_type(str(tensor.dtype).removeprefix("torch."))
    if known is None:
        raise ValueError(f"{tensor.dtype} has no kernels on MPS")
    return known
