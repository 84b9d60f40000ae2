"""Words for people."""

import re

_NO_TEXT = re.compile("[\ud800-\udfff]")


def counted(number: int, noun: str) -> str:
    """Return `number` with `noun` in the right number: `1 file`, `2 files`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def printable(text: str) -> str:
    """Return `text` with what stands for bytes that are no UTF-8 (PEP 383) replaced by U+FFFD."""
    return text if text.isascii() else _NO_TEXT.sub("\ufffd", text)
