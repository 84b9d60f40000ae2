"""What a macro that is invoked between functions makes: functions, registrations, lookups."""

from collections.abc import Callable, Mapping
from typing import TypeVar, cast

import msgspec

from mkls.facts.host_items import item_facts
from mkls.facts.host_stubs import is_stub_macro
from mkls.facts.model.host import Invocation, ItemFacts
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.items import items
from mkls.syntax.host.macros import Expansion, expand
from mkls.syntax.metal.macro import Macro
from mkls.text.span import Span

T = TypeVar("T")

KNOWN = frozenset({"TORCH_IMPL_FUNC", "TORCH_META_FUNC", "TORCH_LIBRARY_IMPL", "TORCH_LIBRARY"})
"""Macros that the readers know by name, and that are never expanded."""


def is_known(name: str) -> bool:
    """Whether `name` is a macro that the readers understand unexpanded."""
    return name in KNOWN or is_stub_macro(name) or name.startswith("TORCH_CHECK")


def expanded(
    invocation: Invocation, macro: Macro, macros: Mapping[str, Macro]
) -> tuple[ItemFacts, ...]:
    """Return what `invocation` of `macro` states, one by one for each item that it makes.

    A name that an argument made has that argument's span, everything else the invocation's.
    """
    arguments = tuple(argument.text for argument in invocation.arguments)
    expansion = expand(macro, arguments, macros)
    code = Code(expansion.text)
    return tuple(
        _moved(
            item_facts(code.part(item.start, item.end), item.shifted(-item.start)),
            _mover(invocation, expansion, item.start),
        )
        for item in items(code.code)
    )


def _mover(invocation: Invocation, expansion: Expansion, start: int) -> Callable[[Span], Span]:
    def move(span: Span) -> Span:
        argument = expansion.argument_at(start + span.start)
        if 0 <= argument < len(invocation.arguments):
            return invocation.arguments[argument].span
        return invocation.span

    return move


def _moved(value: T, move: Callable[[Span], Span]) -> T:
    """Return `value` with every span in it moved."""
    if isinstance(value, Span):
        return cast("T", move(value))
    if isinstance(value, tuple):
        return cast("T", tuple(_moved(child, move) for child in cast("tuple[object, ...]", value)))
    if isinstance(value, msgspec.Struct):
        fields = value.__struct_fields__
        return type(value)(*(_moved(getattr(value, field), move) for field in fields))
    return value
