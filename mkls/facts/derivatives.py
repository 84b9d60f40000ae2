"""Read what `derivatives.yaml` states, line by line: its formulas are C++, which is not parsed."""

import re
from collections.abc import Iterator

from mkls.facts.model.derivatives import Derivative, DerivativesFacts
from mkls.facts.model.name import Name
from mkls.text.span import Span

_ENTRY = re.compile(r"(?:\A|\n)- name: *([\w.]+)[^\n]*")


def derivatives_facts(text: str) -> DerivativesFacts:
    """Return the operators of `text` that have derivatives; broken text states less."""
    return DerivativesFacts(tuple(_derivatives(text)))


def _derivatives(text: str) -> Iterator[Derivative]:
    entries = list(_ENTRY.finditer(text))
    ends = [*(match.start() for match in entries[1:]), len(text)]
    for match, end in zip(entries, ends, strict=False):
        start = match.end()
        yield Derivative(Name(match[1], Span(*match.span(1))), text[start:end], start)
