"""A kernel that is to be written: its functor, its dtypes, and whether its body is known."""

from collections.abc import Sequence

import msgspec

from mkls.generation.cpu_dispatch import cpu_dtypes
from mkls.generation.dtypes import COMPLEX, FLOATING, dtypes_of
from mkls.generation.known_functors import KnownFunctor
from mkls.generation.stub_calls import StubCall


class KernelWork(msgspec.Struct, frozen=True):
    """A functor and for what it is registered.

    Unless `written`, its body is left for a person: `known` then tells no more than its shape.
    """

    stem: str
    known: KnownFunctor
    dtypes: tuple[str, ...]
    written: bool


def kernel_work(call: StubCall, cpu_sources: Sequence[str], *, has_c10: bool) -> KernelWork:
    """Return the kernel that serves `call`.

    `cpu_sources` are the texts of the CPU's kernels, which tell dtypes where nothing else does.
    """
    known = call.known
    if known is not None and (has_c10 or not known.needs_c10):
        dtypes = dtypes_of(known)
        if not has_c10 and "c10::" in known.complex:
            dtypes = tuple(it for it in dtypes if it not in COMPLEX)
        return KernelWork(call.functor, known, dtypes, written=True)
    listed = cpu_dtypes(cpu_sources, call.stub.name) or FLOATING
    dtypes = tuple(it for it in listed if it not in COMPLEX) or FLOATING
    return KernelWork(call.functor, shape_of(call), dtypes, written=False)


def shape_of(call: StubCall) -> KnownFunctor:
    """Return a functor of the shape of `call` without mathematics."""
    alpha = {"": "", "Scalar": "T", "double": "float", "int64_t": "long"}[call.scalar_kind]
    return KnownFunctor(call.arity, "a", "a", boolean=True, alpha=alpha)
