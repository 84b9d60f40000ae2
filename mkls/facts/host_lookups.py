"""Find the kernel lookups in one function's body."""

import re

from mkls.facts.host_locals import Locals
from mkls.facts.model.host import Lookup
from mkls.facts.model.name import Name
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.brackets import closing_bracket, split_commas
from mkls.text.span import Span

_WORDS = ("exec_", "getPipelineS", "getMTLF", "getKernelF", "getCachedKernelF", "newFunctionW")
_LOOKUP = re.compile(
    r"(?P<exec>exec_(?:unary|binary|ternary)_kernel\w*)\s*(?=\()"
    r"|(?P<get>getPipelineStateForFunc|getMTLFunction|getKernelFunction|getCachedKernelFunctionPtr)\s*(?=\()"
    r"|(?P<send>newFunctionWithName)\s*(?=:)"
)
_RECEIVER = re.compile(r"([\w:]*|[)\]])\s*(?:\.|->)\s*\Z")
_NAME_INDEX = {"exec_unary_kernel_raw": 0}
_PARAMS_INDEX = 3
_SELECTOR_OR_BRACKET = re.compile(r"[()\[\]{}]|\s\w+\s*:(?!:)")
_BRACKET = re.compile(r"[()\[\]{}]")


def may_look_up(code: str, start: int, end: int) -> bool:
    """Whether a lookup may stand in `code[start:end]`; cheap."""
    return any(code.find(word, start, end) >= 0 for word in _WORDS)


def lookups_in(local: Locals) -> tuple[Lookup, ...]:
    """Return the lookups in a function's body, in order."""
    found = (_lookup(local, match) for match in _LOOKUP.finditer(local.code.code, *local.body))
    return tuple(lookup for lookup in found if lookup)


def _lookup(local: Locals, match: re.Match[str]) -> Lookup | None:
    code = local.code
    span = Span(*match.span(match.lastgroup or 0))
    function = Name(span.of(code.code), span)
    if code.code[span.start - 1 : span.start].isalnum() or code.code[span.start - 1] == "_":
        return None
    if match.lastgroup == "send":
        return _message(local, code, function, match.end())
    library = _receiver(code, span.start)
    if match.lastgroup == "exec" and library is None:
        return None
    return _method(local, function, library or "", match.end())


def _method(local: Locals, function: Name, library: str, opening: int) -> Lookup | None:
    code, fold = local.code, local.expressions.fold
    close = closing_bracket(code.code, opening, local.body[1])
    if close is None:
        return None
    arguments = split_commas(code.code, opening + 1, close)
    index = _NAME_INDEX.get(function.text, 1 if function.text.startswith("exec_") else 0)
    if index >= len(arguments):
        return None
    takes_params = function.text.endswith("_with_params") and len(arguments) > _PARAMS_INDEX
    return Lookup(
        function=function,
        library=library,
        name=fold(*arguments[index]),
        params=fold(*arguments[_PARAMS_INDEX]) if takes_params else None,
        type_arguments=_braced_count(code, arguments[index + 1 :]),
        span=Span(function.span.start, close + 1),
        arguments=_arguments(code, arguments) if function.text.startswith("exec_") else (),
    )


def _arguments(code: Code, arguments: list[tuple[int, int]]) -> tuple[Name, ...]:
    return tuple(Name(code.text[slice(*it)], Span(*it)) for it in arguments)


def _braced_count(code: Code, arguments: list[tuple[int, int]]) -> int:
    if not arguments or code.code[arguments[0][0]] != "{":
        return 0
    start, end = arguments[0]
    return len(split_commas(code.code, start + 1, end - 1))


def _opening_square(code: str, start: int, at: int) -> int:
    depth = 0
    for match in reversed(list(_BRACKET.finditer(code, max(start, at - 400), at))):
        depth += 1 if match[0] in ")]}" else -1
        if depth < 0:
            return match.start() if match[0] == "[" else -1
    return -1


def _receiver(code: Code, at: int) -> str | None:
    """Return what stands before the `.` or `->` that ends at `at`, or None when there is none."""
    begin = max(0, at - 120)
    match = _RECEIVER.search(code.code[begin:at])
    if not match:
        return None
    if match[1] not in ("", ")", "]"):
        return match[1]
    return code.text[begin:at].rpartition("\n")[2].strip().rstrip(".->")


def _message(local: Locals, code: Code, function: Name, colon: int) -> Lookup | None:
    """Read `[library newFunctionWithName:name …]`."""
    opening = _opening_square(code.code, local.body[0], function.span.start)
    close = closing_bracket(code.code, opening, local.body[1]) if opening >= 0 else None
    if close is None:
        return None
    end = close
    depth = 0
    for mark in _SELECTOR_OR_BRACKET.finditer(code.code[colon + 1 : close]):
        if mark[0] in "([{":
            depth += 1
        elif mark[0] in ")]}":
            depth -= 1
        elif depth == 0:
            end = colon + 1 + mark.start()
            break
    library = code.text[opening + 1 : function.span.start].strip()
    name = local.expressions.fold(colon + 1, end)
    return Lookup(function, library, name, None, 0, Span(opening, close + 1))
