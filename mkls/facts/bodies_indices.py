"""Indices: how far they may reach, and who looks."""

import re
from collections.abc import Iterator
from typing import Final

from mkls.facts.model.metal_bodies import BodyPlace
from mkls.syntax.metal.function import Function, closing
from mkls.text.span import Span

_IF: Final = re.compile(r"\bif\s*(\()")
_STOPS: Final = re.compile(r"\s*(?:\{\s*)?(?:return|continue|break|TORCH_REPORT_ERROR)\b")
_GREATER: Final = re.compile(
    r"(?:^|\|\||\()\s*([^\W\d]\w*)\s*(>)\s*((?:(?:u?long|u?int|static_cast\s*<\s*\w+\s*>)\s*\(\s*)?"
    r"([^\W\d]\w*(?:\.\w+|\[\w+\])?)\s*\)?)\s*(?=\|\||\)*\s*\Z)"
)
_LAST: Final = re.compile(r"last|max|min|end|upper|limit|threshold|final", re.IGNORECASE)
_POSITION: Final = re.compile(r"\bthread_position_in_grid\b|\bthread_index\w*")
_PRODUCT: Final = re.compile(r"\b(u?int|u?int32_t)\s+([^\W\d]\w*)\s*=\s*([^;]*\*[^;]*?)\s*;")
_SIZED: Final = re.compile(
    r"stride|size|numel|dim|rows|columns|cols|width|height|step|length|count"
)
_WIDE: Final = re.compile(r"\bu?long\b|\bu?int64_t\b|\bsize_t\b|\bptrdiff_t\b|OffsetT|offset_t")
_FACTORS: Final = re.compile(
    r"(?<![\w.])([^\W\d][\w.]*(?:\[[^\[\]]*\])?)\s*\*\s*([^\W\d][\w.]*(?:\[[^\[\]]*\])?)"
)
_CONSTANT: Final = re.compile(r"[A-Z][A-Z0-9_]*\Z|k[A-Z]\w*\Z")
_INDEX: Final = re.compile(r"\b(?:u?long|u?int|int64_t|int32_t|index_t|IndexT|IDX_T)\b[^,]*\*")
_LOADED: Final = re.compile(
    r"\b(?:auto|u?long|u?int|int64_t|int32_t)\s+([^\W\d]\w*)\s*=\s*([^\W\d]\w*)\s*\[[^;]*\]\s*;"
)


def loose_bounds_in(clean: str, function: Function) -> Iterator[BodyPlace]:
    """Yield each `>` of a check that ought to keep an index below a size."""
    for found in _IF.finditer(clean, function.body.start, function.body.end):
        start = found.start(1)
        end = closing(clean, start, function.body.end)
        if end >= 0 and _STOPS.match(clean, end + 1, function.body.end):
            yield from _loose(clean, function, start + 1, end)


def _loose(clean: str, function: Function, start: int, end: int) -> Iterator[BodyPlace]:
    for found in _GREATER.finditer(clean[start:end]):
        index, bound = found[1], found[4]
        condition = clean[start:end]
        if _LAST.search(bound) or not (
            _mirrors(condition, index, bound) or _is_index(clean, function, index, start, end)
        ):
            continue
        sign = Span(start + found.start(2), start + found.end(2))
        yield BodyPlace(sign, index, bound, function.name, sign, ">=")


def _mirrors(condition: str, index: str, bound: str) -> bool:
    """Whether the lower bound is the negative of the upper one, as for an index that may wrap."""
    size = re.escape(bound)
    return (
        re.search(rf"\b{re.escape(index)}\s*<\s*-\s*(?:u?long\s*\(\s*)?{size}\b", condition)
        is not None
    )


def _is_index(clean: str, function: Function, index: str, start: int, end: int) -> bool:
    """Whether `index` was read from a buffer or is a thread's, and then used as an index."""
    used = re.compile(rf"\[[^\[\];]*\b{index}\b[^\[\];]*\]|\b{index}\s*[*+]|[*+]\s*{index}\b")
    read = re.compile(rf"\b{index}\s*=\s*(?:\w+\s*\(\s*)?\w+\s*\[")
    given = any(it.name == index and _POSITION.search(it.attribute) for it in function.parameters)
    subscript = re.compile(rf"\[[^\[\];]*\b{index}\b[^\[\];]*\]")
    later = subscript if given else used
    loaded = given or read.search(clean, function.body.start, start) is not None
    return loaded and later.search(clean, end, function.body.end) is not None


def narrow_products_in(clean: str, function: Function) -> Iterator[BodyPlace]:
    """Yield the products of sizes in 32 bits that become offsets."""
    for found in _PRODUCT.finditer(clean, function.body.start, function.body.end):
        name, value = found[2], found[3]
        used = re.compile(rf"\[[^\[\];]*\b{name}\b|[+]=?\s*{name}\b")
        product = _product_of_sizes(value)
        if product and used.search(clean, found.end(), function.body.end):
            yield BodyPlace(product.shifted(found.start(3)), name, found[1], function.name)


def _product_of_sizes(value: str) -> Span | None:
    """Return the product with a size that `value` computes in 32 bits, if there is one."""
    for found in () if _WIDE.search(value) else _FACTORS.finditer(value):
        is_constant = _CONSTANT.match(found[1]) or _CONSTANT.match(found[2])
        if not is_constant and (_SIZED.search(found[1]) or _SIZED.search(found[2])):
            return Span(*found.span())
    return None


def trusted_indices_in(clean: str, function: Function) -> Iterator[BodyPlace]:
    """Yield the first use as a subscript of each index that was read and never compared."""
    buffers = {it.name for it in function.parameters if _INDEX.search(it.type)}
    buffers -= {it for it in buffers if _SIZED.search(it)}
    for found in _LOADED.finditer(clean, function.body.start, function.body.end):
        if found[2] not in buffers:
            continue
        place = _trusted(clean, function, found[1], found.end())
        if place is not None:
            yield BodyPlace(place, found[1], found[2], function.name)


def _trusted(clean: str, function: Function, name: str, start: int) -> Span | None:
    checked = re.compile(
        rf"\b{name}\s*(?:[<>]|==|!=)|(?:[<>]=?|==|!=)\s*{name}\b|\b(?:min|max|clamp)\s*\([^;]*\b{name}\b"
        rf"|[(,]\s*&?\s*{name}\s*[,)]|\b{name}\s*[%&]"
    )
    if checked.search(clean, start, function.body.end):
        return None
    used = re.compile(rf"\w\s*\[[^\[\];]*?\b({name})\b").search(clean, start, function.body.end)
    return Span(*used.span(1)) if used else None
