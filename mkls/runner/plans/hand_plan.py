"""Kernels written by hand: run as their directives say, guess the rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import torch

from mkls.runner.argument_types import Memory, memory_of
from mkls.runner.backends.protocol import Bound
from mkls.runner.comparison import Verdict, compare
from mkls.runner.device_errors import BUFFER_BYTES
from mkls.runner.evaluation import evaluate
from mkls.runner.expressions import ExpressionError, parse_expression
from mkls.runner.inference import grid, guess, is_safe, threadgroup
from mkls.runner.plans.binding import binding
from mkls.runner.plans.claims import Names, check_claim
from mkls.runner.plans.model import CannotPrepareError, Judgement, PlannedCase, Prepared
from mkls.runner.plans.outputs import summary
from mkls.runner.references import expected, reference_function
from mkls.runner.request import Argument, KernelSpec, RequestRefusedError
from mkls.runner.tensors import seed

_UNTYPED = (torch.float32, torch.int64, torch.bool)
"""dtypes that an expression has when its author thought of none."""


_OF_GUESSES = frozenset({"unwritten-output", "not-finite", "integer-overflow"})
"""Findings that depend on the values of arguments which nobody gave."""


@dataclass(frozen=True)
class HandPlan:
    """One kernel and what its author says about it, as text."""

    spec: KernelSpec
    arguments: Mapping[str, str] = field(default_factory=dict[str, str])
    threads: str | None = None
    group_size: str | None = None
    expectations: tuple[str, ...] = ()
    reference: str | None = None

    @property
    def functor(self) -> str:
        """Hand-written kernels apply no functor."""
        return ""

    def cases(self) -> list[PlannedCase]:
        """Return the one case that there is."""
        how = "as directed" if self.arguments else "inferred"
        return [PlannedCase(how, how, "", self.prepare)]

    def prepare(self) -> Prepared:
        """Make and bind the arguments."""
        seed(0)
        values = self._values()
        before = {name: _snapshot(it) for name, it in values.items()}
        threads = self._size("threads", self.threads, values) or self._default_threads(values)
        group_size = self._size("group_size", self.group_size, values)
        group_size = group_size or threadgroup(self.spec, threads)
        bound = self._bound(values)
        judge = partial(self._judge, values, before)
        missing = any(it.name not in self.arguments for it in self._buffers)
        guessed = missing and not is_safe(self.spec)
        ignored = _OF_GUESSES if missing else frozenset[str]()
        return Prepared(bound, threads, group_size, judge, ignored, guessed)

    @property
    def _buffers(self) -> list[Argument]:
        return [it for it in self.spec.arguments if it.kind == "buffer"]

    def _values(self) -> dict[str, Any]:
        known = {it.name: it for it in self._buffers}
        for name in self.arguments:
            if name not in known:
                listed = ", ".join(f"`{it}`" for it in known) or "none"
                raise RequestRefusedError(
                    f"`{self.spec.host_name}` has no buffer argument `{name}`; it has {listed}"
                )
        values: dict[str, Any] = {}
        for name, text in self.arguments.items():
            values[name] = self._typed(known[name], _evaluated(name, text, values))
        for argument in self._buffers:
            if argument.name not in values:
                values[argument.name] = self._guessed(argument)
        return values

    def _typed(self, argument: Argument, value: Any) -> Any:
        """Convert a tensor whose dtype nobody chose to the kernel's own element type."""
        memory = memory_of(argument)
        if not isinstance(value, torch.Tensor):
            return value
        if memory.element is None or memory.is_void:
            return value
        wanted = getattr(torch, memory.element.torch)
        if value.dtype == wanted or value.dtype not in _UNTYPED:
            return value
        if value.dtype.is_complex:
            return value
        converted = value.to(wanted)
        if getattr(value, "mkls_undefined", False):
            converted.mkls_undefined = True  # pyright: ignore[reportAttributeAccessIssue]
        return converted

    def _guessed(self, argument: Argument) -> Any:
        memory = memory_of(argument)
        if memory.is_error_buffer:
            return torch.zeros(BUFFER_BYTES, dtype=torch.uint8)
        found = guess(argument, self.spec)
        if found is None:
            raise CannotPrepareError(
                f"`{argument.name}` is `{argument.type}`: give it a value with "
                f"`// mkls-arg: {argument.name} = …`"
            )
        if found.number is not None:
            return found.number
        return _buffer(memory, found.elements, written=argument.access in ("write", "read_write"))

    def _default_threads(self, values: Mapping[str, Any]) -> tuple[int, ...]:
        """Return torch's default: the elements of the first tensor, when its author gave it."""
        shape = grid(self.spec)
        given = [it for it in self._buffers if it.name in self.arguments]
        if len(shape) > 1 or not given:
            return shape
        tensors = [values[it.name] for it in given if isinstance(values[it.name], torch.Tensor)]
        return (max(it.numel() for it in tensors),) if tensors else shape

    @staticmethod
    def _size(name: str, text: str | None, values: Mapping[str, Any]) -> tuple[int, ...] | None:
        if text is None:
            return None
        value = _evaluated(name, text, values)
        sizes = cast("Sequence[Any]", value) if isinstance(value, list | tuple) else (value,)
        if not all(isinstance(it, int) and it >= 0 for it in sizes) or not 1 <= len(sizes) <= 3:
            raise RequestRefusedError(f"`{name}={text}` is not one to three whole numbers")
        return tuple(int(it) for it in sizes)

    def _bound(self, values: Mapping[str, Any]) -> list[Bound]:
        numbers = [it.index for it in self._buffers if it.index is not None]
        bound: list[Bound] = [None] * (max(numbers, default=-1) + 1)
        for argument in self._buffers:
            if argument.index is not None:
                bound[argument.index] = binding(argument, values[argument.name])
        return bound

    def _written(self) -> list[Argument]:
        return [it for it in self._buffers if it.access in ("write", "read_write")]

    def _judge(self, values: Mapping[str, Any], before: Mapping[str, Any]) -> Judgement:
        names = Names.of(values, before, {it.name for it in self._written()})
        verdicts = [it for text in self.expectations for it in check_claim(text, names)]
        if self.reference:
            verdicts.append(self._against_reference(values, before))
        if verdicts:
            return Judgement(tuple(verdicts))
        outputs = tuple(
            summary(it.name, values[it.name])
            for it in self._written()
            if isinstance(values[it.name], torch.Tensor) and not memory_of(it).is_error_buffer
        )
        return Judgement(outputs=outputs, message="ran; nothing says what to expect")

    def _against_reference(self, values: Mapping[str, Any], before: Mapping[str, Any]) -> Verdict:
        name = (self.reference or "").removeprefix("torch.")
        function = reference_function(name)
        written = [it.name for it in self._written()]
        inputs = [before[it.name] for it in self._buffers if it.name not in written]
        tensors = [it for it in inputs if isinstance(it, torch.Tensor)]
        numbers = [it for it in inputs if not isinstance(it, torch.Tensor)]
        if function is None or not written:
            raise ExpressionError(f"`{self.reference}` cannot be compared with this kernel")
        output: torch.Tensor = values[written[0]]
        wanted = expected(name, function, tensors, [], output.dtype)
        if not wanted.exists and numbers:
            wanted = expected(name, function, tensors, numbers, output.dtype)
        if not wanted.exists:
            raise ExpressionError(f"`{self.reference}` does not take this kernel's inputs")
        return compare(written[0], output, wanted)


def _evaluated(name: str, text: str, values: Mapping[str, Any]) -> Any:
    try:
        return evaluate(parse_expression(text), values)
    except ExpressionError as error:
        raise RequestRefusedError(f"`{name} = {text}`: {error.message}") from None


def _snapshot(value: Any) -> Any:
    return value.clone() if isinstance(value, torch.Tensor) else value


def _buffer(memory: Memory, elements: int, written: bool) -> torch.Tensor:
    """Return zeros for an output, random values for an input."""
    kind = memory.element
    dtype = getattr(torch, kind.torch) if kind else torch.float32
    count = elements * memory.lanes
    if written:
        return torch.zeros(count, dtype=dtype)
    if dtype.is_floating_point:
        return torch.randn(count).to(dtype)
    # Small enough to be an index into any of the other buffers.
    return torch.randint(0, 2 if dtype == torch.bool else 32, (count,)).to(dtype)
