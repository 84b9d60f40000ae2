"""Small questions about C++ text that is scanned, not parsed."""

from string import ascii_letters, digits

WORD_CHARACTERS = ascii_letters + digits + "_"


def is_word(character: str) -> bool:
    """Whether `character` can be part of an identifier; "" cannot."""
    return character.isalnum() or character == "_"


def body_end(text: str, start: int) -> int:
    """Return the end of the body that opens at `start`, whose last brace stands in column 0."""
    end = text.find("\n}", start)
    return len(text) if end < 0 else end + 2


def _line_before(text: str, at: int) -> str:
    return text[text.rfind("\n", 0, at) + 1 : at]


def in_comment(text: str, at: int) -> bool:
    """Whether a comment holds `at`, as far as its line tells."""
    line = _line_before(text, at)
    return "//" in line or line.lstrip().startswith("*")


def in_directive(text: str, at: int) -> bool:
    """Whether the line of `at` is a preprocessor directive."""
    return _line_before(text, at).lstrip().startswith("#")
