"""The name of an operator: `aten::add_.Tensor`."""

import re

import msgspec

from mkls.syntax.problem import Problem
from mkls.text.span import Span

_NAME = re.compile(r"(?:(\w+)::)?(\w+)(?:\.(\w*))?")
_DUNDER = re.compile(r"__([^_]+)__\Z")
_FUNCTIONAL = "_functional"
AUGMENTED_ASSIGNMENTS = frozenset(
    ("iadd", "isub", "imul", "idiv", "imod", "ipow", "ilshift", "irshift", "iand", "ixor", "ior")
)
"""`__iadd__` and its like are in-place (torchgen's AUGMENTED_ASSIGNMENT_NAMES, PEP 203)."""


class OperatorName(msgspec.Struct, frozen=True, gc=False):
    """An operator's name, as torchgen's `OperatorName` takes it apart.

    `text` is the name without its namespace, `add_.Tensor`: the identity of a row. `overload` is
    empty when there is none. `base` is what the in-place and the functional variant share, and
    `is_inplace` whether the function writes to `self` by its name: `add_`, `__iadd__`.
    """

    text: str
    span: Span
    function: str
    function_span: Span
    base: str = ""
    is_inplace: bool = False
    overload: str = ""
    overload_span: Span = Span(0, 0)
    namespace: str = ""

    @property
    def is_dunder(self) -> bool:
        """Whether the function is a double-underscore method, such as `__and__`."""
        return _DUNDER.match(self.function) is not None


def base_name(function: str) -> str:
    """Return the name that `add` and `add_` share; dunder methods keep their underscores."""
    if function.startswith("__"):
        dunder = _DUNDER.match(function)
        if dunder:
            return f"__{dunder[1][1:]}__" if dunder[1] in AUGMENTED_ASSIGNMENTS else function
    return function.removesuffix("_").removesuffix(_FUNCTIONAL)


def is_inplace_name(function: str) -> bool:
    """Whether the function writes to `self` by its name."""
    if not function.endswith("_"):
        return False
    dunder = _DUNDER.match(function)
    return dunder[1] in AUGMENTED_ASSIGNMENTS if dunder else True


def read_operator_name(text: str, start: int = 0) -> tuple[OperatorName, list[Problem]]:
    """Return the name that begins at `start`, and what torchgen would reject in it."""
    match = _NAME.match(text, start)
    if match is None:
        nowhere = Span(start, start)
        problem = Problem(Span(start, len(text)), "expected an operator's name")
        return OperatorName("", nowhere, "", nowhere), [problem]
    function, overload = Span(*match.span(2)), Span(*match.span(3))
    span = Span(function.start, overload.end if match[3] else function.end)
    name = OperatorName(
        text[span.start : span.end],
        span,
        match[2],
        function,
        base_name(match[2]),
        is_inplace_name(match[2]),
        match[3] or "",
        overload,
        match[1] or "",
    )
    problems = _problems(name)
    if match[3] == "":
        problems.append(Problem(Span(match.end() - 1, match.end()), "expected an overload's name"))
    return name, problems


def _problems(name: OperatorName) -> list[Problem]:
    if name.function.endswith("_out"):
        message = "names that end in `_out` are reserved: use an overload, as in `name.out`"
        return [Problem(name.function_span, message)]
    dunder = _DUNDER.match(name.function) if name.function.startswith("__") else None
    if dunder and dunder[1][0] == "i" and not name.is_inplace:
        return [Problem(name.function_span, f"`{name.function}` is no in-place operator of Python")]
    if name.function.endswith(_FUNCTIONAL + "_"):
        return [Problem(name.function_span, "a `_functional` variant cannot be in-place")]
    return []
