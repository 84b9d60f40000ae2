"""`exec_*` calls: of which arity, with what constants, and which kernels they may get."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mkls.facts.model.host import HostFacts
from mkls.facts.model.name import Name
from mkls.index.dtype_words import SPELLINGS, slots_of
from mkls.index.kernels_link import Kernel
from mkls.index.links import lookups_in
from mkls.index.lookups import LinkedLookup
from mkls.index.name_patterns import NameSet, Pattern, Satisfaction
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

ARITIES: Final = {"exec_unary_kernel": 1, "exec_binary_kernel": 2, "exec_ternary_kernel": 3}
_BY_ARITY: Final = {arity: function for function, arity in ARITIES.items()}
_CONSTANT: Final = re.compile(r"(?:\w+::)*(?:ScalarType::|k)([A-Z]\w*)")
_SCALAR_TYPE: Final = {"exec_unary_kernel": 3, "exec_binary_kernel": 3}
_ALPHA: Final = 2


class WrongArity(NamedTuple):
    """An `exec_*` call whose kernels take another number of inputs; `place` is its name's.

    `macro` is where the macro is defined that makes the call, if one does.
    """

    linked: LinkedLookup
    place: Place
    kernel: Kernel
    arity: int
    macro: tuple[Place, ...]

    @property
    def suitable(self) -> str:
        """The function for kernels of this arity, "" without one."""
        return _BY_ARITY.get(self.arity, "")


class WrongScalarType(NamedTuple):
    """An `exec_*` call that gives its scalar a dtype for which no kernel is registered."""

    linked: LinkedLookup
    argument: Name
    place: Place
    spelling: str
    registered: tuple[str, ...]


def kernels_asked_for(snapshot: Snapshot, names: NameSet) -> Iterator[Kernel]:
    """Yield the kernels of the library that `names` may mean."""
    for name in names.kernels(snapshot.host_names):
        yield from snapshot.kernels.by_host_name.get(name, ())


def inputs_of(kernel: Kernel) -> int | None:
    """Return how many tensors a dense elementwise kernel reads; None of any other kernel.

    These take their tensors first, all as pointers, and what else they need as references.
    """
    if "_dense_" not in kernel.host_name:
        return None
    pointers = 0
    for argument in kernel.arguments:
        if argument.indirection != "*":
            break
        pointers += 1
    return pointers - 1 if pointers > 1 else None


def wrong_arities(snapshot: Snapshot, uri: Uri) -> tuple[WrongArity, ...]:
    """Return the `exec_*` calls of `uri` whose kernels all take another number of inputs."""
    return snapshot.once(_wrong_arities).get(uri, ())


def _wrong_arities(snapshot: Snapshot) -> Mapping[Uri, tuple[WrongArity, ...]]:
    found: dict[Uri, dict[Place, WrongArity]] = {}
    inputs: dict[tuple[Uri, str], int | None] = {}
    for linked in snapshot.host.lookups:
        expected = ARITIES.get(linked.lookup.function.text)
        if expected is None:
            continue
        place = linked.function.stated.place(linked.lookup.function.span)
        for request in linked.requests:
            known: list[tuple[int, Kernel]] = []
            for kernel in kernels_asked_for(snapshot, request.names):
                key = (kernel.unit, kernel.function)
                if key not in inputs:
                    inputs[key] = inputs_of(kernel)
                if (arity := inputs[key]) is not None:
                    known.append((arity, kernel))
            arities = {arity for arity, _ in known}
            if len(arities) == 1 and expected not in arities and request.names.is_known:
                macro = tuple(_macro(snapshot, linked))
                wrong = WrongArity(linked, place, known[0][1], known[0][0], macro)
                found.setdefault(place.uri, {}).setdefault(place, wrong)
    return {uri: tuple(each.values()) for uri, each in found.items()}


def _macro(snapshot: Snapshot, linked: LinkedLookup) -> Iterator[Place]:
    uri = linked.function.uri
    facts = snapshot.facts(HostFacts).get(uri)
    for it in facts.macros if facts else ():
        if it.name.text == linked.function.macro:
            yield Place(uri, it.span)


def scalar_dtype(argument: Name) -> str | None:
    """Return the spelling of the dtype that a constant like `ScalarType::Long` or `kLong` names."""
    found = _CONSTANT.fullmatch(argument.text.strip())
    return SPELLINGS.get(found[1]) if found else None


def wrong_scalar_types(snapshot: Snapshot, uri: Uri) -> Iterator[WrongScalarType]:
    """Yield the `exec_*` calls of `uri` whose scalar has a dtype that no kernel takes."""
    for linked in lookups_in(snapshot, uri):
        index = _SCALAR_TYPE.get(linked.lookup.function.text)
        arguments = linked.lookup.arguments
        if index is None or len(arguments) <= index or linked.function.macro:
            continue
        spelling = scalar_dtype(arguments[index])
        registered = _scalar_types(snapshot, linked)
        if spelling is not None and registered and spelling not in registered:
            place = linked.function.stated.place(arguments[index].span)
            wrong = tuple(sorted(registered))
            yield WrongScalarType(linked, arguments[index], place, spelling, wrong)


def _scalar_types(snapshot: Snapshot, linked: LinkedLookup) -> frozenset[str]:
    """Return the dtypes of the scalar in the names of the kernels with one: their third dtype."""
    words = snapshot.host.dtypes
    slots = (
        slots_of(name, words)[1]
        for request in linked.requests
        if request.names.is_known
        for name in request.names.kernels(snapshot.host_names)
    )
    return frozenset(it[2] for it in slots if len(it) == 3)


def unchecked_params(snapshot: Snapshot, uri: Uri) -> Iterator[tuple[Place, str]]:
    """Yield the binary calls with parameters of `uri` that may ask for what no macro makes.

    With each, the stem of its kernels' names.
    """
    for linked in lookups_in(snapshot, uri):
        function = linked.function.function
        if linked.lookup.function.text != "exec_binary_kernel_with_params" or function is None:
            continue
        if function.compares_dtypes or linked.function.macro or not snapshot.knows_all_kernels:
            continue
        for request in linked.requests:
            mixed = tuple(it for it in request.names.patterns if _is_cast(it))
            names = request.names.kernels(snapshot.host_names)
            if request.names.is_known and mixed and names:
                asked = NameSet(mixed, request.names.dtypes)
                if asked.satisfied_by(snapshot.host_names) is Satisfaction.NO:
                    place = linked.function.stated.place(linked.lookup.function.span)
                    yield place, names[0].partition("_dense_")[0]
                    break


def _is_cast(pattern: Pattern) -> bool:
    return any(isinstance(part, str) and "_cast_" in part for part in pattern)
