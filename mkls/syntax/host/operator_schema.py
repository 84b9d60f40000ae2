"""Read the schema of a custom operator, as `m.def` takes it.

It is a looser language than torchgen's: `torch/csrc/jit/frontend/function_schema_parser.cpp` reads
it word by word, white space does not count. What is not known for certain to fail is let through.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from mkls.syntax.problem import Problem
from mkls.text.span import Span

_TOKEN = re.compile(
    r"\s*(?:(->)|([A-Za-z_][\w.]*(?:::\w+(?:\.\w+)?)?)|(\"[^\"]*\"|'[^']*')|(-?[\d.][\w.+-]*)|(\S))"
)
KNOWN_TYPES = frozenset(
    ("Tensor", "Scalar", "int", "float", "bool", "str", "complex", "SymInt", "SymBool", "SymFloat",
     "ScalarType", "Layout", "MemoryFormat", "Device", "DeviceIndex", "Generator", "Dimname",
     "Storage", "QScheme", "Quantizer", "ConstQuantizerPtr", "Stream", "None", "NoneType",
     "Capsule", "Any", "AnyClassType", "AnyEnumType", "Dict", "Future", "Await", "RRef", "Tuple",
     "List", "Optional", "NoneType", "AnyListType", "AnyTupleType", "number")
)  # fmt: skip
MEANT = {
    "double": "float", "int64_t": "int", "int32_t": "int", "size_t": "int", "long": "int",
    "tensor": "Tensor", "string": "str", "scalar": "Scalar", "boolean": "bool", "half": "float",
    "uint8_t": "int", "uint32_t": "int", "int8_t": "int",
}  # fmt: skip
"""Words for types that other languages use, and what a schema says."""


class SchemaArgument(NamedTuple):
    """An argument: `type` has no alias annotation and no white space (`Tensor?`, `int[2]`)."""

    type: str
    name: str


class OperatorSchema(NamedTuple):
    """What `m.def` declares; `arguments` is None where the schema is broken."""

    arguments: tuple[SchemaArgument, ...] | None
    problem: Problem | None


class _Broken(Exception):  # noqa: N818  (never leaves this module)
    def __init__(self, start: int, end: int, message: str) -> None:
        super().__init__(message)
        self.problem = Problem(Span(start, max(end, start + 1)), message)


@lru_cache(maxsize=1024)
def read_operator_schema(text: str) -> OperatorSchema:
    """Read `text`, which has a parenthesis; spans count from its start."""
    try:
        return OperatorSchema(_Parser(text).schema(), None)
    except _Broken as broken:
        return OperatorSchema(None, broken.problem)


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [
            (match[match.lastindex or 0], match.start(match.lastindex or 0))
            for match in _TOKEN.finditer(text)
        ]
        self.at = 0

    def schema(self) -> tuple[SchemaArgument, ...]:
        self._name()
        self._expect("(")
        arguments: list[SchemaArgument] = []
        while not self._accept(")"):
            if arguments or self.tokens[self.at - 1][0] == "*":
                self._expect(",")
            if not self._accept("*") and self._peek() != "...":
                arguments.append(self._argument())
        self._expect("->")
        self._returns()
        if self.at < len(self.tokens):
            raise self._broken("nothing may follow what is returned")
        return tuple(arguments)

    def _name(self) -> None:
        if not re.match(r"[A-Za-z_]", self._peek()):
            raise self._broken("expected the operator's name")
        self.at += 1

    def _argument(self) -> SchemaArgument:
        type_ = self._type()
        name = self._peek()
        if not re.match(r"[A-Za-z_]\w*\Z", name):
            raise self._broken("expected the argument's name")
        self.at += 1
        # `int[3] sizes` and `int sizes[3]` are the same.
        if self._accept("["):
            self._until("]")
        if self._accept("="):
            self._default()
        return SchemaArgument(type_, name)

    def _type(self) -> str:
        start = self.at
        if self._accept("("):
            self._until(")")
            written = "(…)"
        else:
            written = self._base()
        while self._peek() in ("(", "[", "?", "!"):
            sign = self._take()
            if sign == "(":
                self._until(")")
            elif sign == "[":
                written += f"[{self._until(']')}]"
            else:
                written += sign.replace("!", "")
        assert self.at > start
        return written

    def _base(self) -> str:
        word = self._peek()
        if not re.match(r"[A-Za-z_]", word):
            raise self._broken("expected a type")
        plain = "." not in word and ":" not in word
        known = word in KNOWN_TYPES or not (word[0].isupper() or word in MEANT)
        if plain and not known:
            raise self._broken(f"a schema knows no type `{word}`")
        self.at += 1
        return word

    def _default(self) -> None:
        self._accept("-")
        if self._accept("["):
            self._until("]")
        elif self._peek() in (",", ")", ""):
            raise self._broken("expected a default value")
        else:
            self.at += 1

    def _returns(self) -> None:
        if not self._accept("("):
            self._type()
            if re.match(r"[A-Za-z_]\w*\Z", self._peek()):
                self.at += 1
            return
        while not self._accept(")"):
            if self._peek() in (",", "..."):
                self.at += 1
                continue
            self._type()
            if re.match(r"[A-Za-z_]\w*\Z", self._peek()):
                self.at += 1
            elif self._peek() not in (",", ")"):
                raise self._broken("expected `)`")

    def _until(self, closing: str) -> str:
        inner: list[str] = []
        while self._peek() != closing:
            if not self._peek():
                raise self._broken(f"expected `{closing}`")
            inner.append(self._take())
        self.at += 1
        return "".join(inner)

    def _peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def _take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1][0]

    def _accept(self, text: str) -> bool:
        if self._peek() != text:
            return False
        self.at += 1
        return True

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            raise self._broken(f"expected `{text}`")

    def _broken(self, message: str) -> _Broken:
        if self.at < len(self.tokens):
            word, start = self.tokens[self.at]
            return _Broken(start, start + len(word), message)
        end = len(self.text.rstrip())
        return _Broken(max(0, end - 1), end, message)
