"""Read a function schema, `name.overload(arguments) -> returns`, whatever state it is in.

The reading is torchgen's (`FunctionSchema.parse` of torchgen/model.py), but for the base types,
which differ by version: those of every version are taken here.
"""

from functools import lru_cache

import msgspec

from mkls.syntax.native_functions.declaration import read_declaration
from mkls.syntax.native_functions.operator_name import read_operator_name
from mkls.syntax.native_functions.schema import Argument, ArgumentKind, FunctionSchema, Return
from mkls.syntax.native_functions.schema_checks import schema_problems
from mkls.syntax.problem import Problem
from mkls.text.span import Span

_ARROW = ") -> "
_POSITIONAL, _KEYWORD_ONLY, _OUT = ArgumentKind


@lru_cache(maxsize=8192)
def read_function_schema(text: str) -> FunctionSchema:
    """Return what `text` declares, with every problem that torchgen would stop at."""
    name, problems = read_operator_name(text)
    open_parenthesis = text.find("(", name.span.end)
    if open_parenthesis != name.span.end or not name.text:
        end = open_parenthesis if open_parenthesis >= 0 else len(text)
        if name.text:
            problems.append(
                Problem(_at_least_one(name.span.end, end), "expected `(` after the name")
            )
        if open_parenthesis < 0:
            nothing = Span(len(text), len(text))
            return FunctionSchema(text, name, nothing, nothing, (), (), problems=tuple(problems))
    inner, outer = _halves(text, open_parenthesis + 1, problems)
    arguments = _arguments(text, inner, problems)
    returns = _returns(text, outer, problems)
    has_aliases = "Tensor(" in text
    schema = FunctionSchema(text, name, inner, outer, arguments, returns, has_aliases)
    if not problems:
        problems = schema_problems(schema)
    return msgspec.structs.replace(schema, problems=tuple(problems)) if problems else schema


def _at_least_one(start: int, end: int) -> Span:
    return Span(start, max(end, start + 1))


def _halves(text: str, start: int, problems: list[Problem]) -> tuple[Span, Span]:
    """Return the spans between the parentheses and after the arrow."""
    arrow = text.rfind(_ARROW, start)
    if text.startswith("-> ", start) or arrow >= 0:
        return Span(start, arrow), Span(arrow + len(_ARROW), len(text))
    close = text.find(")", _last_default(text, start))
    end = close if close >= 0 else len(text)
    expected = "expected ` -> ` and what is returned" if close >= 0 else "expected `)`"
    after = end + (close >= 0)
    problems.append(Problem(Span(min(end, len(text)), len(text)), expected))
    return Span(start, end), Span(max(after, len(text)), len(text))


def _last_default(text: str, start: int) -> int:
    # An alias annotation has its own parenthesis: look for the one after the last `Tensor(…)`.
    annotation = text.rfind("Tensor(", start)
    return text.find(")", annotation) + 1 if annotation >= 0 else start


def _arguments(text: str, span: Span, problems: list[Problem]) -> tuple[Argument, ...]:
    if span.start >= span.end:
        return ()
    arguments: list[Argument] = []
    kind = _POSITIONAL
    start = span.start
    for piece in text[start : span.end].split(", "):
        if piece == "*":
            if kind is not _POSITIONAL:
                problems.append(Problem(Span(start, start + 1), "`*` can stand only once"))
            kind = _KEYWORD_ONLY
        else:
            declaration = read_declaration(piece)
            if declaration.is_write and kind is _KEYWORD_ONLY:
                kind = _OUT
            argument = Argument(declaration, start, kind)
            if declaration.problems or declaration.name is None or kind is _OUT:
                problems.extend(_argument_problems(argument))
            arguments.append(argument)
        start += len(piece) + 2
    if kind is not _POSITIONAL and (not arguments or arguments[-1].kind is _POSITIONAL):
        star = text.rfind("*", span.start, span.end)
        problems.append(Problem(Span(star, star + 1), "expected an argument after `*`"))
    return tuple(arguments)


def _argument_problems(argument: Argument) -> list[Problem]:
    declaration = argument.declaration
    if declaration.problems:
        return _declared_problems(argument)
    if declaration.name is None:
        return [Problem(argument.span, "expected a name after the type")]
    if argument.kind is _OUT and not declaration.is_write:
        message = "only written arguments, as in `Tensor(a!) out`, can follow an out argument"
        return [Problem(argument.span, message)]
    return []


def _returns(text: str, span: Span, problems: list[Problem]) -> tuple[Return, ...]:
    written = text[span.start : span.end]
    if written == "()":
        return ()
    if not written:
        if not problems:
            problems.append(Problem(Span(len(text), len(text)), "expected what is returned"))
        return ()
    start = span.start
    in_parentheses = written[0] == "(" and written[-1] == ")"
    if in_parentheses:
        written = written[1:-1]
        start += 1
    returns: list[Return] = []
    for piece in written.split(", "):
        it = Return(read_declaration(piece), start)
        if it.declaration.problems:
            problems.extend(_declared_problems(it))
        elif it.declaration.default is not None:
            problems.append(Problem(it.default_span, "a return has no default"))
        returns.append(it)
        start += len(piece) + 2
    if in_parentheses == (len(returns) == 1):
        message = "several returns are written in parentheses, a single one is not"
        problems.append(Problem(span, message))
    return tuple(returns)


def _declared_problems(it: Argument | Return) -> list[Problem]:
    return [
        Problem(problem.span.shifted(it.start), problem.message)
        for problem in it.declaration.problems
    ]
