"""What may be typed in a Metal source.

The words of the language and its library come from tables, and know nothing of types. Where a
compiler is at hand, its own list takes their place: see `Compiler`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from mkls.facts.model.metal import MetalFacts, MetalKernel
from mkls.features.completion.item import Item, ItemKind, items
from mkls.features.reference.entry import Word, WordKind
from mkls.features.reference.tables import ATTRIBUTES, C10_METAL, MSL
from mkls.features.tokens.of_metal import KEYWORDS
from mkls.index.dtype_words import SPELLINGS
from mkls.index.kernels import KernelIndex
from mkls.index.kernels_unit import Unit
from mkls.syntax.metal.macro import Macro
from mkls.text.document import Uri
from mkls.text.span import Span

Compiler = Callable[[Uri, int], Iterable[Item] | None]
"""What a compiler says may be typed in a document at an offset; None when it cannot tell."""

_WORD: Final = re.compile(r"\w*\Z")
_ATTRIBUTE: Final = re.compile(r"\[\[(?:[^\[\]]*,\s*)?(\w*)\Z")
_QUALIFIED: Final = re.compile(r"((?:::)?(?:\w+::)+)\w*\Z")
_INCLUDE: Final = re.compile(r"\s*#\s*include\s*[<\"]([\w./]*)\Z")
_CALL: Final = re.compile(r"\b(\w+)\s*\(([^()]*)\Z")
_DTYPE_PARAMETER: Final = re.compile(r"TYPE|\A(?:D|T)\w{0,2}\Z")
_MACRO_START: Final = re.compile(r"\s*\w*\Z")
_REGISTERING: Final = ("REGISTER", "INSTANTIATE")
_HEADERS: Final = (
    *("metal_stdlib", "metal_atomic", "metal_math", "metal_simdgroup", "metal_integer"),
    *("metal_simdgroup_matrix", "metal_types", "metal_array", "metal_numeric"),
)


def metal_items(
    index: KernelIndex, uri: Uri, facts: MetalFacts, text: str, offset: int
) -> Iterator[Item]:
    """Yield what may be typed at `offset` of `text`, outside of comments and strings."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    typed = _WORD.search(line)
    span = Span(offset - len(typed[0] if typed else ""), offset)
    unit = index.unit_with(uri)
    before = text[max(0, offset - 400) : offset]
    if match := _ATTRIBUTE.search(before):
        yield from _attributes(facts, Span(offset - len(match[1]), offset))
    elif match := _INCLUDE.match(line):
        yield from _headers(index, Span(offset - len(match[1]), offset))
    elif re.search(r"(?:\.|->)\w*\Z", line):
        return
    elif match := _QUALIFIED.search(line):
        yield from _qualified(match[1], span)
    elif (call := _CALL.search(before)) and (unit and _is_registration(index, unit, call[1])):
        yield from _arguments(index, unit, call[1], call[2], span)
    elif span.start == span.end and call:
        return  # nothing is typed of an argument, which may be anything
    else:
        if _MACRO_START.match(line):
            yield from _macros(index, unit, span)
        yield from _words(facts, unit, span)


def _attributes(facts: MetalFacts, span: Span) -> Iterator[Item]:
    kernel = next((it for it in facts.kernels if it.head.start <= span.start <= it.head.end), None)
    for word in ATTRIBUTES.values():
        numbered = word.signatures[0]
        if word.name == "buffer":
            insert = f"buffer({_free_index(kernel)})"
            yield Item(insert, ItemKind.ATTRIBUTE, span, rank=0, detail="the lowest free number")
        elif "(" in numbered:
            start, _, value = numbered.partition("(")
            snippet = f"{start}(${{1:{value.rstrip(')')}}})"
            yield Item(word.name, ItemKind.ATTRIBUTE, span, numbered, snippet)
        else:
            rank = 1 if word.name == "thread_position_in_grid" else 3
            yield Item(word.name, ItemKind.ATTRIBUTE, span, rank=rank)


def _free_index(kernel: MetalKernel | None) -> int:
    used = {
        it.index
        for it in (kernel.arguments if kernel else None) or ()
        if it.kind == "buffer" and it.explicit
    }
    return next(number for number in range(len(used) + 1) if number not in used)


def _headers(index: KernelIndex, span: Span) -> Iterator[Item]:
    yield from items(_HEADERS, ItemKind.HEADER, span, rank=6)
    for uri in index.includes.uris:
        for folder in ("/c10/metal/", "/ATen/native/mps/kernels/"):
            if folder in uri and uri.endswith(".h"):
                path = f"{folder.lstrip('/')}{uri.rpartition('/')[2]}"
                yield Item(path, ItemKind.HEADER, span, rank=2)


def _qualified(qualifier: str, span: Span) -> Iterator[Item]:
    last = qualifier.rstrip(":").rpartition("::")[2]
    if last == "mem_flags":
        yield from _of_table((it for it in MSL if it.name.startswith("mem_")), span, 1)
    elif "c10" in qualifier:
        yield from _of_table(C10_METAL, span, 1)
    elif last in ("metal", "fast", "precise"):
        yield from _of_table((it for it in MSL if it.kind is not WordKind.QUALIFIER), span, 1)


def _is_registration(index: KernelIndex, unit: Unit, name: str) -> bool:
    return (
        name in index.families
        or any(
            it.name == name and it.kind is WordKind.MACRO and name.startswith("REGISTER")
            for it in C10_METAL
        )
        or (name in unit.macros and name.startswith(_REGISTERING))
    )


def _arguments(
    index: KernelIndex, unit: Unit, macro: str, before: str, span: Span
) -> Iterator[Item]:
    """Yield dtypes or functors for an argument of a registration, by its parameter's name."""
    family, known = index.families.get(macro), unit.macros.get(macro)
    parameters = (family.parameters if family else known.parameters if known else None) or ()
    number = before.count(",")
    parameter = parameters[number] if number < len(parameters) else ""
    if _DTYPE_PARAMETER.search(parameter) or (number and not parameter):
        for rank, dtype in enumerate(SPELLINGS.values()):
            yield Item(dtype, ItemKind.DTYPE, span, rank=rank)
    else:
        stems = (name.removesuffix("_functor") for name in unit.functors)
        yield from items(stems, ItemKind.FUNCTOR, span, rank=0, detail="functor")


def _macros(index: KernelIndex, unit: Unit | None, span: Span) -> Iterator[Item]:
    known = {it.name: it for it in C10_METAL if it.kind is WordKind.MACRO}
    seen: Mapping[str, Macro] = unit.macros if unit else {}
    for name in {*index.families, *(it for it in seen if it.startswith("REGISTER_"))}:
        family = index.families.get(name)
        macro = seen.get(name)
        parameters = family.parameters if family else (macro.parameters if macro else None) or ()
        slots = ", ".join(f"${{{at}:{it}}}" for at, it in enumerate(parameters, 1))
        detail = f"({', '.join(parameters)})"
        rank = 1 if family else 3
        if not (name.endswith("_") and name in known):
            insert = f"{name}("
            yield Item(name, ItemKind.MACRO, span, insert, f"{name}({slots});", detail, rank)


def _words(facts: MetalFacts, unit: Unit | None, span: Span) -> Iterator[Item]:
    own = (it.name.text for it in (*facts.declarations, *facts.macros))
    named = (it for it in own if it and not it.startswith(_REGISTERING))
    yield from items(named, ItemKind.METAL_WORD, span, rank=2)
    for kernel in facts.kernels:
        if kernel.span.start <= span.start <= kernel.span.end:
            names = [it.name.text for it in kernel.arguments or ()]
            yield from items(names, ItemKind.METAL_WORD, span, rank=0, detail="parameter")
    yield from items(unit.functors if unit else (), ItemKind.FUNCTOR, span, rank=3)
    yield from _of_table(MSL, span, 4)
    yield from _of_table(C10_METAL, span, 5)
    yield from items(sorted(KEYWORDS), ItemKind.KEYWORD, span, rank=6)


def _of_table(table: Iterable[Word], span: Span, rank: int) -> Iterator[Item]:
    for word in table:
        detail = f"({word.parameters})" if word.parameters else ""
        if word.kind is WordKind.FUNCTION:
            snippet = f"{word.name}(${{1}})"
            yield Item(word.name, ItemKind.METAL_WORD, span, word.name, snippet, detail, rank)
        else:
            yield Item(word.name, ItemKind.METAL_WORD, span, rank=rank, detail=detail)
