"""What one thread of a kernel accesses, read off the optimiser's code, where that is plain.

A kernel is elementwise when every address is that of a buffer plus a multiple of the thread's
position plus a constant. Then two numbers tell whether a launch stays within its buffers, and no
two threads meet, so that a large launch need not be watched. What is not plain is no access list.
"""

import re
from typing import NamedTuple


class Access(NamedTuple):
    """Bytes `scale * x + offset` to `+ size` behind buffer `buffer`, for the thread at `x`.

    `always` says that every thread does so.
    """

    buffer: int
    scale: int
    offset: int
    size: int
    write: bool
    always: bool


class _Form(NamedTuple):
    """`scale * x + offset`: a number, or an address behind a buffer (-1: the buffers' table)."""

    scale: int
    offset: int
    buffer: int | None = None


class _NotPlainError(Exception):
    pass


_SIZES = {"i1": 1, "i8": 1, "i16": 2, "half": 2, "bfloat": 2, "i32": 4, "float": 4, "i64": 8,
          "double": 8, "ptr": 8}  # fmt: skip
_ASSIGNMENT = re.compile(r"\s+(%[\w.]+) = (.*)")
_TYPE = r"(?:\[[^]]*\]|<[^>]*>|%\"[^\"]*\"|%[\w.:]+|[a-z]\w*)"
_LOAD = re.compile(rf"load ({_TYPE}), ptr (%[\w.]+)")
_STORE = re.compile(rf"\s+store ({_TYPE}) [^,]*(?:,[^,]*)*?, ptr (%[\w.]+)")
_ADDRESS = re.compile(
    rf"getelementptr (?:inbounds |nuw |nusw )*({_TYPE}), ptr (%[\w.]+), i64 (%?[-\w.]+)\Z"
)
_ARITHMETIC = re.compile(
    r"(add|sub|mul|shl|or) (?:nuw |nsw |disjoint )*i(?:32|64) (%?[-\w.]+), (%?[-\w.]+)\Z"
)
_WIDENED = re.compile(r"[sz]ext (?:nneg )?i32 (%[\w.]+) to i64")
_DANGEROUS = re.compile(r"([us]div|[us]rem|shl|lshr|ashr) [^%]*%?[\w.]*, (%?[-\w.]+)")
_CALL = re.compile(r"call [^@]*@([\w.]+)\((.*)")
_HARMLESS = re.compile(
    r"llvm\.(?!mem|trap|ubsan)|mkls_unknown\Z|a?(?:sin|cos|tan)(?:h|pi)?f?\Z|a?(?:sin|cos|tan)h?f?\Z"
    r"|atan2f?\Z|(?:exp|log)(?:2|10|1p|m1)?f?\Z|powf?\Z|fmodf?\Z|erff?\Z|cbrtf?\Z|hypotf?\Z"
)
_STRUCTURE = re.compile(r"(%\"[^\"]*\"|%[\w.:]+) = type \{ (.*) \}")


def accesses_of(code: str, function: str) -> tuple[Access, ...] | None:
    """What `function(ptr buffers, i32 x)` of LLVM's text accesses; None when it is not plain."""
    lines = code.split("\n")
    start = next(
        (n for n, it in enumerate(lines) if f"@{function}(" in it and it[:6] == "define"), -1
    )
    if start < 0:
        return None
    parameters = re.findall(r"(%[\w.]+)", lines[start].partition("(")[2].partition("{")[0])
    reader = _Reader(_structures(lines), parameters)
    try:
        for line in lines[start + 1 :]:
            if line.startswith("}"):
                return tuple(reader.accesses)
            reader.read(line.partition(", !")[0])
    except _NotPlainError:
        pass
    return None


def _structures(lines: list[str]) -> dict[str, str]:
    found = (_STRUCTURE.match(line) for line in lines if line.startswith("%"))
    return {it.group(1): it.group(2) for it in found if it}


class _Reader:
    """Follows addresses through one function."""

    def __init__(self, structures: dict[str, str], parameters: list[str]) -> None:
        self.accesses: list[Access] = []
        self._structures = structures
        buffers, x = parameters[:2]
        self._forms = {buffers: _Form(0, 0, -1), x: _Form(1, 0)}
        self._always = True

    def read(self, line: str) -> None:
        """Read one instruction."""
        if not line.startswith("  "):
            self._always = self._always and ":" not in line
            return
        assigned = _ASSIGNMENT.match(line)
        text = assigned.group(2) if assigned else line.strip()
        self._refuse(text)
        if stored := _STORE.match(line):
            self._access(*stored.groups(), write=True)
        elif assigned:
            form = self._form(text)
            if form:
                self._forms[assigned.group(1)] = form

    def _refuse(self, text: str) -> None:
        if re.match(r"alloca|atomicrmw|cmpxchg|fence|unreachable|invoke|indirectbr|va_arg", text):
            raise _NotPlainError
        if "atomic" in text and not text.startswith("br"):
            raise _NotPlainError
        called = _CALL.search(text)
        if called and not _HARMLESS.match(called.group(1)):
            raise _NotPlainError
        if not called and "call " in text:
            raise _NotPlainError
        dangerous = _DANGEROUS.match(text)
        if dangerous and not dangerous.group(2).strip("-").isdigit():
            raise _NotPlainError

    def _form(self, text: str) -> _Form | None:
        if loaded := _LOAD.match(text):
            return self._access(*loaded.groups(), write=False)
        if made := _ADDRESS.match(text):
            return self._address(*made.groups())
        if widened := _WIDENED.match(text):
            return self._forms.get(widened.group(1))
        if computed := _ARITHMETIC.match(text):
            return self._arithmetic(*computed.groups())
        return None

    def _access(self, type_: str, pointer: str, *, write: bool) -> _Form | None:
        form = self._forms.get(pointer)
        if form is None or form.buffer is None:
            raise _NotPlainError
        if form.buffer < 0:
            return _Form(0, 0, form.offset // 8)
        size = self._size(type_)
        access = Access(form.buffer, form.scale, form.offset, size, write, self._always)
        self.accesses.append(access)
        return None

    def _address(self, type_: str, pointer: str, index: str) -> _Form | None:
        base, steps = self._forms.get(pointer), self._number(index)
        if base is None or base.buffer is None or steps is None or steps.buffer is not None:
            return None
        size = self._size(type_)
        return _Form(
            base.scale + size * steps.scale, base.offset + size * steps.offset, base.buffer
        )

    def _arithmetic(self, operation: str, left: str, right: str) -> _Form | None:
        a, b = self._number(left), self._number(right)
        if a is None or b is None or a.buffer is not None or b.buffer is not None:
            return None
        if operation in ("add", "sub"):
            sign = 1 if operation == "add" else -1
            return _Form(a.scale + sign * b.scale, a.offset + sign * b.offset)
        if operation == "or":  # disjoint: the same as an addition where the scale leaves room
            return _Form(a.scale, a.offset + b.offset) if _leaves_room(a, b) else None
        if b.scale:
            return None
        factor = 1 << b.offset if operation == "shl" else b.offset
        return _Form(a.scale * factor, a.offset * factor)

    def _number(self, text: str) -> _Form | None:
        if text.lstrip("-").isdigit():
            return _Form(0, int(text))
        return self._forms.get(text)

    def _size(self, type_: str) -> int:
        if type_ in _SIZES:
            return _SIZES[type_]
        if repeated := re.match(r"[\[<](\d+) x (.*)[\]>]\Z", type_):
            return int(repeated.group(1)) * self._size(repeated.group(2))
        members = self._structures.get(type_, "").split(", ")
        sizes = [self._size(it) for it in members] if members != [""] else []
        if not sizes or len(set(sizes)) > 1:
            raise _NotPlainError
        return sum(sizes)


def _leaves_room(a: _Form, b: _Form) -> bool:
    low = (a.scale & -a.scale) if a.scale else 0
    return not b.scale and not a.offset and 0 <= b.offset < low
