"""The nodes and edges of the call hierarchy."""

from collections.abc import Iterable

import msgspec

from mkls.features.symbol import SymbolKind
from mkls.index.host_documents import HostFunction
from mkls.index.inline_shaders import real_place
from mkls.index.kernels_link import Kernel
from mkls.index.operators import Row
from mkls.index.place import Place
from mkls.text.document import Uri
from mkls.text.span import Span


class Node(msgspec.Struct, frozen=True):
    """An operator, a host function, or the kernels that one registration makes.

    `kind` is operator, function or kernel; with `names` and `uri` it tells which one, also in a
    later snapshot. `span` is the name, within `whole`.
    """

    kind: str
    names: tuple[str, ...]
    uri: Uri
    span: Span
    whole: Span
    title: str
    detail: str = ""

    @property
    def symbol(self) -> SymbolKind:
        """What an outline would call it."""
        kinds = {"operator": SymbolKind.OVERLOAD, "kernel": SymbolKind.KERNEL}
        return kinds.get(self.kind, SymbolKind.FUNCTION)


class Call(msgspec.Struct, frozen=True):
    """The node at the other end, and where the caller calls."""

    node: Node
    places: tuple[Place, ...]


def node_of_row(row: Row) -> Node:
    """Return a row's node."""
    whole = row.place(Span(0, max(row.entry.end, 1)))
    return Node("operator", (row.name,), row.uri, row.name_span, whole, row.name, "operator")


def node_of_function(function: HostFunction) -> Node:
    """Return a host function's node."""
    place = function.name_place
    whole = function.place.span
    if not whole.covers(place.span):
        whole = place.span
    file = function.uri.rpartition("/")[2]
    name = function.name.text
    return Node("function", (name,), place.uri, place.span, whole, name, file)


def kernel_nodes(kernels: Iterable[Kernel]) -> list[Node]:
    """Return one node for what each registration makes, so that a macro's dozens stay one."""
    groups: dict[Place, list[Kernel]] = {}
    for kernel in kernels:
        groups.setdefault(real_place(kernel.uri, kernel.span), []).append(kernel)
    return [_kernel_node(place, group) for place, group in groups.items()]


def _kernel_node(place: Place, kernels: list[Kernel]) -> Node:
    first = kernels[0]
    names = tuple(dict.fromkeys(it.host_name for it in kernels))
    name = real_place(first.uri, first.name_span or first.span)
    arguments = f"{first.macro}({', '.join(first.macro_arguments)})" if first.macro else names[0]
    count = f"{len(names)} kernels, " if len(names) > 1 else ""
    detail = f"{count}{place.uri.rpartition('/')[2]}"
    return Node("kernel", names, place.uri, name.span, place.span, arguments, detail)
