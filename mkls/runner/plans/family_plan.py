"""Kernels of the registration macros against torch's operator of the functor's name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import torch

from mkls.runner.backends.protocol import Bound
from mkls.runner.comparison import compare
from mkls.runner.families import Family
from mkls.runner.launches import Constant, launch
from mkls.runner.matrix import alpha_type, cases_of
from mkls.runner.operands import Case
from mkls.runner.packing import pack_constant
from mkls.runner.plans.claims import Names, check_claim
from mkls.runner.plans.model import CannotPrepareError, Judgement, PlannedCase, Prepared
from mkls.runner.references import expected, reference_function
from mkls.runner.request import Argument, KernelSpec
from mkls.runner.tensors import make_inputs, make_output

COVERED_FINDINGS = frozenset(
    {"integer-overflow", "not-finite", "division-by-zero", "unwritten-output"}
)
"""Findings that our own extreme inputs and layouts provoke; the comparison tells what is wrong."""

Reference = Callable[..., torch.Tensor]


@dataclass(frozen=True)
class FamilyPlan:
    """One registered kernel on the variant matrix.

    `reference` overrides the operator of the functor's name; `parameters` are the values of the
    extra argument, needed where its type is a struct.
    """

    spec: KernelSpec
    family: Family
    reference: Reference | None = None
    parameters: tuple[float, ...] | None = None
    expectations: tuple[str, ...] = ()

    @property
    def functor(self) -> str:
        """The functor's name."""
        return self.family.functor

    def cases(self) -> list[PlannedCase]:
        """Return the variant matrix."""
        return [
            PlannedCase(it.label, it.layout, it.inputs[0].dtype, partial(self.prepare_case, it))
            for it in cases_of(self.family)
        ]

    def prepare_case(self, case: Case) -> Prepared:
        """Make the tensors of `case`."""
        inputs = make_inputs(self.functor, case.inputs)
        output = make_output(case.output)
        return self.prepare(inputs, output)

    def prepare(self, inputs: Sequence[torch.Tensor], output: torch.Tensor) -> Prepared:
        """Bind `inputs` and `output` as the host would."""
        values = self._parameters()
        alpha = self._alpha(values)
        made = launch(self.family, output, inputs, alpha)
        bound: list[Bound] = [
            pack_constant(it) if isinstance(it, Constant) else it for it in made.bindings
        ]
        judge = partial(self._judge, inputs, output, values)
        return Prepared(bound, made.threads, None, judge, COVERED_FINDINGS)

    def _parameters(self) -> tuple[float, ...]:
        if not self.family.alpha:
            return ()
        if self.parameters is not None:
            return self.parameters
        kind = alpha_type(self.family)
        values = _DEFAULT_PARAMETERS.get(self.functor, (2,))
        return values if kind and kind.is_integral else tuple(float(it) for it in values)

    def _alpha(self, values: tuple[float, ...]) -> Constant | None:
        if not self.family.alpha:
            return None
        kind = alpha_type(self.family)
        if kind is not None:
            return Constant(kind.metal, values)
        if self.parameters is None:
            raise CannotPrepareError(
                f"its parameter is a `{self.family.alpha}`: give the members' values with "
                "`// mkls-arg: alpha = (…)`"
            )
        whole = all(isinstance(it, int) for it in values)
        return Constant("int" if whole else "float", values)

    def _judge(
        self, inputs: Sequence[torch.Tensor], output: torch.Tensor, values: tuple[float, ...]
    ) -> Judgement:
        if self.expectations:
            names = self._names(inputs, output)
            claims = [it for text in self.expectations for it in check_claim(text, names)]
            return Judgement(tuple(claims))
        function = self.reference or reference_function(self.functor)
        if function is None:
            return Judgement(message=_no_reference(self.functor))
        wanted = expected(self.functor, function, inputs, values, output.dtype)
        if not wanted.exists:
            names = ", ".join(str(it.dtype).removeprefix("torch.") for it in inputs)
            return Judgement(message=f"ran; torch's CPU operator does not take {names}")
        return Judgement((compare("output", output, wanted),))

    def _names(self, inputs: Sequence[torch.Tensor], output: torch.Tensor) -> Names:
        """Return the tensors under the names that the kernel's own parameters have.

        All are also known by their usual names: one line registers kernels that differ in them.
        """
        tensors = dict(enumerate((output, *inputs)))
        values = {it.name: tensors[it.index] for it in self._buffers if it.index in tensors}
        # Kernels of the flavours `_lhs` and `_rhs` take their inputs the other way round.
        values |= dict.fromkeys(OUTPUT_NAMES, output)
        values |= dict(zip(INPUT_NAMES[len(inputs)], inputs, strict=True))
        written = {it.name for it in self._buffers if it.index == 0} | set(OUTPUT_NAMES)
        return Names.of(values, values, written)

    @property
    def _buffers(self) -> list[Argument]:
        return [it for it in self.spec.arguments if it.kind == "buffer"]


OUTPUT_NAMES = ("output", "out")
"""What the templates of c10/metal/indexing.h call their output."""
INPUT_NAMES = {1: ("input",), 2: ("input", "other"), 3: ("input", "other1", "other2")}
"""What they call their inputs, by number; some have names of their own beside."""


def usual_names(family: Family) -> tuple[str, ...]:
    """Return the names by which claims may call the tensors of `family`, whatever its own are."""
    return (*OUTPUT_NAMES, *INPUT_NAMES[family.operands])


_DEFAULT_PARAMETERS: dict[str, tuple[float, ...]] = {
    "round_decimals": (2,),
    "polygamma": (2,),
    "lerp_alpha": (0.25,),
    "pow_scalar": (3.0,),
}


def _no_reference(functor: str) -> str:
    return (
        f"ran; torch has no operator `{functor}` to compare with: name one with "
        "`// mkls-reference: torch.…`"
    )
