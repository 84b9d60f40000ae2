"""Where the host name of a kernel is spelt: in the attribute, be it in a macro's body."""

import re
from collections.abc import Iterator
from typing import Final

from mkls.facts.model.metal import MacroDefinition
from mkls.index.kernels_link import Kernel
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.span import Span

_HOST_NAME: Final = re.compile(r"\bhost_name\s*\(([^()]*)\)")
_LITERAL: Final = re.compile(r'"([^"\n]*)"')


def host_name_place(snapshot: Snapshot, kernel: Kernel) -> Place | None:
    """Return what `host_name(…)` holds in the macro that makes `kernel`; None without a macro."""
    unit = snapshot.kernels.units.get(kernel.unit)
    if unit is None or not kernel.macro:
        return None
    registrations = snapshot.kernels.registrations.get(kernel.unit, ())
    leaves = {it.leaf.macro for it in registrations if kernel in it.kernels}
    # A macro may be handed to the one that is invoked.
    leaves |= set(kernel.macro_arguments)
    for uri, facts in unit.visited.items():
        for macro in facts.macros:
            if macro.name.text in leaves:
                span = next(_spelling(macro, kernel.host_name), None)
                if span is not None:
                    return Place(uri, span)
    return None


def _spelling(macro: MacroDefinition, host_name: str) -> Iterator[Span]:
    for found in _HOST_NAME.finditer(macro.body):
        if all(text in host_name for text in _LITERAL.findall(found[1])):
            yield Span(*found.span(1)).shifted(macro.body_span.start)
