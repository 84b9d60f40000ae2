"""Words for people."""

import re

_NO_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def counted(number: int, noun: str) -> str:
    """Return `number` with `noun` in the right number: `1 file`, `2 files`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def printable(text: str) -> str:
    """Return `text` for a terminal, as long as it was.

    U+FFFD stands for control characters, which may move its cursor, and for bytes that are no UTF-8
    (PEP 383).
    """
    return _NO_TEXT.sub("\ufffd", text)
