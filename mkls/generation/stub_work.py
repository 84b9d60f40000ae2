"""The stubs that rows need to run on MPS, and the steps that make and register their kernels."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from mkls.facts.model.host import HostFacts
from mkls.facts.model.metal import MetalFacts
from mkls.generation.cpu_dispatch import cpu_dtypes
from mkls.generation.dtypes import COMPLEX
from mkls.generation.exec_kernels import exec_steps
from mkls.generation.kernel_work import KernelWork, kernel_work
from mkls.generation.own_kernels import own_steps
from mkls.generation.plan import Reason, RefusedError, Step
from mkls.generation.stub_calls import StubCall, stub_call, stubs_of
from mkls.index.operators import Row
from mkls.index.snapshot import Snapshot

_EXEC: Final = re.compile(r"\bexec_(?:binary|ternary)_kernel\b|\.exec_unary_kernel\b")


class StubWork(NamedTuple):
    """The steps that make rows run through their stubs, the kernels made, what is left to do."""

    steps: tuple[Step, ...]
    kernels: tuple[KernelWork, ...]
    todo: tuple[str, ...]


def shared_symbol(row: Row) -> str:
    """Return the function that CPU and CUDA run for `row`.

    Raises:
        RefusedError: There is none that both run.
    """
    if row.entry.ufunc_inner_loop:
        raise RefusedError(
            Reason.UFUNC,
            f"`{row.name}` gets its CPU and CUDA kernels from a ufunc loop: "
            "MPS can only have a line of its own",
        )
    cpu, cuda = row.function("CPU"), row.function("CUDA")
    if cpu is None or cuda is None or cpu.text != cuda.text:
        lack = (
            "only one of CPU and CUDA has a kernel"
            if not (cpu and cuda)
            else (f"CPU runs `{cpu.text}` and CUDA `{cuda.text}`")
        )
        raise RefusedError(
            Reason.BACKENDS_DIFFER, f"there is nothing to share for `{row.name}`: {lack}"
        )
    return cpu.symbol


def stub_work(snapshot: Snapshot, rows: Iterable[Row], cpu_sources: Sequence[str]) -> StubWork:
    """Return what is to be written for `rows` to share the function of CPU and CUDA.

    Raises:
        RefusedError: It cannot be written, for the reason that the error gives.
    """
    calls: dict[str, StubCall] = {}
    for row in rows:
        for stub in stubs_of(snapshot, row, shared_symbol(row)):
            if stub.registered:
                continue
            call = stub_call(snapshot, row, stub)
            known = calls.get(stub.name)
            if known is None or known.arity < call.arity:
                calls[stub.name] = call
    if not calls:
        return StubWork((), (), ())
    has_exec = snapshot.once(has_exec_functions)
    needed = [(call, kernel_work(call, cpu_sources, has_c10=has_exec)) for call in calls.values()]
    steps = exec_steps(snapshot, needed) if has_exec else own_steps(snapshot, needed)
    todo = tuple(it for call, work in needed for it in _todo(call, work, cpu_sources))
    return StubWork(tuple(steps), tuple(work for _, work in needed), todo)


def _todo(call: StubCall, work: KernelWork, cpu_sources: Sequence[str]) -> Iterator[str]:
    if not work.written:
        yield (
            f"write the body of `{work.stem}_functor`, then delete the check in the function that "
            f"is registered for `{call.stub.name}`"
        )
    listed = cpu_dtypes(cpu_sources, call.stub.name) or ()
    if not frozenset(COMPLEX).isdisjoint(listed) and frozenset(COMPLEX).isdisjoint(work.dtypes):
        yield f"the CPU's kernel of `{call.stub.name}` takes complex tensors, this one does not"


def has_exec_functions(snapshot: Snapshot) -> bool:
    """Whether the tree's Metal library runs elementwise kernels by name (torch 2.7+)."""
    own = [uri for uri in snapshot.facts(HostFacts) if uri not in snapshot.library]
    if any(_EXEC.search(snapshot.sources[uri].document.text) for uri in own):
        return True
    return any(
        include.path.startswith("c10/metal/")
        for uri, facts in snapshot.facts(MetalFacts).items()
        if uri not in snapshot.library and uri.endswith(".metal")
        for include in facts.includes
    )
