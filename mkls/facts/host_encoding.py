"""Read the calls that bind arguments to a command encoder and launch a kernel."""

import re
from collections.abc import Iterator

from mkls.facts.host_values import Values, literal_numbers, type_named
from mkls.facts.model.launches import Event, EventKind, ValueKind, ValueType
from mkls.facts.model.name import Name
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.brackets import closing_bracket, split_commas
from mkls.text.span import Span

_CALL = re.compile(
    r"\b(mtl_setArgs|mtl_setBuffer|mtl_setBytes|mtl_dispatch1DJob|mtl_dispatch2DJob|bind_iter_tensors"
    r"|bind_tensors)\s*(?:<\s*([^<>;()]*)>\s*)?\("
)
_SEND = re.compile(
    r"\[\s*(\w+)\s+(setComputePipelineState|setBuffer|setBytes|setThreadgroupMemoryLength|dispatchThreads"
    r"|dispatchThreadgroups)\s*:"
)
_PIECE = re.compile(r"[()\[\]{}]|\s(offset|length|atIndex|threadsPerThreadgroup)\s*:(?!:)")
_FUNCTION_CALL = re.compile(r"\b(\w+)\s*(?:->|\.)\s*(startEncoding|setArg|dispatch)\s*\(")
"""The methods of `MetalKernelFunction`, which is encoder and pipeline in one."""
_SIZE = re.compile(r"MTLSizeMake\s*\(")
_SIZE_VARIABLE = re.compile(r"MTLSize\s+(\w+)\s*=\s*(?=MTLSizeMake)")
_NUMBERS_ONLY = re.compile(r"\d+|MTLSizeMake\s*\(\s*\d+(?:\s*,\s*\d+)*\s*\)")
_CONSTANT = re.compile(r"\bconst(?:expr)?\s+[\w:]+\s+(\w+)\s*=\s*(\d+)\s*;")
_CALLEE = re.compile(r"(\w+)\s*(?:<[^<>;()]*>\s*)?\Z")
_NUMEL = re.compile(r"(?:static_cast<[\w:]+>\(\s*)?\w+(?:\.|->)numel\(\)\s*\)?")
_SIDE = re.compile(r"(?:static_cast<[\w:]+>\(\s*)?\w+(?:\.|->)size\([^()]*\)\s*\)?")
_BRACKET = re.compile(r"[()\[\]{}]")
_FLOAT = ValueType(ValueKind.SCALAR, "float")
_DOUBLE = ValueType(ValueKind.SCALAR, "double")


class Encoding:
    """Finds the events in one function's body."""

    def __init__(
        self, code: Code, body: tuple[int, int], values: Values, encoders: set[str]
    ) -> None:
        """Look at `body`; `encoders` are the variables that hold a command encoder."""
        self.text = code.text
        self.code = code.code
        self.body = body
        self.values = values
        self.constants = {it[1]: int(it[2]) for it in _CONSTANT.finditer(self.code, *body)}
        self.has_functions = self.code.find("startEncoding", *body) >= 0
        self.sizes = dict(self._size_variables())
        self.encoder = re.compile(rf"\b(?:{'|'.join(sorted(encoders))})\b") if encoders else None

    def events(self, start: int, end: int) -> list[Event]:
        """Return what the code at `[start, end)` does to an encoder, in order."""
        found: list[Event] = []
        for match in _CALL.finditer(self.code, start, end):
            found += self._call(match, end)
        for match in _SEND.finditer(self.code, start, end):
            found += self._send(match, end)
        if self.has_functions:
            for match in _FUNCTION_CALL.finditer(self.code, start, end):
                found += self._function_call(match, end)
        found += self._handed(start, end, [it.span for it in found])
        return sorted(found, key=lambda event: event.name.span.start)

    def _name(self, start: int, end: int) -> Name:
        return Name(self.text[start:end], Span(start, end))

    # C++ calls

    def _call(self, match: re.Match[str], end: int) -> Iterator[Event]:
        close = closing_bracket(self.code, match.end() - 1, end)
        if close is None:
            return
        encoder, *rest = split_commas(self.code, match.end(), close) or [(close, close)]
        on = self.code[slice(*encoder)]
        callee = self._name(*match.span(1))
        span = Span(match.start(), close + 1)
        function = match[1]
        if function == "mtl_setArgs":
            yield from self._arguments(on, rest, callee, match[2], span)
        elif function in ("mtl_setBuffer", "mtl_setBytes"):
            yield self._single(on, rest, callee, match[2], span)
        elif function.startswith("mtl_dispatch"):
            pipeline = self.code[slice(*rest[0])] if rest else ""
            grid = tuple(self._name(*it) for it in rest[1:])
            yield Event(EventKind.DISPATCH, on, callee, span, pipeline=pipeline, grid=grid)
        else:
            yield from self._tensors(on, rest, callee, span)

    def _arguments(
        self, on: str, rest: list[tuple[int, int]], callee: Name, offset: str | None, span: Span
    ) -> Iterator[Event]:
        first = _index(offset.split(",")[0] if offset else "0")
        if first < 0 or any(self.code[slice(*it)].endswith("...") for it in rest):
            yield Event(EventKind.HANDED, on, callee, span)
            return
        for index, argument in enumerate(rest, first):
            type_ = self.values.type_of(*argument)
            # `mtl_setArg(encoder, const double&)` copies a float.
            type_ = _FLOAT if type_ == _DOUBLE else type_
            yield self._bind(on, argument, span, index, type_)

    def _single(
        self, on: str, rest: list[tuple[int, int]], callee: Name, given: str | None, span: Span
    ) -> Event:
        index = _index(self.code[slice(*rest[1])]) if len(rest) == 2 else -1
        if index < 0:
            return Event(EventKind.HANDED, on, callee, span)
        bytes_ = callee.text == "mtl_setBytes"
        type_ = type_named(given) if given else self.values.type_of(*rest[0])
        if not bytes_ and type_.kind is ValueKind.UNKNOWN:
            type_ = ValueType(ValueKind.TENSOR)
        if bytes_ and type_.kind not in (ValueKind.SCALAR, ValueKind.ARRAY):
            type_ = ValueType(ValueKind.BYTES)
        return self._bind(on, rest[0], span, index, type_, by_bytes=bytes_)

    def _bind(
        self,
        on: str,
        value: tuple[int, int],
        span: Span,
        index: int,
        type_: ValueType,
        *,
        by_bytes: bool = False,
    ) -> Event:
        is_array = type_.kind is ValueKind.ARRAY and type_.count > 1
        return Event(
            EventKind.BIND,
            on,
            self._name(*value),
            span,
            index,
            type_,
            by_bytes=by_bytes,
            count_span=self.values.count_of(*value) if is_array else None,
        )

    def _tensors(
        self, on: str, rest: list[tuple[int, int]], callee: Name, span: Span
    ) -> Iterator[Event]:
        count = _index(self.code[slice(*rest[1])]) if len(rest) > 1 else -1
        if len(rest) > 1 and count >= 0:
            name = self._name(*rest[0])
            type_ = ValueType(ValueKind.OPERAND)
            for index in range(count):
                yield Event(EventKind.BIND, on, name, span, index, type_, by_iterator=True)
        else:
            yield Event(EventKind.BIND_FIRST, on, callee, span)

    def _function_call(self, match: re.Match[str], end: int) -> Iterator[Event]:
        """Read a call of a `MetalKernelFunction`, whose variable is encoder and pipeline."""
        close = closing_bracket(self.code, match.end() - 1, end)
        if close is None:
            return
        on, callee = match[1], self._name(*match.span(2))
        span = Span(match.start(), close + 1)
        rest = split_commas(self.code, match.end(), close)
        if callee.text == "startEncoding":
            yield Event(EventKind.PIPELINE, on, self._name(*match.span(1)), span)
        elif callee.text == "dispatch":
            yield Event(EventKind.DISPATCH, on, callee, span, pipeline=on)
        elif len(rest) == 2 and (index := _index(self.code[slice(*rest[0])])) >= 0:
            yield self._bind(on, rest[1], span, index, self.values.type_of(*rest[1]))
        else:
            yield Event(EventKind.HANDED, on, callee, span)

    # Message sends

    def _send(self, match: re.Match[str], end: int) -> Iterator[Event]:
        close = closing_bracket(self.code, match.start(), end)
        if close is None:
            return
        on, selector = match[1], match[2]
        span = Span(match.start(), close + 1)
        pieces = self._pieces(match.end(), close)
        first = self._trimmed(match.end(), pieces[0][1] if pieces else close)
        if selector == "setComputePipelineState":
            yield Event(EventKind.PIPELINE, on, first, span)
        elif selector.startswith("dispatch"):
            yield self._dispatch(on, self._name(*match.span(2)), first, pieces, close, span)
        else:
            yield self._raw(on, selector, first, pieces, close, span)

    def _pieces(self, start: int, close: int) -> list[tuple[str, int, int]]:
        """Return a message's further selectors: name, where it starts, where its value does."""
        found: list[tuple[str, int, int]] = []
        depth = 0
        for match in _PIECE.finditer(self.code, start, close):
            if match[1] is None:
                depth += 1 if match[0] in "([{" else -1
            elif depth == 0:
                found.append((match[1], match.start(), match.end()))
        return found

    def _value(self, pieces: list[tuple[str, int, int]], wanted: str, close: int) -> Name | None:
        for place, (name, _, start) in enumerate(pieces):
            if name == wanted:
                return self._trimmed(
                    start, pieces[place + 1][1] if place + 1 < len(pieces) else close
                )
        return None

    def _trimmed(self, start: int, end: int) -> Name:
        piece = self.code[start:end]
        start += len(piece) - len(piece.lstrip())
        return self._name(start, start + len(piece.strip()))

    def _raw(
        self,
        on: str,
        selector: str,
        first: Name,
        pieces: list[tuple[str, int, int]],
        close: int,
        span: Span,
    ) -> Event:
        place = self._value(pieces, "atIndex", close)
        index = _index(place.text) if place else -1
        if index < 0:
            return Event(EventKind.HANDED, on, first, span)
        if selector == "setThreadgroupMemoryLength":
            return Event(EventKind.MEMORY, on, place or first, span, index)
        bytes_ = selector == "setBytes"
        type_ = ValueType(ValueKind.BUFFER)
        if bytes_:
            type_ = self._bytes(first, self._value(pieces, "length", close))
        return Event(EventKind.BIND, on, first, span, index, type_, by_bytes=bytes_)

    def _bytes(self, first: Name, length: Name | None) -> ValueType:
        """Return the type of `setBytes:&value length:sizeof(T)`."""
        size = re.fullmatch(r"sizeof\s*\(\s*([\w:]+)\s*\)", length.text) if length else None
        if size is None or not first.text.startswith("&"):
            return ValueType(ValueKind.BYTES)
        named = type_named(size[1])
        if named.kind is ValueKind.UNKNOWN:
            named = self.values.type_of(first.span.start + 1, first.span.end)
        return named if named.kind is ValueKind.SCALAR else ValueType(ValueKind.BYTES)

    # Launches

    def _dispatch(
        self,
        on: str,
        callee: Name,
        first: Name,
        pieces: list[tuple[str, int, int]],
        close: int,
        span: Span,
    ) -> Event:
        group = self._value(pieces, "threadsPerThreadgroup", close)
        place = self._size(group) if group else None
        numbers = literal_numbers(self.code, *place, self.constants) if place else ()
        grid = self._size(first)
        parts = split_commas(self.code, *grid) if grid else []
        return Event(
            EventKind.DISPATCH,
            on,
            callee,
            span,
            grid=tuple(self._name(*it) for it in parts),
            group=numbers,
            group_span=Span(*place) if place else Span(0, 0),
            elements=self._elements(first, numbers),
        )

    def _elements(self, grid: Name, group: tuple[int, ...]) -> Name | None:
        """Return the extent of `grid` that counts a tensor's elements, or those along a side.

        Sides count when there are two of them, along which a group has more than one thread.
        """
        start = grid.span.start if _SIZE.match(grid.text) else (self._given(grid.text) or (-1,))[0]
        place = self._made_size(start) if start >= 0 and _SIZE.match(self.code, start) else None
        parts = split_commas(self.code, *place) if place else []
        counts = [part for part in parts if self._is(_NUMEL, part)]
        wide = [part for part, threads in zip(parts, group, strict=False) if threads > 1]
        sides = [part for part in wide if self._is(_SIDE, part)]
        found = counts or (sides if len(sides) > 1 else [])
        return self._name(*found[0]) if found else None

    def _is(self, pattern: re.Pattern[str], value: tuple[int, int]) -> bool:
        """Whether a value is written like `pattern`, here or where its variable is given it."""
        text = self.code[slice(*value)].strip()
        place = self._given(text) if text.isidentifier() else value
        return place is not None and pattern.fullmatch(self.code[slice(*place)].strip()) is not None

    def _given(self, variable: str) -> tuple[int, int] | None:
        """Return where the value of a local is that is given literal numbers at most afterwards."""
        given = re.compile(rf"\b{variable}\s*([-+*/%&|^]|<<|>>)?=(?!=)\s*([^;]*);")
        found = list(given.finditer(self.code, *self.body)) if variable.isidentifier() else []
        later = (it[1] is None and _NUMBERS_ONLY.fullmatch(it[2].strip()) for it in found[1:])
        return found[0].span(2) if found and all(later) else None

    def _size(self, value: Name) -> tuple[int, int] | None:
        """Return where the arguments of `MTLSizeMake(…)` stand, written here or in a variable."""
        if _SIZE.match(value.text):
            return self._made_size(value.span.start)
        return self.sizes.get(value.text)

    def _made_size(self, start: int) -> tuple[int, int] | None:
        opening = self.code.find("(", start)
        close = closing_bracket(self.code, opening, self.body[1])
        return None if close is None else (opening + 1, close)

    def _size_variables(self) -> Iterator[tuple[str, tuple[int, int]]]:
        for match in _SIZE_VARIABLE.finditer(self.code, *self.body):
            place = self._made_size(match.end())
            if place and not re.search(
                rf"[;{{}}]\s*{match[1]}\s*=", self.code[match.end() : self.body[1]]
            ):
                yield match[1], place

    # Anything else that is given the encoder

    def _handed(self, start: int, end: int, known: list[Span]) -> Iterator[Event]:
        if self.encoder is None:
            return
        for match in self.encoder.finditer(self.code, start, end):
            before = self.code[max(0, match.start() - 400) : match.start()].rstrip()[-1:]
            inside = any(span.start <= match.start() < span.end for span in known)
            if before not in ("(", ",") or inside:
                continue
            if callee := self._callee(match.start(), start):
                yield Event(EventKind.HANDED, match[0], callee, callee.span)

    def _callee(self, at: int, start: int) -> Name | None:
        depth = 0
        for bracket in reversed(list(_BRACKET.finditer(self.code, start, at))):
            depth += 1 if bracket[0] in ")]}" else -1
            if depth < 0:
                match = _CALLEE.search(self.code[start : bracket.start()])
                if bracket[0] != "(" or match is None:
                    return None
                return self._name(start + match.start(1), start + match.end(1))
        return None


def _index(text: str) -> int:
    text = text.strip()
    return int(text) if text.isdecimal() else -1
