"""Run an operator's kernels as its host function would: by the tensors, not by the kernel."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import torch

from mkls.runner.families import Family, family_of, host_name
from mkls.runner.operator_samples import Sample, samples
from mkls.runner.plans.family_plan import FamilyPlan
from mkls.runner.plans.model import PlannedCase
from mkls.runner.reference_names import reference_name
from mkls.runner.references import expected, reference_function
from mkls.runner.request import KernelSpec
from mkls.runner.scalar_types import ScalarType, torch_type
from mkls.runner.tensors import broadcast
from mkls.runner.variants import variants


@dataclass(frozen=True)
class OperatorCase:
    """A sample and the kernel that the host asks for; `plan` is None when there is none."""

    sample: Sample
    asked: str
    plan: FamilyPlan | None
    case: PlannedCase | None


def registered(specs: Sequence[KernelSpec]) -> dict[str, dict[str, tuple[KernelSpec, Family]]]:
    """Return the registered kernels by functor and host name."""
    found: dict[str, dict[str, tuple[KernelSpec, Family]]] = {}
    for spec in specs:
        family = family_of(spec)
        if family is not None:
            found.setdefault(family.functor, {})[spec.host_name] = (spec, family)
    return found


def operator_cases(
    functor: str, kernels: dict[str, tuple[KernelSpec, Family]]
) -> Iterator[OperatorCase]:
    """Yield the samples of `functor`, each with the kernel among `kernels` that it leads to."""
    families = [family for _, family in kernels.values()]
    operands = max(it.operands for it in families)
    alpha = next((it.alpha for it in families if it.alpha), "")
    dtypes = _input_types(families)
    if reference_name(functor) is None:
        return
    for sample in samples(functor, operands, dtypes, extremes=not alpha):
        output = _output(functor, sample, alpha)
        if output is None:
            continue
        kind = _alpha_for(alpha, families, sample)
        try:
            asked = variants(functor, output, sample.inputs, kind, _common(sample))
        except ValueError:  # a dtype that MPS does not have
            continue
        yield _case(kernels, sample, output, asked)


def _case(
    kernels: dict[str, tuple[KernelSpec, Family]],
    sample: Sample,
    output: torch.Tensor,
    asked: tuple[Family, ...],
) -> OperatorCase:
    names = [host_name(it) for it in asked]
    for name in names:
        if name in kernels:
            spec, family = kernels[name]
            plan = FamilyPlan(spec, family)
            dtype = str(sample.inputs[0].dtype).removeprefix("torch.")
            prepare = partial(plan.prepare, sample.inputs, output)
            case = PlannedCase(sample.label, sample.layout, dtype, prepare)
            return OperatorCase(sample, name, plan, case)
    return OperatorCase(sample, names[0] if names else "", None, None)


def _common(sample: Sample) -> ScalarType | None:
    if len(sample.inputs) != 2:
        return None
    promoted = torch.result_type(sample.inputs[0], sample.inputs[1])
    return torch_type(str(promoted).removeprefix("torch."))


def _input_types(families: Sequence[Family]) -> tuple[ScalarType, ...]:
    return tuple(dict.fromkeys(it.input for it in families))


def _alpha_for(alpha: str, families: Sequence[Family], sample: Sample) -> str:
    """Return the extra parameter's type among kernels for this sample's dtype."""
    if not alpha:
        return ""
    dtype = str(sample.inputs[0].dtype).removeprefix("torch.")
    return next((it.alpha for it in families if it.input.torch == dtype), alpha)


def _output(functor: str, sample: Sample, alpha: str) -> torch.Tensor | None:
    """Return an output of the shape and dtype that torch's CPU operator gives."""
    function = reference_function(functor)
    if function is None:
        return None
    parameters = (2,) if alpha else ()
    small = [
        it.reshape(-1)[:1].reshape((1,) * it.dim()) if it.numel() else it for it in sample.inputs
    ]
    try:
        result = function(*small, *parameters)
    except (RuntimeError, TypeError, ValueError):
        found = expected(functor, function, small, parameters, sample.inputs[0].dtype)
        if not found.exists:
            return None
        result = found.precise if found.precise is not None else found.native
        assert result is not None
    shape = broadcast(*sample.inputs)[0].shape
    dense = next((it for it in sample.inputs if it.shape == shape), None)
    output = torch.zeros(shape, dtype=result.dtype)
    if dense is not None and not dense.is_contiguous() and len(shape) > 1:
        # TensorIterator gives the output the order of dimensions of its first full input.
        output = torch.empty_like(dense, dtype=result.dtype).zero_()
    return output
