"""What a kernel's parameter is: its number, its size, and who binds it."""

from collections.abc import Iterator

from mkls.facts.model.metal import KernelArgument, MetalFacts, MetalKernel
from mkls.features.markdown import place
from mkls.features.reference.tables import ATTRIBUTES
from mkls.index.argument_types import shape_of
from mkls.index.kernels_link import Kernel
from mkls.index.launches import Launch, launches
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span
from mkls.text.wording import counted

_MOST_BINDINGS = 6
_ACCESS = {"read": "only read", "write": "only written", "read_write": "read and written"}


def hover_parameter(snapshot: Snapshot, uri: Uri, facts: MetalFacts, text: str, span: Span) -> str:
    """Tell of the parameter that `span` of `uri` names, within its kernel; "" for any other."""
    name = span.of(text)
    for kernel in facts.kernels:
        if kernel.span.covers(span) and not kernel.explicit:
            for argument in kernel.arguments or ():
                if argument.name.text == name:
                    return _page(snapshot, uri, kernel, argument)
    return ""


def _page(snapshot: Snapshot, uri: Uri, kernel: MetalKernel, argument: KernelArgument) -> str:
    head = f"```cpp\n{argument.type} {argument.name.text}\n```"
    parts = [head, _role(kernel, argument)]
    if argument.index is not None:
        parts += _size(argument)
        parts += _bindings(snapshot, uri, kernel, argument.index)
    return "\n\n".join(parts)


def _role(kernel: MetalKernel, argument: KernelArgument) -> str:
    of = f"of kernel `{kernel.name.text}`"
    if argument.index is None:
        word = ATTRIBUTES.get(argument.attribute.partition("(")[0])
        return f"`[[{argument.attribute}]]` {of}" + (f"\n\n{word.summary}" if word else "")
    implied = "" if argument.explicit else ", the lowest free number"
    access = f", {_ACCESS[argument.access]}" if argument.access in _ACCESS else ""
    optional = ", if a function constant says so" if argument.optional else ""
    return f"{argument.kind} **{argument.index}** {of}{implied}{access}{optional}"


def _size(argument: KernelArgument) -> Iterator[str]:
    shape = shape_of(argument.type)
    if shape is None:
        return
    size = counted(shape.total, "byte")
    if argument.indirection == "*":
        yield f"{size} an element"
    elif shape.is_padded:
        yield f"{size}: a vector of three takes the space of four"
    else:
        yield size


def _bindings(snapshot: Snapshot, uri: Uri, kernel: MetalKernel, index: int) -> Iterator[str]:
    """Yield what the host binds under the parameter's number."""
    template = Place(uri, kernel.name.span)
    found: dict[str, None] = {}
    for launch in _launches(snapshot):
        event = launch.bound.events.get(index)
        if event is not None and any(_is_of(it, template) for it in launch.kernels):
            at = launch.function.stated.place(event.span)
            found[f"- `{event.name.text}` in {place(snapshot, at.uri, at.span)}"] = None
    lines = list(found)
    if lines:
        rest = len(lines) - _MOST_BINDINGS
        more = [f"- and {rest} more"] if rest > 0 else []
        yield "\n".join(("bound by", "", *lines[:_MOST_BINDINGS], *more))


def _launches(snapshot: Snapshot) -> Iterator[Launch]:
    for document in snapshot.host.documents:
        if document.objective:
            yield from launches(snapshot, document.uri)


def _is_of(kernel: Kernel, template: Place) -> bool:
    return kernel.primary == template or Place(kernel.uri, kernel.span) == template
