"""The bare structure of a text: comments, directives and what literals hold become blanks.

Every offset stays what it was, so that cheap searches on the structure give places in the text.
"""

import itertools
import re
from typing import Final, NamedTuple

from mkls.syntax.metal.directive import ALTERNATIVE, OPENING, Directive, directive_at
from mkls.syntax.metal.pattern import BLOCK_COMMENT, LINE_COMMENT, STRING

_SCAN: Final = re.compile(
    rf"{LINE_COMMENT}"
    rf"|{BLOCK_COMMENT}"
    rf"|{STRING}"
    r"|'(?:[^'\\\n]|\\[\s\S]){1,8}'"
    rf"|\n[ \t]*\#(?:[^\n\\/\"]|\\(?:\r\n|[\s\S])|{STRING}|\"|{BLOCK_COMMENT}|{LINE_COMMENT}|/)*"
)
_INK: Final = re.compile(r"[^\n]")
_OPEN_ENDED: Final = re.compile(r"\A\s*0\s*\Z")


class Structure(NamedTuple):
    """A text without its comments, literals and directives, equal in length."""

    clean: str
    directives: list[Directive]


def structure_of(text: str) -> Structure:
    """Return the structure of `text`; dead or rival branches are blank where braces demand it."""
    directives: list[Directive] = []

    def blank(match: re.Match[str]) -> str:
        found = match[0]
        if found[0] in "\"'":
            return found[0] + " " * (len(found) - 2) + found[0]
        if found[0] == "\n":
            directives.append(directive_at(text, match.start(), match.end() - 1))
        return blanked(found)

    clean = _SCAN.sub(blank, "\n" + text)[1:]
    return Structure(_reconciled(clean, directives), directives)


def blanked(text: str) -> str:
    """Return `text` with every character but line feeds replaced by a blank."""
    return _INK.sub(" ", text) if "\n" in text else " " * len(text)


def _reconciled(clean: str, directives: list[Directive]) -> str:
    """Return `clean` with one branch kept where branches open or close brackets on their own.

    `#if A` / `void f(int x) {` / `#else` / `void f(long x) {` / `#endif` has one brace too many;
    what stands under `#if 0` is no code at all.
    """
    groups: list[list[Directive]] = []
    drop: list[tuple[int, int]] = []
    for directive in directives:
        if directive.kind in OPENING:
            groups.append([directive])
        elif groups and directive.kind in ALTERNATIVE:
            groups[-1].append(directive)
        elif groups and directive.kind == "endif":
            drop += _rivals(clean, [*groups.pop(), directive])
    for start, end in drop:
        clean = clean[:start] + blanked(clean[start:end]) + clean[end:]
    return clean


def _rivals(clean: str, group: list[Directive]) -> list[tuple[int, int]]:
    branches = [(before.span.end, after.span.start) for before, after in itertools.pairwise(group)]
    dead = group[0].kind == "if" and _OPEN_ENDED.match(group[0].argument)
    drop = branches[:1] if dead else []
    rest = branches[len(drop) :]
    if len(rest) > 1 and any(not _balanced(clean, *branch) for branch in rest):
        drop = drop + rest[1:]
    return drop


def _balanced(clean: str, start: int, end: int) -> bool:
    return clean.count("{", start, end) == clean.count("}", start, end) and clean.count(
        "(", start, end
    ) == clean.count(")", start, end)
