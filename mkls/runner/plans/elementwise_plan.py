"""Kernels in the style of PyTorch 2.6: one thread an element, named `OP_TYPE` or `OP_IN_OUT`.

They take their tensors first and sometimes a table of byte offsets (`constant uint3 * offsets`,
`generateKernelDataOffsets` in 2.6's OperationUtils.mm).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch

from mkls.runner.argument_types import memory_of
from mkls.runner.backends.protocol import Bound
from mkls.runner.comparison import compare
from mkls.runner.host_names import ELEMENTWISE_NAME
from mkls.runner.operands import Case, Operand
from mkls.runner.plans.family_plan import COVERED_FINDINGS
from mkls.runner.plans.model import Judgement, PlannedCase, Prepared
from mkls.runner.reference_names import reference_name
from mkls.runner.references import expected, reference_function
from mkls.runner.request import Argument, KernelSpec
from mkls.runner.scalar_types import metal_type
from mkls.runner.tensors import make_inputs, make_output

_OFFSETS = re.compile(r"offsets?\Z")
_OF_COMPLEX = {"complex_mul"}
_TO_COMPLEX = {"polar", "complex_kernel"}
_TO_COMPLEX_OF = {"float32": "complex64", "float16": "complex32"}


@dataclass(frozen=True)
class ElementwisePlan:
    """One kernel, its functor and dtypes (torch's names)."""

    spec: KernelSpec
    functor: str
    input: str
    output: str

    def cases(self) -> list[PlannedCase]:
        """Return a dense case, a strided one where offsets are passed, and the extremes."""
        return [
            PlannedCase(it.label, it.layout, self.input, partial(self._prepare, it))
            for it in self._cases()
        ]

    def fits(self, function: Callable[..., torch.Tensor]) -> bool:
        """Whether `function` takes as many tensors as the kernel has inputs."""
        operands = self._case("dense", (3,), "random").inputs
        if not operands:
            return False
        inputs = make_inputs(self.functor, operands)
        result = expected(self.functor, function, inputs, (), inputs[0].dtype)
        wanted = result.precise if result.precise is not None else result.native
        return wanted is not None and wanted.shape == inputs[0].shape

    def _cases(self) -> list[Case]:
        shapes = [("dense", (1027,))]
        if self._offsets is not None:
            shapes += [("transposed", (20, 31)), ("step 2", (129,))]
        cases = [self._case(layout, shape, "random") for layout, shape in shapes]
        if "complex" not in self.input:
            size = 16 ** min(len(self._inputs), 2)
            cases.append(self._case("dense", (size,), "special"))
        return cases

    def _case(self, layout: str, shape: tuple[int, ...], values: str) -> Case:
        operand = Operand(self.input, shape, layout, values)
        name = "extremes" if values == "special" else layout
        return Case(name, (operand,) * len(self._inputs), Operand(self.output, shape))

    @property
    def _buffers(self) -> list[Argument]:
        return [it for it in self.spec.arguments if it.kind == "buffer"]

    @property
    def _offsets(self) -> Argument | None:
        return next((it for it in self._buffers if _OFFSETS.search(it.name)), None)

    @property
    def _inputs(self) -> list[Argument]:
        return [it for it in self._buffers if it.access == "read" and it != self._offsets]

    def _prepare(self, case: Case) -> Prepared:
        inputs = make_inputs(self.functor, case.inputs)
        output = make_output(case.output)
        bound: list[Bound] = [None] * len(self._buffers)
        tensors = iter(inputs)
        for argument in self._buffers:
            assert argument.index is not None
            if argument == self._offsets:
                bound[argument.index] = _offset_table(output, inputs)
            else:
                bound[argument.index] = next(tensors) if argument.access == "read" else output
        judge = partial(self._judge, inputs, output)
        return Prepared(bound, (output.numel(),), None, judge, COVERED_FINDINGS)

    def _judge(self, inputs: list[torch.Tensor], output: torch.Tensor) -> Judgement:
        function = reference_function(self.functor)
        assert function is not None
        wanted = expected(self.functor, function, inputs, (), output.dtype)
        if not wanted.exists:
            return Judgement(message=f"ran; torch's CPU operator does not take {self.input}")
        return Judgement((compare("output", output, wanted),))


def elementwise_plan(spec: KernelSpec) -> ElementwisePlan | None:
    """Return the plan of a kernel that works element by element, by its name and parameters."""
    match = ELEMENTWISE_NAME.match(spec.host_name)
    if match is None or reference_name(match["functor"]) is None:
        return None
    buffers = [it for it in spec.arguments if it.kind == "buffer"]
    written = [it for it in buffers if it.access in ("write", "read_write")]
    pointers = all(memory_of(it).is_pointer for it in buffers)
    numbered = sorted(it.index for it in buffers if it.index is not None)
    if len(written) != 1 or not pointers or numbered != list(range(len(buffers))):
        return None
    functor = match["functor"]
    first = metal_type(match["first"])
    last = metal_type(match["last"] or match["first"])
    assert first is not None
    assert last is not None
    source, target = first.torch, last.torch
    if functor in _OF_COMPLEX:
        source = target = _TO_COMPLEX_OF.get(source, source)
    elif functor in _TO_COMPLEX:
        target = _TO_COMPLEX_OF.get(source, source)
    elif spec.function == "copysign_integral":
        target = "float32"
    plan = ElementwisePlan(spec, functor, source, target)
    function = reference_function(functor)
    return plan if function is not None and plan.fits(function) else None


def _offset_table(output: torch.Tensor, inputs: list[torch.Tensor]) -> torch.Tensor:
    """Return the byte offsets of every element: output, inputs; four numbers a row."""
    count = output.numel()
    table = torch.zeros(count, 4, dtype=torch.int32)
    for column, tensor in enumerate((output, *inputs)):
        places = torch.zeros(output.shape, dtype=torch.int64)
        for axis, (size, step) in enumerate(zip(tensor.shape, tensor.stride(), strict=True)):
            line = torch.arange(size) * step * tensor.element_size()
            places += line.view([-1 if it == axis else 1 for it in range(output.dim())])
        table[:, column] = places.reshape(-1).int()
    return table
