"""Read the text of one entry: fast when it is plain, right when it is odd, anyway when broken."""

import msgspec

from mkls.syntax.native_functions.damaged_entry import damaged_pairs
from mkls.syntax.native_functions.entry_lines import pairs_of
from mkls.syntax.native_functions.nodes import Pair
from mkls.syntax.native_functions.yaml_entry import (
    NotAMapError,
    NotYamlError,
    not_yaml_problem,
    yaml_pairs,
)
from mkls.syntax.problem import Problem
from mkls.text.span import Span

# PyTorch's longest has 3,000 characters; a loader takes 20 ms for this many.
_LONGEST = 16384


class EntrySyntax(msgspec.Struct, frozen=True):
    """The pairs of one entry and what is wrong with its YAML; spans count from its start."""

    pairs: tuple[Pair, ...]
    problems: tuple[Problem, ...] = ()


def read_entry(text: str) -> EntrySyntax:
    """Return what the entry `text` says. Never fails."""
    if len(text) > _LONGEST:
        return EntrySyntax((), (Problem(Span(0, 1), "too much text for one entry"),))
    pairs = pairs_of(text)
    if pairs is not None:
        return EntrySyntax(pairs)
    if not text.startswith("- "):
        return EntrySyntax(
            *damaged_pairs(text, "an entry begins with `- func: ` in the first column")
        )
    try:
        return EntrySyntax(yaml_pairs(text))
    except NotAMapError:
        return EntrySyntax((), (_no_map(text),))
    except NotYamlError as error:
        offset, reason = error.args
        read, problems = damaged_pairs(text, reason)
        return EntrySyntax(read, problems or (not_yaml_problem(text, offset, reason),))


def _no_map(text: str) -> Problem:
    line = text.partition("\n")[0].rstrip()
    return Problem(Span(0, len(line)), "expected keys and values, as in `- func: name(…) -> …`")
