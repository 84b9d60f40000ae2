"""An entry of a table, and how tables are written."""

import re
from collections.abc import Iterator
from enum import Enum

import msgspec

_NAME = re.compile(r"([A-Za-z_]\w*)\s*(?:<[^()]*>)?\s*\(")


class WordKind(Enum):
    """What a word is."""

    FUNCTION = "function"
    TYPE = "type"
    ATTRIBUTE = "attribute"
    QUALIFIER = "qualifier"
    CONSTANT = "constant"
    MACRO = "macro"


class Word(msgspec.Struct, frozen=True):
    """A word with its documentation: `signatures` are those of a function, `source` its home.

    `source` is a section of the specification, or a header.
    """

    name: str
    kind: WordKind
    summary: str
    source: str
    signatures: tuple[str, ...] = ()

    @property
    def parameters(self) -> str:
        """What stands between the parentheses of the first signature, "" without one."""
        first = self.signatures[0] if self.signatures else ""
        return first[first.find("(") + 1 : first.rfind(")")] if "(" in first else ""


def words(kind: WordKind, source: str, table: str) -> tuple[Word, ...]:
    """Read a table of lines `name | summary`.

    A function is written as its signatures, between semicolons: `T max(T x, T y) | The larger …`.
    A line that begins with a blank continues the summary before it; a line `# text` changes the
    source of the lines below it.
    """
    return tuple(_read(kind, source, table))


def _read(kind: WordKind, source: str, table: str) -> Iterator[Word]:
    for line in table.strip("\n").replace("\n ", " ").split("\n"):
        if line.startswith("# "):
            source = line[2:]
            continue
        head, _, summary = line.partition(" | ")
        parts = tuple(it.strip() for it in head.split(";"))
        named = _NAME.search(parts[0])
        is_call = kind in (WordKind.FUNCTION, WordKind.MACRO) and named is not None
        name = named[1] if named and is_call else parts[0].partition("(")[0].strip()
        yield Word(name, kind, re.sub(r"\s+", " ", summary).strip(), source, parts)
