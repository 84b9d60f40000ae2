"""What a kernel should have computed: torch's CPU operator, in higher precision where it can be."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import torch

from mkls.runner.reference_names import reference_name, rounding_mode

_OWN_PRECISION = frozenset({"nextafter", "copysign", "frexp", "ldexp"})
"""Operators that are about the representation itself: they have no higher precision."""


@dataclass(frozen=True)
class Expected:
    """`precise` is the result of a wider dtype, `native` that of the dtype itself.

    An element is right when it agrees with either: the wider one removes the reference's own
    rounding, the other is what users get from torch where both differ (overflow, discontinuities).
    """

    native: torch.Tensor | None
    precise: torch.Tensor | None
    computed: torch.dtype | None = None
    """The dtype of torch's own result: a kernel that casts on store has no more precision."""

    @property
    def exists(self) -> bool:
        """Whether torch could compute anything."""
        return self.native is not None or self.precise is not None


def reference_function(functor: str) -> Callable[..., torch.Tensor] | None:
    """Return a function of the inputs and, for some functors, of the extra parameter."""
    path = reference_name(functor)
    found: Any = torch
    for part in (path or "").split("."):
        found = getattr(found, part, None) if part else None
    if found is None:
        return None
    return _adapted(functor, cast("Callable[..., torch.Tensor]", found))


def _adapted(functor: str, function: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """Bring the kernel's parameters into the order that torch wants."""
    if functor in ("add_alpha", "sub_alpha"):
        return _last_as(function, "alpha", float)
    if functor == "round_decimals":
        return _last_as(function, "decimals", int)
    if functor == "polygamma":
        return _last_first(function)
    if functor == "trigamma":
        return partial(function, 1)
    if mode := rounding_mode(functor):
        return partial(function, rounding_mode=mode)
    return function


def _last_as(
    function: Callable[..., torch.Tensor], keyword: str, kind: type[float]
) -> Callable[..., torch.Tensor]:
    """Pass the kernel's extra parameter by keyword; integers stay integers for integers."""

    def call(*arguments: Any) -> torch.Tensor:
        *tensors, last = arguments
        return function(*tensors, **{keyword: last if isinstance(last, int) else kind(last)})

    return call


def _last_first(function: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    def call(tensor: torch.Tensor, order: float) -> torch.Tensor:
        return function(int(order), tensor)

    return call


def expected(
    functor: str,
    function: Callable[..., torch.Tensor],
    inputs: Sequence[torch.Tensor],
    parameters: Sequence[float],
    dtype: torch.dtype,
) -> Expected:
    """Return what `function` makes of `inputs`, converted to `dtype`."""
    native = _attempt(function, [*inputs, *parameters])
    if native is None and not any(it.dtype.is_floating_point for it in inputs):
        native = _attempt(function, [*(_wider_integer(it) for it in inputs), *parameters])
    precise = None
    if functor not in _OWN_PRECISION and any(_can_widen(it) for it in inputs):
        precise = _attempt(function, [*(_widen(it) for it in inputs), *parameters])
    return Expected(
        None if native is None else native.to(dtype),
        None if precise is None else precise.to(dtype),
        None if native is None else native.dtype,
    )


def _attempt(
    function: Callable[..., torch.Tensor], arguments: Sequence[Any]
) -> torch.Tensor | None:
    try:
        result = function(*arguments)
    except (RuntimeError, TypeError, ValueError, IndexError):  # not for this dtype
        return None
    return result if isinstance(cast("Any", result), torch.Tensor) else None


def _can_widen(tensor: torch.Tensor) -> bool:
    return tensor.dtype.is_floating_point or tensor.dtype.is_complex


def _widen(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.dtype.is_complex:
        return tensor.to(torch.complex128)
    return tensor.double() if tensor.dtype.is_floating_point else tensor


def _wider_integer(tensor: torch.Tensor) -> torch.Tensor:
    """Many CPU operators know neither `uint16` to `uint64` nor small integers."""
    return tensor if tensor.dtype == torch.bool else tensor.long()
