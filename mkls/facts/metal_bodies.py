"""Metal text to what the bodies of its functions do.

Each kind looks first for a word without which it cannot occur; only the functions around such
words are looked into.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Final

from mkls.facts.bodies_extremes import extremes_in
from mkls.facts.bodies_indices import loose_bounds_in, narrow_products_in, trusted_indices_in
from mkls.facts.bodies_numbers import float_detours_in, quotient_remainders_in
from mkls.facts.bodies_pointers import mixed_spaces_in, unqualified_pointers_in
from mkls.facts.bodies_statements import partial_switches_in, reports_in
from mkls.facts.bodies_threads import late_barriers_in, unfenced_reads_in
from mkls.facts.bodies_words import (
    bfloat_functions_of,
    doubles_of,
    floating_conditions_of,
    modern_syntax_of,
)
from mkls.facts.model.metal_bodies import BodyPlace, MetalBodies
from mkls.syntax.metal.function import Function, functions_of
from mkls.syntax.metal.item import Item

_Places = tuple[BodyPlace, ...]
_Look = Callable[[str, Function], Iterable[BodyPlace]]

_EXTREME: Final = re.compile(r"(?:max|min|clamp)\s*\(")
_TO_FLOAT: Final = re.compile(r"float\s*[(>]")
_REMAINDER: Final = re.compile(r"\)\s*%")
_LOOSE: Final = re.compile(r"if\s*\([^;{}]{0,200}?\s>\s")
_REPORT: Final = re.compile(r"TORCH_REPORT_ERROR\s*\(")
_SWITCH: Final = re.compile(r"ScalarType\s*::")
_PRODUCT: Final = re.compile(r"int(?:32_t)?\s+\w+\s*=[^;]*\*")
_LOADED: Final = re.compile(r"=\s*\w+\s*\[")
_BARRIER: Final = re.compile(r"threadgroup_barrier\s*\(")
_SHARED: Final = re.compile(r"threadgroup\s+[\w:<>]+\s+\w+\s*\[")
_POINTER: Final = re.compile(r"\*\s*(?:const\s+)?\w+\s*=\s*&?\w")
_BARE: Final = re.compile(
    r"[(,]\s*(?:(?:const|volatile)\s+)*(?:::)?(?:\w+::)*\w+(?:<[^<>;(){}]*>)?\s*(?:const\s*)?[*&]\s*"
    r"(?:const\s+)?\w+\s*(?:[,)=]|\[\[)"
)


def bodies_of(clean: str, items: list[Item]) -> MetalBodies:
    """Return what the functions of `clean`, the structure of a text with `items`, do."""
    reader = _Reader(clean, items)
    return MetalBodies(
        extremes=reader.near(_EXTREME, extremes_in),
        float_detours=reader.near(_TO_FLOAT, float_detours_in),
        loose_bounds=reader.near(_LOOSE, loose_bounds_in),
        reports=reader.near(_REPORT, reports_in),
        doubles=doubles_of(clean),
        modern_syntax=modern_syntax_of(clean),
        floating_conditions=floating_conditions_of(clean, items),
        unqualified_pointers=reader.near(_BARE, unqualified_pointers_in),
        mixed_spaces=reader.near(_POINTER, mixed_spaces_in),
        quotient_remainders=reader.near(_REMAINDER, quotient_remainders_in),
        narrow_products=reader.near(_PRODUCT, narrow_products_in),
        trusted_indices=reader.near(_LOADED, trusted_indices_in),
        late_barriers=reader.near(_BARRIER, late_barriers_in),
        unfenced_reads=reader.near(_SHARED, unfenced_reads_in),
        bfloat_functions=bfloat_functions_of(clean, items),
        partial_switches=reader.near(_SWITCH, partial_switches_in),
    )


class _Reader:
    def __init__(self, clean: str, items: list[Item]) -> None:
        self.clean = clean
        self.items = items
        self._functions: dict[int, tuple[Function, ...]] = {}

    @cached_property
    def _starts(self) -> list[int]:
        return [item.start for item in self.items]

    def near(self, word: re.Pattern[str], look: _Look) -> _Places:
        """Return what `look` finds in the functions of the items that hold `word`."""
        if word.search(self.clean) is None:
            return ()
        met = (bisect_right(self._starts, it.start()) - 1 for it in word.finditer(self.clean))
        return tuple(
            place
            for index in dict.fromkeys(met)
            if index >= 0
            for function in self._functions_at(index)
            if word.search(self.clean, function.head.start, function.body.end)
            for place in look(self.clean, function)
        )

    def _functions_at(self, index: int) -> tuple[Function, ...]:
        known = self._functions.get(index)
        if known is None:
            known = tuple(functions_of(self.clean, (self.items[index],)))
            self._functions[index] = known
        return known
