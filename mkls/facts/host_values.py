"""Tell the type of a host expression from what its function says of it, or leave it open."""

import re
from collections.abc import Sequence

from mkls.facts.model.host import Parameter
from mkls.facts.model.launches import ValueKind, ValueType
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.brackets import closing_bracket, split_commas
from mkls.text.span import Span

UNKNOWN = ValueType()
_TENSOR = ValueType(ValueKind.TENSOR)
_LONG = ValueType(ValueKind.SCALAR, "int64_t")
_BOOL = ValueType(ValueKind.SCALAR, "bool")
_NUMBERS = {
    **dict.fromkeys(("bool",), "bool"),
    **{it: it for sign in ("", "u") for size in (8, 16, 32, 64) if (it := f"{sign}int{size}_t")},
    "int": "int32_t",
    "unsigned": "uint32_t",
    "unsigned int": "uint32_t",
    "uint": "uint32_t",
    "long": "int64_t",
    "long long": "int64_t",
    "size_t": "uint64_t",
    "NSUInteger": "uint64_t",
    "NSInteger": "int64_t",
    "float": "float",
    "double": "double",
    "char": "int8_t",
    "short": "int16_t",
}  # fmt: skip
_DECORATION = re.compile(r"\b(?:const|constexpr|static|inline)\b|\b(?:std|at|c10|mps)::|&")
_ARRAY = re.compile(r"array\s*<\s*(.+?)\s*,\s*(\d+)\s*>")
_SEQUENCE = re.compile(
    r"(?:vector|ArrayRef|SmallVector|OptionalArrayRef)\s*<\s*([\w:]+(?: \w+)?)\s*(?:,\s*\w+)?>"
)
_STRUCT = re.compile(r"\w*(?:Params|Arguments)(?:<[\w, ]*>)?")
_CAST = re.compile(r"static_cast\s*<\s*([\w: ]+?)\s*>\s*\(")
_TEMPLATED = re.compile(
    r"(?:std::)?(?:max|min|clamp)\s*<\s*([\w: ]+?)\s*>\s*\("
    r"|.*(?:\.|->)(?:to|item)\s*<\s*([\w: ]+?)\s*>\s*\(\s*\)\s*\Z",
    re.DOTALL,
)
_METHOD = re.compile(r"(?P<on>.*)(?:\.|->)\s*(?P<name>\w+)\s*(?P<list>\()", re.DOTALL)
_MADE = re.compile(
    r"at::(?:detail::)?(?:(?:empty|zeros|ones|full)(?:_like|_mps)?|linalg_vector_norm|arange)\s*\("
)
_LITERAL = re.compile(
    r"(?:(true|false)|(\d+)|(\d+)[uU]|\d*\.\d*(?:e-?\d+)?([fF])|(\d+)[uU]?[lL]{1,2})\Z"
)
_WORD = re.compile(r"[A-Za-z_]\w*\Z")
_ARITHMETIC = re.compile(r"\s[-+*/]\s")
_COMPARISON = re.compile(r"\s(?:[=!<>]=|&&|\|\|)\s")
_TENSOR_METHODS = frozenset({
    "contiguous", "view", "reshape", "expand", "expand_as", "clone", "to", "transpose", "t",
    "permute", "unsqueeze", "squeeze", "flatten", "select", "narrow", "resolve_conj", "detach",
})  # fmt: skip
_OPERANDS = frozenset({"tensor", "input", "output", "tensor_base", "input_base", "output_base"})
_COUNTS = frozenset({
    "numel", "size", "stride", "dim", "ndimension", "nbytes", "storage_offset", "element_size",
})  # fmt: skip
_PREDICATES = frozenset({"has_value", "defined", "is_contiguous", "is_conj", "empty"})
_DEPTH = 5
_LINE = 200
_MARK = re.compile(r"\s*[=({;:]")
_DECLARED = re.compile(
    r"(?:^|(?<=[\s(;{,]))(?P<type>(?:(?:const|constexpr|static)\s+)*[A-Za-z_][\w:]*"
    r"(?:\s*<[^;(){}]*>)?(?:\s+const)?)(?P<reference>\s*[&*]*\s+[&*]*|\s*[&*]+\s*)\Z"
)
_NO_TYPES = frozenset({"return", "else", "case", "throw", "delete", "new", "in"})


def type_named(text: str) -> ValueType:
    """Return the type that a declaration spells as `text`; `auto` and what is not known, open."""
    bare = " ".join(_DECORATION.sub(" ", text).split()).replace(" <", "<")
    if number := _NUMBERS.get(bare):
        return ValueType(ValueKind.SCALAR, number)
    if bare in ("Tensor", "TensorBase"):
        return _TENSOR
    if bare in ("optional<Tensor>", "optional<TensorBase>", "OptionalTensorRef"):
        return ValueType(ValueKind.OPTIONAL)
    if bare == "MPSScalar":  # converted to a dtype that only running the code tells
        return ValueType(ValueKind.BYTES)
    if bare.startswith(("id<MTLBuffer>", "MTLBuffer_t")):
        return ValueType(ValueKind.BUFFER)
    if bare in ("IntArrayRef", "DimVector"):
        return ValueType(ValueKind.ARRAY, "int64_t", 0)
    if match := _ARRAY.fullmatch(bare):
        return _array(match[1], int(match[2]))
    if match := _SEQUENCE.fullmatch(bare):
        return _array(match[1], 0)
    return ValueType(ValueKind.BYTES) if _STRUCT.fullmatch(bare) else UNKNOWN


def _array(element: str, count: int) -> ValueType:
    number = _NUMBERS.get(element.strip())
    if number:
        return ValueType(ValueKind.ARRAY, number, count)
    inner = _ARRAY.fullmatch(element.strip())
    if inner and (number := _NUMBERS.get(inner[1])):
        return ValueType(ValueKind.ARRAY, number, count * int(inner[2]))
    # Of what a template parameter names, only that it is copied byte by byte is certain.
    return UNKNOWN if "Tensor" in element else ValueType(ValueKind.BYTES)


class Values:
    """Types the expressions of one function."""

    def __init__(self, code: Code, body: tuple[int, int], parameters: Sequence[Parameter]) -> None:
        """Look at `body`, in a function with `parameters`."""
        self.code = code.code
        self.body = body
        self.parameters = {it.name: it.type for it in parameters if it.name}

    def type_of(self, start: int, end: int, depth: int = 0) -> ValueType:
        """Return the type of the expression at `[start, end)`."""
        text = self.code[start:end].strip()
        if depth > _DEPTH or not text:
            return UNKNOWN
        start += len(self.code[start:end]) - len(self.code[start:end].lstrip())
        end = start + len(text)
        if _WORD.match(text) and text not in ("true", "false"):
            return self._variable(text, start, depth)
        if match := _LITERAL.match(text):
            return _literal(match)
        return (
            self._cast(text, start, end)
            or self._made(text, start, end)
            or self._method(text, start, end)
            or self._compound(start, end, depth)
            or UNKNOWN
        )

    def _cast(self, text: str, start: int, end: int) -> ValueType | None:
        match = _CAST.match(text) or _TEMPLATED.match(text)
        if match is None:
            return None
        close = closing_bracket(self.code, start + match.end() - 1, end)
        whole = close == end - 1 or text.endswith("()")
        return type_named(match[1] or match[2] or "") if whole else None

    def _made(self, text: str, start: int, end: int) -> ValueType | None:
        if text.startswith(("getMPSScalar(", "mps::getMPSScalar(")):
            return ValueType(ValueKind.BYTES)
        match = _MADE.match(text)
        if match and closing_bracket(self.code, start + match.end() - 1, end) == end - 1:
            return _TENSOR
        return None

    def _method(self, text: str, start: int, end: int) -> ValueType | None:
        """Return what a method's name says about its result."""
        match = _METHOD.match(text)
        if match is None or not text.endswith(")"):
            return None
        if closing_bracket(self.code, start + match.start("list"), end) != end - 1:
            return None
        if not re.fullmatch(r"[\w.>\-()\[\], :]*", match["on"]) or _ARITHMETIC.search(match["on"]):
            return None
        name = match["name"]
        if name in _TENSOR_METHODS:
            return _TENSOR
        if name in _OPERANDS:
            return ValueType(ValueKind.OPERAND)
        if name in _COUNTS:
            return _LONG
        if name in _PREDICATES:
            return _BOOL
        if name in ("sizes", "strides", "shape"):
            return ValueType(ValueKind.ARRAY, "int64_t", 0)
        if name == "getErrorBuffer":
            return ValueType(ValueKind.BUFFER)
        return None

    def _compound(self, start: int, end: int, depth: int) -> ValueType | None:
        """Return the type of a comparison, of arithmetic, or of `a ? b : c`."""
        text = self.code[start:end]
        if "?" in text:
            question, colon = text.find("?"), text.rfind(" : ")
            first = self.type_of(start + question + 1, start + colon, depth + 1)
            second = self.type_of(start + colon + 3, end, depth + 1)
            return first if first == second and colon > question else None
        if text.startswith("!") or _COMPARISON.search(text):
            return _BOOL
        operator = _ARITHMETIC.search(text)
        if operator is None:
            return None
        left = self.type_of(start, start + operator.start(), depth + 1)
        right = self.type_of(start + operator.end(), end, depth + 1)
        wide = _LONG in (left, right)
        known = left.kind is ValueKind.SCALAR and right.kind is ValueKind.SCALAR
        return left if known and (left == right or (wide and left == _LONG)) else None

    def count_of(self, start: int, end: int) -> Span | None:
        """Return where the declaration of a `std::array` variable says how long it is."""
        name = self.code[start:end]
        if not _WORD.match(name):
            return None
        pattern = re.compile(rf"\barray\s*<\s*[\w:]+\s*,\s*(\d+)\s*>\s*&?\s*{name}\s*[={{(;]")
        found = list(pattern.finditer(self.code, self.body[0], start))
        return Span(*found[-1].span(1)) if found else None

    def _variable(self, name: str, at: int, depth: int) -> ValueType:
        found = self._declaration(name, at)
        if found is None:
            declared = self.parameters.get(name)
            return type_named(declared) if declared and "*" not in declared else UNKNOWN
        type_, reference, mark = found
        if "*" in reference:
            return UNKNOWN
        if " ".join(_DECORATION.sub(" ", type_).split()) != "auto":
            return type_named(type_)
        if self.code[mark] != "=":
            return UNKNOWN
        end = self.code.find(";", mark, self.body[1])
        return self.type_of(mark + 1, end, depth + 1) if end >= 0 else UNKNOWN

    def _declaration(self, name: str, at: int) -> tuple[str, str, int] | None:
        """Return the last declaration of `name` before `at`: type, `&` or `*`, the mark after."""
        place = self.code.rfind(name, self.body[0], at)
        while place >= 0:
            after = _MARK.match(self.code, place + len(name), self.body[1])
            if after and self.code[place - 1] in " &*\n":
                start = max(self.body[0], self.code.rfind("\n", 0, place), place - _LINE)
                before = _DECLARED.search(self.code[start:place])
                if before and before["type"] not in _NO_TYPES:
                    return before["type"], before["reference"], after.end() - 1
            place = self.code.rfind(name, self.body[0], place)
        return None


def _literal(match: re.Match[str]) -> ValueType:
    if match[1]:
        return _BOOL
    if match[2]:
        return ValueType(ValueKind.SCALAR, "int32_t")
    if match[3]:
        return ValueType(ValueKind.SCALAR, "uint32_t")
    if match[4]:
        return ValueType(ValueKind.SCALAR, "float")
    return _LONG if match[5] else ValueType(ValueKind.SCALAR, "double")


def literal_numbers(code: str, start: int, end: int, constants: dict[str, int]) -> tuple[int, ...]:
    """Return the arguments of `MTLSizeMake(…)`, 0 where one is no literal and no constant."""
    numbers: list[int] = []
    for part in split_commas(code, start, end):
        text = code[slice(*part)].strip()
        numbers.append(int(text) if text.isdecimal() else constants.get(text, 0))
    return tuple(numbers)
