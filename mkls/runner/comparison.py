"""Compare what a kernel wrote with what was expected (worker side)."""

import math
from dataclasses import dataclass

import torch
from torch.testing._comparison import default_tolerances

from mkls.runner.references import Expected
from mkls.runner.report import Mismatch


@dataclass(frozen=True)
class Verdict:
    """The result of one comparison; errors are over finite elements, None where there are none."""

    max_abs_error: float | None
    max_ulp: int | None
    mismatch: Mismatch | None


def tolerances(dtype: torch.dtype) -> tuple[float, float]:
    """Return torch's own `(rtol, atol)` for results of `dtype`."""
    return default_tolerances(dtype)


def compare(
    argument: str,
    got: torch.Tensor,
    expected: Expected,
    rtol: float | None = None,
    atol: float | None = None,
) -> Verdict:
    """Compare elementwise; NaN equals NaN. A tolerance that is None is torch's for the dtype."""
    references = [it for it in (expected.precise, expected.native) if it is not None]
    references = [_comparable(it.expand_as(got)) for it in references]
    working = _least_precise(got.dtype, expected.computed)
    default_rtol, default_atol = tolerances(working)
    rtol = default_rtol if rtol is None else rtol
    atol = default_atol if atol is None else atol
    actual = _comparable(got)
    good = torch.zeros(actual.shape, dtype=torch.bool)
    references = [it.to(torch.promote_types(it.dtype, actual.dtype)) for it in references]
    actual = actual.to(references[0].dtype)
    for reference in references:
        good |= torch.isclose(actual, reference, rtol=rtol, atol=atol, equal_nan=True)
    best = references[0]
    return Verdict(
        _max_abs_error(actual, best),
        _max_ulp(got.to(working), best),
        _mismatch(argument, got, best, good),
    )


def _least_precise(stored: torch.dtype, computed: torch.dtype | None) -> torch.dtype:
    """Return the dtype whose precision a result has that is `computed` in one and `stored`."""
    if computed is None or not (stored.is_floating_point and computed.is_floating_point):
        return stored
    return max(stored, computed, key=tolerances)


def _comparable(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.dtype == torch.bool:
        return tensor
    if tensor.dtype.is_complex:
        return tensor.to(torch.complex128)
    return tensor.double() if tensor.dtype.is_floating_point else _integers(tensor)


def _integers(tensor: torch.Tensor) -> torch.Tensor:
    # `uint64` wraps into `int64`: equality is all that integers are compared for.
    return tensor.view(torch.int64) if tensor.dtype == torch.uint64 else tensor.long()


def _max_abs_error(actual: torch.Tensor, reference: torch.Tensor) -> float | None:
    if actual.dtype == torch.bool:
        return float((actual != reference).any())
    difference = (actual - reference).abs().double()
    finite = difference[torch.isfinite(difference)]
    return float(finite.max()) if finite.numel() else None


def _max_ulp(got: torch.Tensor, reference: torch.Tensor) -> int | None:
    if not got.dtype.is_floating_point:
        return None
    integer = {2: torch.int16, 4: torch.int32, 8: torch.int64}.get(got.element_size())
    if integer is None:
        return None
    rounded = reference.to(got.dtype)
    finite = torch.isfinite(got) & torch.isfinite(rounded)
    if not bool(finite.any()):
        return None
    steps = _steps(got[finite], integer) - _steps(rounded[finite], integer)
    return int(steps.abs().max())


def _steps(values: torch.Tensor, integer: torch.dtype) -> torch.Tensor:
    """Return how many values of the dtype lie between 0 and each value, with its sign."""
    bits = values.contiguous().view(integer).long()
    low = torch.iinfo(integer).min
    return torch.where(bits < 0, low - bits, bits)


def _mismatch(
    argument: str, got: torch.Tensor, reference: torch.Tensor, good: torch.Tensor
) -> Mismatch | None:
    if bool(good.all()):
        return None
    flat = int((~good).reshape(-1).nonzero()[0])
    index = tuple(int(it) for it in torch.unravel_index(torch.tensor(flat), got.shape))
    return Mismatch(
        argument=argument,
        index=index,
        expected=_shown(reference[index], got.dtype),
        got=_shown(got[index], got.dtype),
        count=int((~good).sum()),
        total=good.numel(),
    )


def _shown(value: torch.Tensor, dtype: torch.dtype) -> str:
    item = value.to(torch.complex64).item() if value.dtype.is_complex else value.item()
    if isinstance(item, complex):
        return f"{_digits(item.real)}{'' if item.imag < 0 else '+'}{_digits(item.imag)}i"
    if isinstance(item, bool):
        return str(item).lower()
    if isinstance(item, float) and dtype.is_floating_point:
        return _digits(item)
    return str(item)


def _digits(value: float) -> str:
    if math.isnan(value) or math.isinf(value):
        return str(value)
    return f"{value:.7g}"
