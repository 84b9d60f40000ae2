"""Read the header of a function definition, in blanked code."""

import re
from string import ascii_letters, digits
from typing import NamedTuple

from mkls.syntax.host.brackets import closing_parenthesis, split_commas, trimmed


class ParameterText(NamedTuple):
    """A parameter: where its type, its name and its default value stand."""

    start: int
    end: int
    type: tuple[int, int]
    name: tuple[int, int]
    default: tuple[int, int]


class Header(NamedTuple):
    """A function's header: where its name stands, and what surrounds it."""

    name: tuple[int, int]
    qualifier: str
    result: tuple[int, int]
    parameters: list[ParameterText]
    torch_impl: bool


_TORCH_IMPL = re.compile(r"\bTORCH_IMPL_FUNC\s*\(\s*(\w+)\s*\)\s*(?=\()")
_NAME = re.compile(
    r"((?:[A-Za-z_]\w*\s*(?:<[^<>();]*>\s*)?::\s*)*)"
    r"(~?[A-Za-z_]\w*|operator[^\w\s(]{1,3})\s*(?:<[^<>();]*>\s*)?\("
)
_TEMPLATE = re.compile(r"\s*template\s*<")
_ANGLE = re.compile(r"[<>]")
_NOT_A_NAME = frozenset(
    {
        *("decltype", "alignas", "noexcept", "__attribute__", "__declspec", "requires", "throw"),
        *("if", "for", "while", "switch", "return", "catch", "sizeof", "static_assert"),
        *("defined", "typedef", "using", "void", "bool", "int", "float", "double", "char"),
    }
)
_LONE_TYPE = frozenset({"int", "bool", "float", "double", "char", "void", "auto", "size_t"})
_WORD_CHARACTERS = ascii_letters + digits + "_"


def header_of(code: str, start: int, end: int) -> Header | None:
    """Return the function header that `code[start:end]` is, or None when it is no function's."""
    impl = _TORCH_IMPL.search(code, start, end)
    if impl:
        return _with_parameters(code, impl.span(1), "", (start, start), impl.end(), end, impl=True)
    begin = _after_templates(code, start, end)
    if code[begin : begin + 1] in "@-+":
        return None
    for match in _NAME.finditer(code, begin, end):
        if match[2] in _NOT_A_NAME or match[2].startswith("operator"):
            continue
        qualifier = re.sub(r"\s|<[^<>]*>|::\s*\Z", "", match[1])
        result = trimmed(code, begin, match.start())
        if result[0] == result[1] and not qualifier and not match[2].startswith("~"):
            return None
        return _with_parameters(
            code, match.span(2), qualifier, result, match.end() - 1, end, impl=False
        )
    return None


def _after_templates(code: str, start: int, end: int) -> int:
    while match := _TEMPLATE.match(code, start, end):
        depth, start = 1, match.end()
        for angle in _ANGLE.finditer(code, match.end(), end):
            depth += 1 if angle[0] == "<" else -1
            if depth == 0:
                start = angle.end()
                break
        else:
            return end
    return trimmed(code, start, end)[0]


def _with_parameters(
    code: str,
    name: tuple[int, int],
    qualifier: str,
    result: tuple[int, int],
    opening: int,
    end: int,
    *,
    impl: bool,
) -> Header | None:
    close = closing_parenthesis(code, opening, end)
    if close is None:
        return None
    parts = split_commas(code, opening + 1, close, angles=True)
    return Header(name, qualifier, result, [_parameter(code, *part) for part in parts], impl)


def _parameter(code: str, start: int, end: int) -> ParameterText:
    equals = code.find("=", start, end)
    declared = trimmed(code, start, end if equals < 0 else equals)
    default = (end, end) if equals < 0 else trimmed(code, equals + 1, end)
    text = code[declared[0] : declared[1]]
    bare = (text[: text.rfind("[")] if text.endswith("]") else text).rstrip()
    rest = bare.rstrip(_WORD_CHARACTERS)
    word = bare[len(rest) :]
    if not rest.strip() or not word or word in _LONE_TYPE:
        return ParameterText(start, end, declared, (declared[1], declared[1]), default)
    name = (declared[0] + len(rest), declared[0] + len(bare))
    return ParameterText(start, end, trimmed(code, declared[0], name[0]), name, default)


def parameter_names(code: str, start: int, end: int) -> list[str]:
    """Return the names in the parameter list `code[start:end]`."""
    parts = split_commas(code, start, end, angles=True)
    return [code[slice(*_parameter(code, *part).name)] for part in parts]
