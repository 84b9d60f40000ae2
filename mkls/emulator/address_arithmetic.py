"""Which computations of a kernel become part of an address, read off the optimiser's code.

A number that wraps at 32 bits does no harm in a hash; in an index it leads to the wrong element.
Values are followed forwards through arithmetic, calls and memory of the function itself. An
unsigned number that is masked, divided or shifted down is taken for a hash, unless it is the
product of two variables.
"""

import re
from collections.abc import Iterator

_FUNCTION = re.compile(r"define [^@]*@(\"[^\"]*\"|[\w.$]+)\((.*)\)[^)]*\{")
_ASSIGNMENT = re.compile(r"\s+(%[\w.]+) = (.*)")
_NAME = re.compile(r"%[\w.]+")
_OVERFLOW = re.compile(r"@llvm\.([us])(add|sub|mul)\.with\.overflow\.i32\(i32 (%?).*, i32 (%?)")
_PASSES_ON = re.compile(
    r"(?:add|sub|mul|shl|or|zext|sext|phi|select|extractvalue|insertelement|extractelement"
    r"|insertvalue|shufflevector|freeze)\b|(?:tail )?call [^@]*@llvm\.[us](?:add|sub|mul|max|min)\b"
)
_PASSES_SIGNED = re.compile(r"(?:and|lshr|ashr|urem|srem|udiv|sdiv|xor|trunc)\b")
_ADDRESS = re.compile(r"getelementptr [^,]*, ptr [^,]*, (.*)")
_LOCATION = re.compile(r"!dbg !(\d+)")
_PLACE = re.compile(
    r"!(\d+) = (?:distinct )?!DILocation\(line: (\d+)(?:, column: (\d+))?, scope: !(\d+)"
)
_SCOPE = re.compile(r"!(\d+) = (?:distinct )?!DI(?:Subprogram|LexicalBlock\w*|File)\((.*)\)")
_FILE = re.compile(r"!(\d+) = !DIFile\(filename: \"([^\"]*)\", directory: \"([^\"]*)\"")
_COPY = re.compile(r"call void @llvm\.mem(?:cpy|move)[\w.]*\((.*)\)")
_SHORTENED = re.compile(r"@__ubsan_handle_implicit_conversion\(ptr [^,]*, i64 [^,]*, i64 (.*?)\)")
_WIDENED = re.compile(r"zext (?:nneg )?i32 %")


def address_places(code: str) -> Iterator[tuple[str, int, int]]:
    """Path, line and column, in the compiled text, of arithmetic that leads to an address."""
    places = _Places(code)
    for body in _functions(code):
        for line in _leading_to_addresses(body):
            location = _LOCATION.search(line)
            if location and (place := places.of(location.group(1))):
                yield place


def copies(code: str) -> Iterator[tuple[tuple[str, int, int], int]]:
    """Path, line and column of copies of whole objects, and how these want to be aligned."""
    places = _Places(code)
    for line in code.split("\n"):
        copied = _COPY.search(line)
        location = _LOCATION.search(line) if copied else None
        place = places.of(location.group(1)) if location else None
        if copied and place:
            yield place, max(map(int, re.findall(r"align (\d+)", copied.group(1))), default=1)


def _functions(code: str) -> Iterator[list[str]]:
    body: list[str] | None = None
    for line in code.split("\n"):
        if line.startswith("define "):
            body = []
        elif line.startswith("}") and body is not None:
            yield body
            body = None
        elif body is not None:
            body.append(line)


def _leading_to_addresses(body: list[str]) -> Iterator[str]:
    """The lines whose result may wrap and goes into an address."""
    users, widened = _data_flow(body)
    for line in body:
        for name, signed in _sources(line):
            names = {name, widened.get(name, name)}
            if any(_reaches_address(it, users, signed=signed) for it in names):
                yield line


def _data_flow(body: list[str]) -> tuple[dict[str, list[tuple[str, str]]], dict[str, str]]:
    """Who uses a value, with the instruction; and what a widened number was before."""
    users: dict[str, list[tuple[str, str]]] = {}
    widened: dict[str, str] = {}
    for line in body:
        if assigned := _ASSIGNMENT.match(line):
            name, text = assigned.groups()
            used = _NAME.findall(text.partition(", !dbg")[0])
            for it in used:
                users.setdefault(it, []).append((name, text))
            if _WIDENED.match(text):
                widened[name] = used[0]
    return users, widened


def _sources(line: str) -> Iterator[tuple[str, bool]]:
    """The values that an instruction makes and that may have wrapped; whether no hash is."""
    assigned = _ASSIGNMENT.match(line)
    if assigned:
        overflow = _OVERFLOW.search(assigned.group(2))
        if overflow:
            yield assigned.group(1), _is_no_hash(overflow)
    elif shortened := _SHORTENED.search(line):
        for name in _NAME.findall(shortened.group(1)):
            yield name, True


def _is_no_hash(overflow: "re.Match[str]") -> bool:
    """Hashes are made of unsigned numbers and constants; sizes are multiplied with each other."""
    signed, operation, left, right = overflow.groups()
    return signed == "s" or (operation == "mul" and bool(left and right))


def _reaches_address(name: str, users: dict[str, list[tuple[str, str]]], *, signed: bool) -> bool:
    todo, done = [name], {name}
    while todo:
        current = todo.pop()
        for user, text in users.get(current, ()):
            index = _ADDRESS.match(text)
            if index and current in _NAME.findall(index.group(1)):
                return True
            passes = _PASSES_ON.match(text) or (signed and _PASSES_SIGNED.match(text))
            if passes and user not in done:
                done.add(user)
                todo.append(user)
    return False


class _Places:
    """Debug locations, read when they are asked for."""

    def __init__(self, code: str) -> None:
        self._places = {it.group(1): it.groups()[1:] for it in _PLACE.finditer(code)}
        self._scopes = {it.group(1): it.group(2) for it in _SCOPE.finditer(code)}
        self._files = {it.group(1): (it.group(2), it.group(3)) for it in _FILE.finditer(code)}

    def of(self, number: str) -> tuple[str, int, int] | None:
        """Path, line and column of location `number`."""
        place = self._places.get(number)
        if place is None:
            return None
        line, column, scope = place
        file = re.search(r"file: !(\d+)", self._scopes.get(scope, ""))
        if file is None or file.group(1) not in self._files:
            return None
        name, _directory = self._files[file.group(1)]
        return name, int(line), int(column or 0)
