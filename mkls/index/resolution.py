"""What the dispatcher runs when a row's operator is called on an MPS tensor.

The order is the dispatcher's: a kernel for the key itself; then the composite kernels,
CompositeExplicitAutogradNonFunctional, CompositeExplicitAutograd, CompositeImplicitAutograd
(c10/core/DispatchKeySet.cpp); then the fallback of aten/src/ATen/mps/MPSFallback.mm.
"""

from enum import Enum

import msgspec

from mkls.facts.model.native_functions import (
    COMPOSITE_EXPLICIT,
    COMPOSITE_EXPLICIT_NON_FUNCTIONAL,
    COMPOSITE_IMPLICIT,
    HostFunctionName,
)
from mkls.index.operators import MPS, OperatorIndex, Row


class ResolutionKind(Enum):
    """Where the kernel comes from."""

    EXPLICIT = "explicit"
    """The row lists the key."""
    LIBRARY = "library"
    """A TORCH_LIBRARY_IMPL block registers something: a kernel, or the fallback to the CPU."""
    DELEGATE = "delegate"
    """The structured out row that the row delegates to lists the key."""
    COMPOSITE_EXPLICIT_NON_FUNCTIONAL = COMPOSITE_EXPLICIT_NON_FUNCTIONAL
    COMPOSITE_EXPLICIT = COMPOSITE_EXPLICIT
    COMPOSITE_IMPLICIT = COMPOSITE_IMPLICIT
    NOTHING = "nothing"
    """Only the backend's fallback is left."""


_OWN = frozenset((ResolutionKind.EXPLICIT, ResolutionKind.DELEGATE))
_COMPOSITE = {
    COMPOSITE_EXPLICIT_NON_FUNCTIONAL: ResolutionKind.COMPOSITE_EXPLICIT_NON_FUNCTIONAL,
    COMPOSITE_EXPLICIT: ResolutionKind.COMPOSITE_EXPLICIT,
    COMPOSITE_IMPLICIT: ResolutionKind.COMPOSITE_IMPLICIT,
}


class Resolution(msgspec.Struct, frozen=True):
    """How a row resolves. `row` holds the kernel: for a delegate it is the out row.

    `function` is the C++ function, None where torchgen names it (a row without dispatch), where
    it is registered elsewhere, and where there is none. `is_shared` tells whether the row's line
    lists other keys too.
    """

    kind: ResolutionKind
    row: Row
    function: HostFunctionName | None = None
    is_shared: bool = False

    @property
    def is_native(self) -> bool:
        """Whether a row names a kernel of the backend's own."""
        return self.kind in _OWN


def resolution(index: OperatorIndex, row: Row, dispatch_key: str = MPS) -> Resolution:
    """Return what `row` runs for `dispatch_key`, such as `MPS` or `SparseMPS`."""
    line = row.line(dispatch_key)
    if line is not None:
        return Resolution(ResolutionKind.EXPLICIT, row, line.function, line.is_shared)
    if dispatch_key == MPS and row.name in index.library_impls:
        return Resolution(ResolutionKind.LIBRARY, row)
    is_structured = dispatch_key in index.accepted.structured_keys
    out = index.delegate(row) if is_structured else None
    line = out.line(dispatch_key) if out is not None else None
    if out is not None and line is not None:
        return Resolution(ResolutionKind.DELEGATE, out, line.function, line.is_shared)
    return _composite(row, out, is_dense=is_structured)


def _composite(row: Row, out: Row | None, *, is_dense: bool) -> Resolution:
    composite = row.entry.composite
    if out is not None:
        # torchgen makes a non-functional kernel for every delegating row: it runs the meta
        # function, then calls the out row, which is what the user's error will name.
        return Resolution(ResolutionKind.COMPOSITE_EXPLICIT_NON_FUNCTIONAL, out)
    if composite == COMPOSITE_EXPLICIT_NON_FUNCTIONAL and not is_dense:
        # The key's kernels are not for sparse tensors, whose views and in-place ops differ.
        composite = None
    if composite is not None:
        return Resolution(_COMPOSITE[composite], row, row.function(composite))
    return Resolution(ResolutionKind.NOTHING, row)


def has_native_kernel(index: OperatorIndex, row: Row, dispatch_key: str = MPS) -> bool:
    """Whether `row`, or the row that it delegates to, lists a kernel of the backend's own.

    What a library block registers does not count: most of it sends the operator to the CPU.
    """
    if dispatch_key in row.entry.dispatch_lines:
        return True
    if row.entry.structured_delegate is None:
        return False
    out = index.delegate(row) if dispatch_key in index.accepted.structured_keys else None
    return out is not None and dispatch_key in out.entry.dispatch_lines
