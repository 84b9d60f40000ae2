"""What a call takes, while its arguments are typed."""

import re
from collections.abc import Iterable, Iterator

import msgspec

from mkls.facts.model.metal import KernelArgument, MetalFacts
from mkls.features.declared import declared, split_parameters
from mkls.features.reference.entry import Word
from mkls.features.reference.tables import host_words, metal_words
from mkls.index.host_documents import HostFunction
from mkls.index.kernels import KernelIndex
from mkls.index.kernels_link import Kernel
from mkls.index.links import lookups_in
from mkls.index.snapshot import Snapshot, Source
from mkls.syntax.call_at import CallAt, call_at
from mkls.text.document import Uri

_MOST = 6
_CONTROL = frozenset(("if", "for", "while", "switch", "return", "sizeof", "catch"))


class Signature(msgspec.Struct, frozen=True):
    """`name(parameters)`, what it does, and which of them is being typed; -1 for none."""

    name: str
    parameters: tuple[str, ...]
    documentation: str = ""
    active: int = 0

    @property
    def label(self) -> str:
        """The whole signature."""
        return f"{self.name}({', '.join(self.parameters)})"


def signatures(snapshot: Snapshot, source: Source, offset: int) -> list[Signature]:
    """Return the signatures of the call around `offset`, those that fit what is typed first."""
    text, facts, uri = source.document.text, source.facts, source.document.uri
    is_metal = isinstance(facts, MetalFacts)
    if not is_metal and snapshot.host.document(uri) is None:
        return []
    call = call_at(text, offset)
    if call is None or call.name in _CONTROL:
        return []
    if is_metal:
        found = list(_of_metal(snapshot.kernels, uri, call))
    else:
        found = list(_of_host(snapshot, uri, call, offset))
    fitting = (it for it in found if call.arguments < len(it.parameters) or _is_variadic(it))
    return [*dict.fromkeys((*fitting, *found))][:_MOST]


def _is_variadic(signature: Signature) -> bool:
    return bool(signature.parameters) and "..." in signature.parameters[-1]


def _of_metal(index: KernelIndex, uri: Uri, call: CallAt) -> Iterator[Signature]:
    unit = index.unit_with(uri)
    family = index.families.get(call.name)
    macro = unit.macros.get(call.name) if unit else None
    parameters = family.parameters if family else macro.parameters if macro else None
    summary = "\n\n".join(it.summary for it in metal_words().get(call.name, ()))
    if parameters is not None:
        made = "\n".join(f"- `{it}`" for it in family.patterns) if family else ""
        page = "\n\n".join(it for it in (summary, f"registers\n\n{made}" if made else "") if it)
        yield Signature(call.name, tuple(parameters), page, call.arguments)
        return
    yield from _of_words(metal_words().get(call.name, ()), call)


def _of_words(words: Iterable[Word], call: CallAt) -> Iterator[Signature]:
    for word in words:
        for text in word.signatures:
            if "(" in text:
                inner = text[text.find("(") + 1 : text.rfind(")")]
                parameters = tuple(split_parameters(inner))
                head = text[: text.find("(")]
                yield Signature(head, parameters, word.summary, _active(parameters, call.arguments))


def _of_host(snapshot: Snapshot, uri: Uri, call: CallAt, offset: int) -> Iterator[Signature]:
    if call.name == "mtl_setArgs":
        yield from _of_kernels(snapshot, uri, call, offset)
    word = host_words().get(call.name)
    known = declared(snapshot, call.name)
    for it in known:
        summary = word.summary if word else it.comment
        active = _active(it.parameters, call.arguments)
        yield Signature(f"{it.returns} {it.name}", it.parameters, summary, active)
    if word and not known:
        parameters = tuple(split_parameters(word.parameters))
        active = _active(parameters, call.arguments)
        yield Signature(word.name, parameters, word.summary, active)
    if word is None and not known:
        yield from _of_functions(snapshot.host.functions(call.name), uri, call)


def _of_functions(functions: Iterable[HostFunction], uri: Uri, call: CallAt) -> Iterator[Signature]:
    """Yield functions of the document itself: any other is for a C++ server to know."""
    for it in functions:
        if it.uri == uri and it.function:
            parameters = tuple(
                f"{each.type} {each.name}".strip() for each in it.function.parameters
            )
            yield Signature(call.name, parameters, "", _active(parameters, call.arguments))


def _active(parameters: tuple[str, ...], typed: int) -> int:
    if parameters and "..." in parameters[-1]:
        return min(typed, len(parameters) - 1)
    return typed if typed < len(parameters) else -1


def _of_kernels(snapshot: Snapshot, uri: Uri, call: CallAt, offset: int) -> Iterator[Signature]:
    """Yield what the kernels take that the function looks up before the call."""
    first = int(call.template) if re.fullmatch(r"\d+", call.template) else 0
    seen: set[tuple[str, ...]] = set()
    for kernel in _kernels_before(snapshot, uri, offset):
        bound = [it for it in kernel.arguments if it.kind == "buffer" and (it.index or 0) >= first]
        parameters = ("encoder", *(_argument(it) for it in bound))
        if parameters not in seen:
            seen.add(parameters)
            name = f"mtl_setArgs<{first}>" if first else "mtl_setArgs"
            page = f"what kernel `{kernel.host_name}` takes"
            yield Signature(name, parameters, page, _active(parameters, call.arguments))


def _argument(argument: KernelArgument) -> str:
    spaced = "" if argument.type.endswith(("*", "&")) else " "
    return f"{argument.index}: {argument.type}{spaced}{argument.name.text}"


def _kernels_before(snapshot: Snapshot, uri: Uri, offset: int) -> Iterator[Kernel]:
    """Yield the kernels of the look-ups in the function around `offset`, the last one first."""
    asking = [
        it
        for it in lookups_in(snapshot, uri)
        if offset in it.function.place.span and it.place.span.start < offset
    ]
    for linked in sorted(asking, key=lambda it: -it.place.span.start):
        for request in linked.requests:
            for name in (
                request.names.kernels(snapshot.host_names) if request.names.is_known else ()
            ):
                for index in (snapshot.kernels, snapshot.inline_kernels):
                    yield from index.by_host_name.get(name, ())
