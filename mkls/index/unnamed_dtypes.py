"""Tensors that a kernel reads as the dtype in its name, which is that of another tensor."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mkls.facts.model.host import FunctionKind
from mkls.facts.model.launches import Event, ValueKind
from mkls.facts.model.name_expression import Dtype, NameExpression, children_of
from mkls.index.dtype_words import slots_of
from mkls.index.host_documents import HostFunction
from mkls.index.kernels_link import Kernel
from mkls.index.launches import Launch, launches
from mkls.index.links import named_functions
from mkls.index.lookups import LinkedLookup
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_CAREFUL: Final = ("TensorIterator", "SameType", "result_type", "promote", "common_dtype")
"""Words of functions that see to dtypes as a whole."""


class UnnamedDtype(NamedTuple):
    """A tensor whose dtype is neither in the kernel's name nor asked for; `named` is that is."""

    function: HostFunction
    event: Event
    named: str
    kernel: Kernel
    parameter: str


def unnamed_dtypes(snapshot: Snapshot, uri: Uri) -> Iterator[UnnamedDtype]:
    """Yield the tensors in `uri` that kernels read as what another tensor is, each once."""
    lookups = snapshot.once(_lookups_by_function)
    seen: set[tuple[int, str]] = set()
    for launch in launches(snapshot, uri):
        linked = lookups.get(id(launch.function.function), ())
        if len(linked) != 1 or not _is_open(snapshot, launch.function):
            continue
        for found in _of_launch(snapshot, launch, linked[0]):
            key = (found.function.stated.start, found.event.name.text)
            if key not in seen:
                seen.add(key)
                yield found


def _lookups_by_function(snapshot: Snapshot) -> Mapping[int, list[LinkedLookup]]:
    found: dict[int, list[LinkedLookup]] = {}
    for linked in snapshot.host.lookups:
        found.setdefault(id(linked.function.function), []).append(linked)
    return found


def _is_open(snapshot: Snapshot, function: HostFunction) -> bool:
    """Whether rows call the function, and nothing in it compares dtypes.

    What is structured was checked before, and so may be what other host functions call.
    """
    facts = function.function
    if facts is None or facts.kind is not FunctionKind.FREE or facts.compares_dtypes:
        return False
    if facts.internal or function.name.text not in named_functions(snapshot):
        return False
    text = _text(snapshot, function)
    return not any(word in text for word in _CAREFUL)


def _text(snapshot: Snapshot, function: HostFunction) -> str:
    return function.place.span.of(snapshot.sources[function.uri].document.text)


def _of_launch(snapshot: Snapshot, launch: Launch, linked: LinkedLookup) -> Iterator[UnnamedDtype]:
    dtypes = [word[0] for it in _dtypes(linked.lookup.name) if (word := _WORD.search(it.text))]
    if len(dtypes) != 1:
        return
    (named,) = dtypes
    facts = launch.function.function
    tensors = {it.name for it in (facts.parameters if facts else ()) if "Tensor" in it.type}
    text = _text(snapshot, launch.function)
    for index, event in launch.bound.events.items():
        name = event.name.text
        if name == named or name not in tensors or event.type.kind not in _TENSORS:
            continue
        kernel = _reads_as_named(snapshot, launch, index)
        if kernel is not None and not _is_seen_to(text, name, named):
            argument = next(it for it in kernel.arguments if it.index == index)
            yield UnnamedDtype(launch.function, event, named, kernel, argument.name.text)


_TENSORS: Final = (ValueKind.TENSOR, ValueKind.OPTIONAL)


def _dtypes(expression: NameExpression) -> Iterator[Dtype]:
    if isinstance(expression, Dtype):
        yield expression
    for child in children_of(expression):
        yield from _dtypes(child)


def _reads_as_named(snapshot: Snapshot, launch: Launch, index: int) -> Kernel | None:
    """Return a kernel when each one reads buffer `index` as the dtype in its name."""
    kernels = [it for group in launch.groups for it in group]
    for kernel in kernels:
        _, slots = slots_of(kernel.host_name, snapshot.host.dtypes)
        argument = next((it for it in kernel.arguments if it.index == index), None)
        reads = argument is not None and argument.kind == "buffer" and argument.access == "read"
        if not reads or argument is None or argument.indirection != "*" or len(slots) != 1:
            return None
        if slots[0] not in argument.type.split():
            return None
    return kernels[0] if len({it.host_name for it in kernels}) > 1 else None


def _is_seen_to(text: str, name: str, named: str) -> bool:
    """Whether the function asks for the tensor's dtype, or makes one of the two from the other."""
    asked = rf"\b{name}(?:\.|->|\.value\(\)\.)(?:scalar_type|dtype|to|options|type)\b|\({name}\)"
    if re.search(asked, text):
        return True
    made = re.search(rf"\b{named}\s*=([^;]*);", text)
    return made is not None and re.search(rf"\b{name}\b", made[1]) is not None
