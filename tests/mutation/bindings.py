"""Mistakes where the host binds the arguments of a kernel."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mkls.text.span import Span
from tests.mutation.lookups import Lookup, lookups
from tests.mutation.text import bare, calls, closing, function, statement
from tests.support.mutation import Kind, Site, Tree

_MM = r"/mps/operations/.*\.mm$"
_SIZES = {
    "int64_t": 8,
    "uint64_t": 8,
    "size_t": 8,
    "int32_t": 4,
    "uint32_t": 4,
    "int": 4,
    "float": 4,
    "bool": 1,
}
_TENSOR = 0
"""Stands for a tensor where a size is asked for."""


class Binding(NamedTuple):
    """One `mtl_setArgs` in a function that looks up one kernel; the encoder is no argument."""

    path: str
    text: str
    function: Span
    call: Span
    arguments: tuple[Span, ...]
    first: int
    name: Lookup

    @property
    def place(self) -> Span:
        """The statement that binds."""
        return self.call

    @property
    def gone(self) -> tuple[str, ...]:
        """Words of the kernel's name."""
        words = re.findall(
            r"[A-Za-z]\w{2,}", " ".join(re.findall(r'"([^"]*)"', self.name.name.of(self.text)))
        )
        return tuple(word.strip("_") for word in words)


def bindings(tree: Tree) -> tuple[Binding, ...]:
    """Return every `mtl_setArgs` whose function looks up one kernel, by a name with a literal."""
    found: list[Binding] = []
    for path, text in tree.matching(_MM):
        plain = bare(text)
        known = [it for it in tree.once(lookups) if it.path == path]
        for match, arguments in calls(plain, "mtl_setArgs"):
            whole = function(plain, match.start())
            own = [it for it in known if whole.covers(it.call)]
            if (
                len(own) != 1
                or '"' not in own[0].name.of(text)
                or own[0].function.startswith("exec")
            ):
                continue
            offset = re.search(r"<(\d+)>", match[0])
            call = Span(match.start(), closing(plain, match.end() - 1) + 1)
            first = int(offset[1]) if offset else 0
            found.append(Binding(path, text, whole, call, tuple(arguments[1:]), first, own[0]))
    return tuple(found)


def argument_dropped(tree: Tree) -> Iterator[Site]:
    """One bound argument is left out: the kernel takes one more, or the rest moves up."""
    for it in tree.once(bindings):
        for span in it.arguments:
            if len(it.arguments) > 1:
                before = it.text.rindex(",", it.call.start, span.start)
                yield Site(it.path, Span(before, span.end), ("",), it.place, it.gone)


def argument_added(tree: Tree) -> Iterator[Site]:
    """One argument more is bound than the kernel takes."""
    for it in tree.once(bindings):
        last = it.arguments[-1]
        again = f", {last.of(it.text)}"
        if len(_calls_in(it)) == 1:
            yield Site(it.path, Span(last.end, last.end), (again,), it.place, it.gone)


def _calls_in(binding: Binding) -> list[str]:
    plain = bare(binding.text)[binding.function.start : binding.function.end]
    return re.findall(r"\bmtl_set\w+|\bset(?:Bytes|Buffer):", plain)


def arguments_swapped(tree: Tree) -> Iterator[Site]:
    """Two bound arguments of different size, or a tensor and a value, change places."""
    for it in tree.once(bindings):
        sizes = [_size(it, span) for span in it.arguments]
        for place in range(len(it.arguments) - 1):
            for other in range(place + 1, len(it.arguments)):
                left, right = sizes[place], sizes[other]
                if left is None or right is None or left == right:
                    continue
                first, second = it.arguments[place], it.arguments[other]
                between = it.text[first.end : second.start]
                swapped = second.of(it.text) + between + first.of(it.text)
                yield Site(it.path, Span(first.start, second.end), (swapped,), it.place, it.gone)


def _size(binding: Binding, span: Span) -> int | None:
    """Return how many bytes an argument takes, 0 for a tensor, None when the text does not tell."""
    text = span.of(binding.text)
    cast = re.match(r"static_cast<(\w+)>\(", text)
    if cast:
        return _SIZES.get(cast[1])
    if not re.fullmatch(r"\w+", text):
        return None
    own = bare(binding.text)[binding.function.start : span.start]
    name = re.escape(text)
    array = re.search(rf"std::array<(\w+), (\d+)>&? {name}\b", own)
    if array:
        return _SIZES.get(array[1], 0) * int(array[2]) or None
    if re.search(rf"\b(?:Tensor|TensorBase)&? {name}\b", own):
        return _TENSOR
    if re.search(rf"\bauto {name} = [^;]*(?:contiguous\(\)|zeros\(|empty\w*\()", own):
        return _TENSOR
    value = re.search(rf"\bauto {name} = static_cast<(\w+)>", own)
    declared = value or re.search(rf"\b(\w+)&? {name}(?= =|[,)])", own)
    return _SIZES.get(declared[1]) if declared else None


_RETYPED = {"uint32_t": "int64_t", "int32_t": "int64_t", "float": "int64_t", "int64_t": "uint32_t"}


def argument_retyped(tree: Tree) -> Iterator[Site]:
    """A number is bound with another size than the kernel's parameter has."""
    for it in tree.once(bindings):
        for span in it.arguments:
            if _size(it, span) in (None, _TENSOR):
                continue
            found = _declared_type(it, span)
            if found and found.of(it.text) in _RETYPED:
                wrong = _RETYPED[found.of(it.text)]
                place = Span(min(found.start, it.place.start), it.place.end)
                yield Site(it.path, found, (wrong,), place, it.gone)


def _declared_type(binding: Binding, span: Span) -> Span | None:
    text = span.of(binding.text)
    cast = re.match(r"static_cast<(\w+)>\(", text)
    if cast:
        return Span(*cast.span(1)).shifted(span.start)
    own = bare(binding.text)[binding.function.start : span.start]
    name = re.escape(text)
    found = re.search(rf"\bauto {name} = static_cast<(\w+)>", own) or re.search(
        rf"\b(\w+) {name}(?= =)", own
    )
    return Span(*found.span(1)).shifted(binding.function.start) if found else None


def array_shortened(tree: Tree) -> Iterator[Site]:
    """An array of numbers is bound with one number less than the kernel's vector holds."""
    for it in tree.once(bindings):
        own = bare(it.text)[it.function.start : it.call.start]
        for span in it.arguments:
            name = re.escape(span.of(it.text))
            for found in re.finditer(rf"std::array<(\w+), (\d)>&? {name}\b", own):
                count = int(found[2])
                if count > 1 and found[1] in _SIZES:
                    digit = Span(*found.span(2)).shifted(it.function.start)
                    place = Span(digit.start, it.place.end)
                    yield Site(it.path, digit, (str(count - 1),), place, it.gone)


def bound_index_changed(tree: Tree) -> Iterator[Site]:
    """One argument, or the first of several, is bound to the number after its own."""
    names = tree.once(lookups)
    for path, text in tree.matching(_MM):
        plain = bare(text)
        for found in re.finditer(
            r"\bset(?:Bytes|Buffer):[^;]*? atIndex:(\d+)\]|\bmtl_setArgs<(\d+)>", plain
        ):
            group = 1 if found[1] else 2
            whole = function(plain, found.start())
            own = [it for it in names if it.path == path and whole.covers(it.call)]
            if len(own) == 1 and '"' in own[0].name.of(text) and own[0].function == _PIPELINE:
                number = str(int(found[group]) + 1)
                place = statement(plain, found.start())
                yield Site(path, Span(*found.span(group)), (number,), place)


_PIPELINE = "getPipelineStateForFunc"


KINDS = (
    Kind("argument-dropped", "binding", argument_dropped),
    Kind("argument-added", "binding", argument_added),
    Kind("arguments-swapped", "binding", arguments_swapped),
    Kind("argument-retyped", "binding", argument_retyped),
    Kind("array-shortened", "binding", array_shortened),
    Kind("bound-index-changed", "binding", bound_index_changed),
)
