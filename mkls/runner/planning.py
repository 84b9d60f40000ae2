"""Decide how each kernel is run (worker side)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import torch

from mkls.runner.directed import launch_for
from mkls.runner.evaluation import evaluate
from mkls.runner.expressions import ExpressionError, parse_expectation, parse_expression
from mkls.runner.families import Family, family_of
from mkls.runner.plans.elementwise_plan import elementwise_plan
from mkls.runner.plans.family_plan import FamilyPlan, usual_names
from mkls.runner.plans.hand_plan import HandPlan
from mkls.runner.plans.model import Plan
from mkls.runner.references import reference_function
from mkls.runner.request import KernelSpec, Launch, RequestRefusedError, RunRequest


@dataclass(frozen=True)
class Unrunnable:
    """A kernel that cannot be run as things are; the message says what its author can do."""

    spec: KernelSpec
    message: str


def plan_for(spec: KernelSpec, request: RunRequest) -> Plan | Unrunnable:
    """Return the plan of `spec`: directives first, then its family, its style, a guess.

    Raises:
        RequestRefusedError: What its author says does not fit the kernel.
    """
    launch = launch_for(spec, request)
    try:
        _check_names(spec, launch)
        return _plan(spec, launch)
    except ExpressionError as error:
        raise RequestRefusedError(f"`{spec.host_name}`: {error.message}") from error


def _check_names(spec: KernelSpec, launch: Launch) -> None:
    """See to it that claims name arguments of the kernel, before it runs."""
    known = [it.name for it in spec.arguments if it.kind == "buffer"]
    family = family_of(spec)
    others = usual_names(family) if family else ()
    for text in launch.expectations:
        for name in parse_expectation(text).expression.variables:
            if name not in known and name not in others:
                listed = ", ".join(f"`{it}`" for it in known)
                raise ExpressionError(f"`{name}` in `{text}` is no argument; it has {listed}")


def _plan(spec: KernelSpec, launch: Launch) -> Plan | Unrunnable:
    family = family_of(spec)
    arguments = {it[0]: it[1] for it in launch.arguments}
    if family is not None and arguments.keys() <= {"alpha"}:
        return _family_plan(spec, family, launch)
    unsupported = [it for it in spec.arguments if it.kind in ("texture", "sampler")]
    if unsupported:
        return Unrunnable(
            spec, f"`{unsupported[0].name}` is a {unsupported[0].kind}: torch binds none"
        )
    directed = launch.arguments or launch.threads or launch.expectations or launch.reference
    if not directed:
        elementwise = elementwise_plan(spec)
        if elementwise is not None:
            return elementwise
    return HandPlan(
        spec,
        arguments,
        launch.threads,
        launch.group_size,
        launch.expectations,
        launch.reference,
    )


def _family_plan(spec: KernelSpec, family: Family, launch: Launch) -> FamilyPlan:
    return FamilyPlan(
        spec,
        family,
        _reference(launch.reference),
        _parameters({it[0]: it[1] for it in launch.arguments}),
        launch.expectations,
    )


def _reference(name: str | None) -> Callable[..., torch.Tensor] | None:
    if name is None:
        return None
    function = reference_function(name.removeprefix("torch."))
    if function is None:
        raise ExpressionError(f"this torch has no `{name}`")
    return function


def _parameters(arguments: dict[str, str]) -> tuple[float, ...] | None:
    """Return the members of the extra argument, which directives call `alpha`."""
    if "alpha" not in arguments:
        return None
    value = evaluate(parse_expression(arguments["alpha"]), {})
    return tuple(cast("Sequence[float]", value)) if isinstance(value, Sequence) else (value,)
