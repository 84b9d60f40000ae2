"""Find the calls in one function's body that hand a string on: perhaps a kernel's name."""

import re
from collections.abc import Iterator
from functools import cached_property
from string import ascii_letters, digits

from mkls.facts.host_expressions import DTYPE_FUNCTIONS
from mkls.facts.host_locals import Locals
from mkls.facts.model.host import Call, Parameter
from mkls.facts.model.name import Name
from mkls.facts.model.name_expression import Literal, NameExpression, Unknown
from mkls.syntax.host.brackets import closing_bracket, split_commas
from mkls.text.span import Span

_DECLARATIONS = (
    re.compile(r"string(?:_view)?\s*&?\s+&?(\w+)"),
    re.compile(r"char\s*(?:const\s*)?\*\s*(?:const\s+)?(\w+)"),
    re.compile(r"NSString\s*\*\s*(\w+)"),
)
_AUTO = re.compile(r"auto&?\s+(\w+)\s*=")
_STRING_VALUE = re.compile(r"\"|scalarToMetalTypeString|[Nn]ame\w*\(|[sS]tr\w*\(")
_STRING_TYPE = re.compile(r"\bstring(?:_view)?\b|\bchar\s*(?:const\s*)?\*|\bNSString\b")
_WORD = re.compile(r"[A-Za-z_]\w*")
_LONGEST = 600
_BRACKET = re.compile(r"[()\[\]{}]")
_TEMPLATE_ARGUMENTS = re.compile(r"<[^;(){}]*>\s*\Z")
_WORD_CHARACTERS = ascii_letters + digits + "_"
_IGNORED = re.compile(
    r"(?:TORCH|AT|C10|MPS|NS|MTL)_?[A-Z]\w*\Z|(?:if|for|while|switch|return|sizeof|catch)\Z"
    r"|(?:LookUpOrCreateCachedGraph|beginProfileKernel|begin|end|fmt|format|str|to_string|printf|"
    r"getTensorsStringKey|getMPSTypeString|getArrayRefString|getMPSShapeString|string|string_view|"
    r"append|find|strcmp|getenv|get_env|move|runtime|isinstance|c_str|startCapture)\Z"
)


class StringCalls:
    """Finds the calls in a body that are given a string: a literal, a local or a parameter."""

    def __init__(self, local: Locals, parameters: tuple[Parameter, ...]) -> None:
        """Look at the body that `local` knows."""
        self.local = local
        self.code = local.code
        self.parameters = parameters

    @cached_property
    def _names(self) -> set[str]:
        code, body = self.code.code, self.local.body
        found = {p.name for p in self.parameters if _STRING_TYPE.search(p.type) and p.name}
        for pattern in _DECLARATIONS:
            found.update(match[1] for match in pattern.finditer(code, *body))
        for match in _AUTO.finditer(code, *body):
            end = code.find(";", match.end(), body[1])
            if _STRING_VALUE.search(code, match.end(), end if end >= 0 else body[1]):
                found.add(match[1])
        return found

    def _mentions(self) -> Iterator[int]:
        """Yield the offsets at which a string is written or named, except in message sends."""
        code, (start, end) = self.code.code, self.local.body
        for literal in self.code.literals_within(start, end):
            at = literal.start - (code[literal.start - 1] == "@")
            if code[at - 1] != ":":
                yield at
        for name in self._names:
            at = code.find(name, start, end)
            while at >= 0:
                before, after = code[at - 1], code[at + len(name) : at + len(name) + 1]
                if not (before.isalnum() or before in "_.>:" or after.isalnum() or after == "_"):
                    yield at
                at = code.find(name, at + len(name), end)

    def _enclosing(self, at: int) -> int:
        """Return the offset of the innermost `(` around `at` within its statement, or -1."""
        code = self.code.code
        start = max(code.rfind(";", self.local.body[0], at) + 1, self.local.body[0])
        depth = 0
        for match in reversed(list(_BRACKET.finditer(code, start, at))):
            if match[0] in ")]}":
                depth += 1
            elif depth:
                depth -= 1
            else:
                return match.start() if match[0] == "(" else -1
        return -1

    def calls(self) -> tuple[Call, ...]:
        """Return the calls, in order."""
        found: dict[int, Call | None] = {}
        for mention in self._mentions():
            opening = self._enclosing(mention)
            while opening >= 0 and opening not in found:
                callee = self._callee(opening)
                if (
                    callee
                    and callee.text not in DTYPE_FUNCTIONS
                    and not _IGNORED.match(callee.text)
                ):
                    found[opening] = self._call(callee, opening)
                    break
                # Go on outwards: `f(std::string("x"))`, `f(fmt::format("…"))`, `f(("x"))`.
                found[opening] = None
                if callee and callee.text.isupper():
                    break
                opening = self._enclosing(opening)
        return tuple(call for _, call in sorted(found.items()) if call)

    def _callee(self, opening: int) -> Name | None:
        start = max(self.local.body[0], opening - 120)
        before = self.code.code[start:opening].rstrip()
        if before.endswith(">"):
            before = _TEMPLATE_ARGUMENTS.sub("", before).rstrip()
        rest = before.rstrip(_WORD_CHARACTERS)
        if len(rest) == len(before) or rest.rstrip().endswith((".", "->")):
            return None
        span = Span(start + len(rest), start + len(before))
        return Name(before[len(rest) :], span)

    def _call(self, callee: Name, opening: int) -> Call | None:
        close = closing_bracket(self.code.code, opening, self.local.body[1])
        if close is None:
            return None
        arguments = split_commas(self.code.code, opening + 1, close)
        return Call(
            callee,
            tuple(self._argument(*argument) for argument in arguments),
            Span(callee.span.start, close + 1),
        )

    def _argument(self, start: int, end: int) -> NameExpression | None:
        """Fold an argument that may be a string; one that is plainly none is None."""
        code = self.code.code
        if end - start > _LONGEST or code[start] in "^[{":
            return None
        if code.find('"', start, end) < 0 and not (
            self._names.intersection(_WORD.findall(code, start, end))
            or code.find("scalarToMetal", start, end) >= 0
        ):
            return None
        folded = self.local.expressions.fold(start, end)
        if isinstance(folded, Unknown):
            return None
        if isinstance(folded, Literal) and not folded.text and folded.span.start == folded.span.end:
            return None
        return folded
