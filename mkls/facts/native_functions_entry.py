"""Turn the pairs of one entry into its facts."""

from collections.abc import Iterable
from typing import Any

from mkls.facts.model.name import Name
from mkls.facts.model.native_functions import Entry, KeyLines
from mkls.facts.native_functions_checks import entry_problems
from mkls.facts.native_functions_values import READERS
from mkls.syntax.native_functions.function_schema import read_function_schema
from mkls.syntax.native_functions.nodes import Pair, Scalar
from mkls.syntax.native_functions.read_entry import read_entry
from mkls.syntax.native_functions.schema import FunctionSchema
from mkls.syntax.problem import Problem
from mkls.text.span import Span


def entry_of(text: str) -> Entry:
    """Return the facts of the entry `text`. Never fails."""
    syntax = read_entry(text)
    problems = list(syntax.problems)
    fields = _fields(syntax.pairs, problems)
    end = syntax.pairs[-1].lines.end if syntax.pairs else 0
    fields["end"] = end
    fields["is_cut_off"] = end == len(text) and not text.endswith(("\n", "\r"))
    func = fields.get("func")
    if func is None:
        if "func" not in fields and not syntax.problems:
            problems.append(Problem(Span(0, len(text)), "an entry needs a `func`"))
        return Entry(problems=_on_one_line(text, problems), **fields)
    schema = read_function_schema(func.text)
    fields.update(_schema_fields(text, schema, func, _schema_start(syntax.pairs)))
    entry = Entry(**fields)
    if not problems and not schema.problems:
        problems += entry_problems(entry, schema)
    if not problems:
        return entry
    return Entry(problems=_on_one_line(text, problems), **fields)


def _fields(pairs: tuple[Pair, ...], problems: list[Problem]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    keys: list[KeyLines] = []
    for pair in pairs:
        name = pair.key
        key = name.text
        keys.append(KeyLines(Name(key, name.span), pair.lines))
        if key in fields:
            problems.append(Problem(name.span, f"`{key}` is written twice in this entry"))
        elif key in READERS:
            fields[key] = READERS[key](pair, problems)
            if key == "dispatch":
                fields["has_dispatch"] = pair.value is not None
        else:
            problems.append(Problem(name.span, f"no key of an entry is called `{key}`"))
    fields["keys"] = tuple(keys)
    return fields


def _schema_start(pairs: tuple[Pair, ...]) -> int:
    """Return where the schema's text starts; -1 when it is not in one piece."""
    value = next(it.value for it in pairs if it.key.text == "func")
    return value.content if isinstance(value, Scalar) else -1


def _schema_fields(text: str, schema: FunctionSchema, func: Name, start: int) -> dict[str, Any]:
    fields: dict[str, Any] = {"schema_start": start}
    whole = func.span if start >= 0 else _first_line(text, func.span)
    name = schema.name
    if name.text:
        fields["operator"] = Name(name.text, name.span.shifted(start) if start >= 0 else whole)
        fields["base"] = name.base
        fields["is_inplace"] = name.is_inplace
        if name.namespace:
            fields["namespace"] = name.namespace
    if schema.problems:
        fields["schema_problems"] = tuple(
            Problem(it.span.shifted(start) if start >= 0 else whole, it.message)
            for it in schema.problems
        )
    return fields


def _on_one_line(text: str, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Cut each problem off at the end of its first line: a mark under one line is readable."""
    return tuple(Problem(_first_line(text, it.span), it.message) for it in problems)


def _first_line(text: str, span: Span) -> Span:
    written = span.of(text)
    first = written.partition("\n")[0].rstrip()
    return Span(span.start, span.start + len(first)) if "\n" in written else span
