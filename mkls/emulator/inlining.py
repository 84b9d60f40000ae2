"""Functions in which a thread may wait are inlined: then all waits stand in the kernel itself."""

from collections.abc import Iterable, Iterator

from mkls.emulator.declarations import Declaration
from mkls.emulator.edits import Edit
from mkls.emulator.synchronisation import Reach
from mkls.emulator.tokens import Tokens


def inlined_helpers(
    tokens: Tokens, all_declarations: Iterable[Declaration], reach: Reach
) -> Iterator[Edit]:
    """An attribute for every function definition that may lead to a wait."""
    for declaration in all_declarations:
        is_function = declaration.body >= 0 and declaration.parameters >= 0
        if not is_function or declaration.is_type or declaration.instantiation:
            continue
        if reach.leads_to_wait(declaration):
            start = tokens.starts[declaration.head]
            yield Edit(start, start, "__attribute__((always_inline)) ")
