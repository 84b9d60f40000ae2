"""Read one function definition: header, lookups, string calls, stubs it uses."""

import re

import msgspec

from mkls.facts.host_calls import StringCalls
from mkls.facts.host_guards import compares_dtypes, guards_in
from mkls.facts.host_launches import launches_of, may_launch
from mkls.facts.host_locals import Locals
from mkls.facts.host_lookups import lookups_in, may_look_up
from mkls.facts.host_stubs import stub_uses
from mkls.facts.model.host import Function, FunctionKind, Parameter
from mkls.facts.model.name import Name
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.headers import Header, ParameterText, header_of
from mkls.text.span import Span

_STRING_RESULT = re.compile(r"\bstring(?:_view)?\b|\bchar\b[^()]*\*|\bNSString\b")


def function_of(
    code: Code, start: int, header_end: int, body: tuple[int, int], end: int, qualifier: str = ""
) -> Function | None:
    """Return the function that `code[start:end]` defines, or None when it defines none."""
    header = header_of(code.code, start, header_end)
    if header is None:
        return None
    name = Name(code.text[slice(*header.name)], Span(*header.name))
    qualifier = header.qualifier or qualifier
    parameters = tuple(_parameter(code, parameter) for parameter in header.parameters)
    result = code.code[slice(*header.result)]
    plain = Function(
        name=name,
        kind=_kind(header, qualifier),
        qualifier=qualifier,
        internal="static" in result.split(),
        parameters=parameters,
        span=Span(start, end),
    )
    return _with_body(code, plain, body, returns=bool(_STRING_RESULT.search(result)))


def _kind(header: Header, qualifier: str) -> FunctionKind:
    if header.torch_impl:
        return FunctionKind.TORCH_IMPL
    return FunctionKind.METHOD if qualifier[:1].isupper() else FunctionKind.FREE


def _parameter(code: Code, parameter: ParameterText) -> Parameter:
    return Parameter(
        type=" ".join(code.text[slice(*parameter.type)].split()),
        name=code.text[slice(*parameter.name)],
        default=code.text[slice(*parameter.default)],
        span=Span(parameter.start, parameter.end),
    )


def _with_body(code: Code, plain: Function, body: tuple[int, int], *, returns: bool) -> Function:
    """Return `plain` with what its body states; most bodies are never looked into."""
    uses = stub_uses(code, body)
    looks = may_look_up(code.code, *body)
    calls = _may_call(code, plain.span.start, body[1])
    launches = may_launch(code.code, *body)
    if not (looks or calls or returns or uses or launches):
        return plain
    names = frozenset(parameter.name for parameter in plain.parameters if parameter.name)
    local = Locals(code, body, names, plain.name.text)
    return msgspec.structs.replace(
        plain,
        returns=local.returned() if returns else None,
        lookups=lookups_in(local) if looks else (),
        calls=StringCalls(local, plain.parameters).calls() if calls else (),
        uses=uses,
        guards=guards_in(code, body),
        compares_dtypes=looks and compares_dtypes(code, body),
        launches=launches_of(code, body, plain.parameters) if launches else None,
    )


def _may_call(code: Code, start: int, end: int) -> bool:
    """Whether a string may be handed on: one is written outside message sends, or declared."""
    return (
        any(code.code[it.start - 2 : it.start] != ":@" for it in code.literals_within(start, end))
        or code.code.find("string", start, end) >= 0
        or code.code.find("const char", start, end) >= 0
        or code.code.find("NSString", start, end) >= 0
    )
