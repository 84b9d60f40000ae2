"""Which kernels of a source a request is about (worker side)."""

import difflib
from collections.abc import Sequence

from mkls.runner.backends.protocol import Program
from mkls.runner.host_names import functor_in
from mkls.runner.operator_runs import OperatorCase, operator_cases, registered
from mkls.runner.request import KernelSpec, OperatorQuestion, RequestRefusedError, RunRequest


def wanted_specs(program: Program, request: RunRequest) -> tuple[KernelSpec, ...]:
    """Return the kernels to run, in source order, with what the client knows of them.

    Raises:
        RequestRefusedError: One that is asked for does not exist.
    """
    known = {it.host_name: it for it in request.kernel_table or ()}
    specs = program.specs or tuple(known.values())
    specs = tuple(_merged(it, known.get(it.host_name)) for it in specs)
    if not request.kernels:
        if not specs:
            raise RequestRefusedError("the source makes no kernel that the host can ask for")
        return specs
    by_name = {it.host_name: it for it in specs}
    for name in request.kernels:
        if name not in by_name:
            raise RequestRefusedError(_unknown(name, tuple(by_name)))
    return tuple(by_name[name] for name in dict.fromkeys(request.kernels))


def of_operator(specs: Sequence[KernelSpec], question: OperatorQuestion) -> tuple[KernelSpec, ...]:
    """Return the kernels that apply one of the operator's functors.

    Raises:
        RequestRefusedError: There are none.
    """
    wanted = set(question.functors)
    found = tuple(it for it in specs if functor_in(it) in wanted)
    if not found:
        raise RequestRefusedError(f"no kernel is registered for `{question.name}`")
    return found


def samples_of(specs: Sequence[KernelSpec]) -> list[OperatorCase]:
    """Return the samples of the registered kernels among `specs`."""
    return [
        case
        for functor, kernels in registered(specs).items()
        for case in operator_cases(functor, kernels)
    ]


def _merged(spec: KernelSpec, known: KernelSpec | None) -> KernelSpec:
    """The client analysed bodies: it knows what is written; the backend knows the numbers."""
    if known is None or len(known.arguments) != len(spec.arguments):
        return spec
    pairs = zip(spec.arguments, known.arguments, strict=True)
    arguments = tuple(
        own
        if not theirs.access
        else type(own)(own.name, own.type, own.kind, own.index, theirs.access, own.attribute)
        for own, theirs in pairs
    )
    return KernelSpec(spec.host_name, spec.function, spec.path, spec.line, arguments)


def _unknown(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, 3)
    hint = f"; did you mean {', '.join(f'`{it}`' for it in close)}?" if close else ""
    return f"the source makes no kernel `{name}`{hint}"
