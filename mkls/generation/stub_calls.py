"""What a row's shared function asks of a backend: the stubs that it calls, and their kernels."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from mkls.generation.known_functors import KNOWN, KnownFunctor, functor_of_stub
from mkls.generation.plan import Reason, RefusedError
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot
from mkls.index.stub_types import parameters_of_stub
from mkls.index.stubs import Stub
from mkls.syntax.host.function_type import plain_type
from mkls.syntax.native_functions.schema import ArgumentKind

_ITERATORS: Final = ("TensorIteratorBase&", "TensorIterator&")
_SCALARS: Final = {
    "const Scalar&": "Scalar",
    "Scalar": "Scalar",
    "double": "double",
    "int64_t": "int64_t",
}
_SPECIAL: Final = {
    "complex_stub": "its result is complex where its operands are real",
    "polar_stub": "its result is complex where its operands are real",
    "angle_stub": "its result is real where its operand may be complex",
    "conj_physical_stub": "it is the identity of all dtypes but complex ones",
    "frexp_stub": "it has two results",
}
_SIZED: Final = re.compile(r"\[\d*\]")


class StubCall(msgspec.Struct, frozen=True):
    """An elementwise stub that a row needs.

    `iterator` is the type of its first parameter; `scalar` that of the second as it is declared,
    "" without one, and `scalar_name` what the row calls it.
    """

    stub: Stub
    functor: str
    arity: int
    iterator: str
    scalar: str
    scalar_name: str

    @property
    def known(self) -> KnownFunctor | None:
        """The mathematics, when they are known and of this shape."""
        known = KNOWN.get(self.functor)
        fits = known is not None and known.arity == self.arity
        return known if known and fits and bool(known.alpha) == bool(self.scalar) else None

    @property
    def scalar_kind(self) -> str:
        """`Scalar`, `double` or `int64_t`; "" without one."""
        return _SCALARS.get(plain_type(self.scalar), "") if self.scalar else ""


def stubs_of(snapshot: Snapshot, row: Row, symbol: str) -> list[Stub]:
    """Return the stubs that the shared function `symbol` of `row` calls, the nearest first.

    Raises:
        RefusedError: There are none.
    """
    reaches = snapshot.host.reaches(symbol)
    nearest = [it for it in reaches if len(it.path) == len(reaches[0].path)]
    if not nearest:
        raise RefusedError(
            Reason.NO_STUB,
            f"`{symbol}`, which CPU and CUDA run for `{row.name}`, calls no dispatch stub: "
            "whether it serves MPS cannot be told",
        )
    return [snapshot.host.stubs.by_name[it.stub] for it in nearest]


def stub_call(snapshot: Snapshot, row: Row, stub: Stub) -> StubCall:
    """Return what `row` needs of `stub`, whose kernel is to be written.

    Raises:
        RefusedError: The stub is not elementwise, or takes what no kernel family takes.
    """
    if stub.name in _SPECIAL:
        raise RefusedError(
            Reason.SPECIAL_RESULT, f"`{stub.name}` needs a kernel of its own: {_SPECIAL[stub.name]}"
        )
    parameters = parameters_of_stub(snapshot, stub)
    if not parameters:
        raise RefusedError(
            Reason.STUB_UNKNOWN, f"no single DECLARE_DISPATCH tells the type of `{stub.name}`"
        )
    if plain_type(parameters[0]) not in _ITERATORS:
        raise RefusedError(
            Reason.NOT_ELEMENTWISE, f"`{stub.name}` takes `{parameters[0]}`, not an iterator"
        )
    _mind_kind(row, stub)
    _mind_parameters(stub, parameters)
    functor = functor_of_stub(stub.name)
    known = KNOWN.get(functor)
    arity = known.arity if known else _tensors(row)
    if not 1 <= arity <= 3:
        raise RefusedError(
            Reason.NOT_ELEMENTWISE, f"`{row.name}` has {arity} tensors: kernels take one to three"
        )
    scalar = parameters[1] if len(parameters) == 2 else ""
    return StubCall(stub, functor, arity, parameters[0], scalar, _scalar_name(row))


def _mind_kind(row: Row, stub: Stub) -> None:
    """Refuse what runs on an iterator and is not elementwise: reductions, random numbers."""
    entry = row.entry
    tags = {it.text for it in entry.tags}
    inherits = entry.structured_inherits
    is_pointwise = "pointwise" in tags or functor_of_stub(stub.name) in KNOWN
    if "nondeterministic_seeded" in tags:
        raise RefusedError(Reason.NOT_ELEMENTWISE, f"`{row.name}` draws random numbers")
    if len(entry.schema.out) > 1 or len(entry.schema.returns) > 1:
        raise RefusedError(Reason.SPECIAL_RESULT, f"`{row.name}` has several results")
    on_iterator = inherits is not None and inherits.text == "TensorIteratorBase"
    if not is_pointwise and not on_iterator:
        raise RefusedError(
            Reason.NOT_ELEMENTWISE,
            f"nothing tells that `{row.name}` is elementwise: it is not tagged `pointwise`",
        )


def _mind_parameters(stub: Stub, parameters: Sequence[str]) -> None:
    extra = parameters[1:]
    if len(extra) > 1 or any(plain_type(it) not in _SCALARS for it in extra):
        raise RefusedError(
            Reason.PARAMETERS,
            f"`{stub.name}` takes {', '.join(f'`{it}`' for it in extra)} beside the iterator: "
            "no kernel family is made for that",
        )


def _tensors(row: Row) -> int:
    """Return how many tensors an operator reads; a Scalar of a comparison is wrapped in one."""
    inputs = [it for it in row.entry.schema.arguments if it.kind is not ArgumentKind.OUT]
    tensors = sum(it.declaration.type_text in ("Tensor", "Tensor?") for it in inputs)
    lists = any(_SIZED.search(it.declaration.suffix) for it in inputs)
    return 0 if lists else tensors


def _scalar_name(row: Row) -> str:
    inputs = [it for it in row.entry.schema.arguments if it.kind is not ArgumentKind.OUT]
    scalars = [it.name for it in inputs if not it.declaration.base.startswith("Tensor")]
    return scalars[0] if len(scalars) == 1 and scalars[0] else "alpha"
