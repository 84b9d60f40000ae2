"""Where the comments of a document are."""

import re
from collections.abc import Iterator

from mkls.text.document import Language
from mkls.text.span import Span

# Each alternative is a lexical part: what stands inside of one begins no other.
_C_PART = re.compile(
    r"""
    (?P<comment> // (?: \\(?:\r\n|[\s\S]) | [^\n\\] )* | /\* .*? (?: \*/ | \Z )
        | \# (?= [ \t]* mkls: ) [^\n]* )
    | R"(?P<mark> [^()\\\s"]{0,16} )\( (?P<raw> .*? ) \) (?P=mark) "
    | "(?: \\(?:\r\n|[\s\S]) | [^"\\\n] )*"
    | (?<! [0-9a-fA-F] ) '(?: \\. | [^'\\\n] )*'
    """,
    re.VERBOSE | re.DOTALL,
)
_YAML_PART = re.compile(
    r"""
    (?P<comment> (?<! \S ) \# [^\n]* )
    | (?<! [^\s\[{,] ) "(?: \\. | [^"\\\n] )*"
    | (?<! [^\s\[{,] ) '(?: '' | [^'\n] )*'
    """,
    re.VERBOSE,
)
_PYTHON_PART = re.compile(
    r"""
    (?P<comment> \# [^\n]* )
    | (?P<quotes> \"{3} | '{3} ) (?P<shader> (?: \\. | . )*? ) (?: (?P=quotes) | \Z )
    | "(?: \\(?:\r\n|[\s\S]) | [^"\\\n] )*"
    | '(?: \\(?:\r\n|[\s\S]) | [^'\\\n] )*'
    """,
    re.VERBOSE | re.DOTALL,
)
_YAML = frozenset((Language.NATIVE_FUNCTIONS, Language.DERIVATIVES))
_PYTHON = frozenset((Language.TORCHGEN, Language.PYTHON))


def comments(text: str, language: Language) -> Iterator[Span]:
    """Yield the comments of `text`, in order, those of shaders in raw strings as well.

    In C++ and Metal, `# mkls:` begins one, too: users of several languages write it.
    """
    if language in _YAML:
        return _of(_YAML_PART, text)
    return _of_python(text) if language in _PYTHON else _of_c(text, 0, len(text))


def _of(part: re.Pattern[str], text: str) -> Iterator[Span]:
    for found in part.finditer(text):
        if found["comment"] is not None:
            yield Span(*found.span())


def _of_python(text: str) -> Iterator[Span]:
    for found in _PYTHON_PART.finditer(text):
        if found["comment"] is not None:
            yield Span(*found.span())
        elif found["shader"] is not None:
            yield from (it for it in _of_c(text, *found.span("shader")) if text[it.start] == "/")


def _of_c(text: str, start: int, end: int) -> Iterator[Span]:
    for found in _C_PART.finditer(text, start, end):
        if found["comment"] is not None:
            yield Span(*found.span())
        elif found["raw"] is not None:
            yield from _of_c(text, *found.span("raw"))
