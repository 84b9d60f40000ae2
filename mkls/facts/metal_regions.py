"""Conditional regions: what stands between `#if` and `#endif`, and what is wrong with them."""

from collections.abc import Iterator

from mkls.facts.model.metal import Region
from mkls.syntax.metal.directive import ALTERNATIVE, OPENING, Directive
from mkls.syntax.problem import Problem
from mkls.text.span import Span


def regions_of(directives: list[Directive], length: int) -> tuple[Region, ...]:
    """Return the regions between conditional directives of a text of `length`, by start."""
    found: list[Region] = []
    open_groups: list[Directive] = []
    for directive in directives:
        closes = directive.kind in ALTERNATIVE or directive.kind == "endif"
        if closes and open_groups:
            found.append(_region(open_groups.pop(), directive.span.start))
        if directive.kind in OPENING or directive.kind in ALTERNATIVE:
            open_groups.append(directive)
    found += [_region(directive, length) for directive in open_groups]
    return tuple(sorted(found, key=lambda region: region.span))


def _region(directive: Directive, end: int) -> Region:
    return Region(directive.kind, directive.argument, Span(directive.span.end, end))


def conditional_problems(directives: list[Directive]) -> Iterator[Problem]:
    """Yield what every preprocessor must refuse: unbalanced or unknown conditionals."""
    groups: list[list[Directive]] = []
    for directive in directives:
        if directive.kind in OPENING:
            groups.append([directive])
            if not directive.argument:
                yield Problem(directive.span, f"`#{directive.kind}` without a condition")
        elif directive.kind in ALTERNATIVE or directive.kind == "endif":
            if not groups:
                yield Problem(directive.span, f"`#{directive.kind}` without `#if`")
            elif directive.kind == "endif":
                groups.pop()
            elif groups[-1][-1].kind == "else":
                yield Problem(directive.span, f"`#{directive.kind}` after `#else`")
            else:
                groups[-1].append(directive)
    for group in groups:
        yield Problem(group[0].span, f"`#{group[0].kind}` without `#endif`")
