"""Uses of one pointer or reference in one function, found in its syntax tree.

From each place where the name stands, the walk climbs to the expression that decides: an
assignment, a call, an initializer that makes another name for the same memory.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from tree_sitter import Node

from mkls.syntax.metal.masking import masked
from mkls.syntax.metal.tree import tree_of

READ: Final = 1
WRITE: Final = 2
_BOTH: Final = READ | WRITE
_CAST: Final = re.compile(r"\s*(?:static_cast|reinterpret_cast|const_cast|as_type)\b")
_CONST: Final = re.compile(r"\b(?:const|constant)\b")
_REFERENCE: Final = re.compile(r"&\s*[\w:]+\s*\(")
_SIZEOF: Final = ("sizeof_expression", "decltype", "alignof_expression", "type_descriptor")
_PASS_THROUGH: Final = ("parenthesized_expression", "comma_expression", "call_expression")


class Call(NamedTuple):
    """The memory is argument `position` of `given` in a call of `name`.

    `pointer`: it is passed by address. `assigned`: the call stands left of a `=`.
    """

    name: str
    position: int
    given: int
    pointer: bool
    assigned: bool


class Uses(NamedTuple):
    """What is done to the memory: flags, calls that get it, whether it is what is returned."""

    flags: int
    calls: tuple[Call, ...]
    escapes: bool


@lru_cache(maxsize=2048)
def uses_of(clean: str, name: str, reference: bool, body: int) -> Uses:
    """Return the uses of parameter `name` in the function whose structure is `clean`.

    `body` is where its body starts.
    """
    return _Walk(clean, body).uses(name, reference, body)


@lru_cache(maxsize=64)
def _root(clean: str) -> Node:
    return tree_of(masked(clean)).root_node


class _Walk:
    def __init__(self, clean: str, body: int) -> None:
        self.root = _root(clean)
        self.returns_reference = _REFERENCE.search(clean, 0, body) is not None
        self.clean = clean
        self.flags = 0
        self.escapes = False
        self.calls: list[Call] = []
        self.todo: list[tuple[str, bool]] = []
        self.seen: set[str] = set()

    def uses(self, name: str, reference: bool, body: int) -> Uses:
        self.todo.append((name, reference))
        while self.todo and self.flags != _BOTH:
            name, reference = self.todo.pop()
            if name in self.seen:
                continue
            self.seen.add(name)
            for start in _occurrences(self.clean, name, body):
                self._climb(start, start + len(name), not reference)
        return Uses(self.flags, tuple(self.calls), self.escapes)

    def _climb(self, start: int, end: int, pointer: bool) -> None:
        node = self.root.descendant_for_byte_range(start, end)
        if node is None or node.type not in ("identifier", "field_identifier", "this"):
            return
        parent = node.parent
        while parent is not None:
            step = self._step(node, parent, pointer)
            if step is None:
                return
            pointer = step
            node, parent = parent, parent.parent

    def _step(self, node: Node, parent: Node, pointer: bool) -> bool | None:
        """Return whether `parent` is an address (True) or memory (False); None ends the climb."""
        handler = _HANDLERS.get(parent.type)
        if handler is not None:
            return handler(self, node, parent, pointer)
        if parent.type in _PASS_THROUGH:
            return pointer
        if parent.type == "ERROR":
            self.flags |= _BOTH
        elif parent.type.endswith("_declarator") or parent.type in _SIZEOF:
            return None
        else:
            self.flags |= self._otherwise(parent, pointer)
        return None

    def _otherwise(self, parent: Node, pointer: bool) -> int:
        """Return what an expression that no handler knows does: memory is read there."""
        if parent.type == "return_statement" and (pointer or self.returns_reference):
            self.escapes = True
            return 0
        if not pointer:
            return READ
        return _BOTH if parent.type in ("initializer_list", "lambda_capture_specifier") else 0

    def subscript(self, node: Node, parent: Node, pointer: bool) -> bool | None:
        if parent.child_by_field_name("argument") == node:
            return False
        self.flags |= 0 if pointer else READ
        return None

    def indices(self, _node: Node, _parent: Node, pointer: bool) -> bool | None:
        self.flags |= 0 if pointer else READ
        return None

    def dereference(self, _node: Node, parent: Node, _pointer: bool) -> bool | None:
        operator = parent.child_by_field_name("operator")
        return operator is not None and operator.type == "&"

    def field(self, _node: Node, _parent: Node, _pointer: bool) -> bool | None:
        return False

    def cast(self, _node: Node, parent: Node, pointer: bool) -> bool | None:
        if not pointer:
            self.flags |= READ
            return None
        kind = parent.child_by_field_name("type")
        return self._unless_const(kind)

    def _unless_const(self, kind: Node | None) -> bool | None:
        text = self.clean[kind.start_byte : kind.end_byte] if kind else ""
        if _CONST.search(text.split("*")[0]) or (kind is not None and "*" not in text):
            self.flags |= READ
            return None
        return True

    def binary(self, _node: Node, parent: Node, pointer: bool) -> bool | None:
        operator = parent.child_by_field_name("operator")
        if pointer and operator is not None and operator.type in ("+", "-"):
            return True
        self.flags |= 0 if pointer else READ
        return None

    def conditional(self, node: Node, parent: Node, pointer: bool) -> bool | None:
        if pointer and parent.child_by_field_name("condition") != node:
            return True
        self.flags |= 0 if pointer else READ
        return None

    def assignment(self, node: Node, parent: Node, pointer: bool) -> bool | None:
        left = parent.child_by_field_name("left")
        operator = parent.child_by_field_name("operator")
        if left == node:
            if not pointer:
                self.flags |= WRITE if operator is not None and operator.type == "=" else _BOTH
            return None
        if not pointer:
            self.flags |= READ
        elif left is not None and left.type == "identifier":
            self.todo.append((self.clean[left.start_byte : left.end_byte], False))
        else:
            self.flags |= _BOTH
        return None

    def update(self, _node: Node, _parent: Node, pointer: bool) -> bool | None:
        if pointer:
            return True
        self.flags |= _BOTH
        return None

    def initializer(self, node: Node, parent: Node, pointer: bool) -> bool | None:
        declarator = parent.child_by_field_name("declarator")
        if declarator is None or declarator == node or parent.child_by_field_name("value") != node:
            return None
        declaration = parent.parent
        start = declaration.start_byte if declaration is not None else declarator.start_byte
        refers = declarator.type == "reference_declarator"
        if not pointer and not refers:
            self.flags |= READ
            return None
        name = _declared_name(declarator)
        if _CONST.search(self.clean[start : declarator.start_byte]):
            self.flags |= READ
        elif name is not None:
            text = self.clean[name.start_byte : name.end_byte]
            self.todo.append((text, refers and not pointer))
        else:
            self.flags |= _BOTH
        return None

    def arguments(self, node: Node, parent: Node, pointer: bool) -> bool | None:
        call = parent.parent
        function = call.child_by_field_name("function") if call is not None else None
        if call is None or function is None:
            self.flags |= _BOTH if pointer else READ
            return None
        text = self.clean[function.start_byte : function.end_byte]
        if _CAST.match(text):
            if not pointer:
                self.flags |= READ
                return None
            return self._unless_const(function)
        given = [child for child in parent.named_children if child.type != "comment"]
        index = next((at for at, child in enumerate(given) if child == node), 0)
        outer = call.parent
        left = outer.child_by_field_name("left") if outer is not None else None
        assigned = left == call
        self._call(Call(_called_name(text), index, len(given), pointer, assigned))
        return False if assigned else None

    def _call(self, call: Call) -> None:
        name, pointer = call.name, call.pointer
        known = _LIBRARY.get(name) if pointer else None
        if known is not None:
            self.flags |= known
        elif pointer and name.startswith("atomic_"):
            self.flags |= _BOTH
        else:
            self.calls.append(call)


_LIBRARY: Final = {
    "atomic_load_explicit": READ,
    "atomic_store_explicit": WRITE,
    "simdgroup_load": READ,
    "simdgroup_store": WRITE,
}

_HANDLERS: Final = {
    "subscript_expression": _Walk.subscript,
    "subscript_argument_list": _Walk.indices,
    "pointer_expression": _Walk.dereference,
    "field_expression": _Walk.field,
    "cast_expression": _Walk.cast,
    "binary_expression": _Walk.binary,
    "conditional_expression": _Walk.conditional,
    "assignment_expression": _Walk.assignment,
    "update_expression": _Walk.update,
    "init_declarator": _Walk.initializer,
    "argument_list": _Walk.arguments,
}


def _occurrences(clean: str, name: str, body: int) -> Iterator[int]:
    """Yield where `name` stands as a word of its own that no `.` or `->` precedes."""
    start = clean.find(name, body)
    while start >= 0:
        end = start + len(name)
        before, after = clean[start - 1 : start], clean[end : end + 1]
        joined = before.isalnum() or before in ("_", ".") or after.isalnum() or after == "_"
        if not joined and clean[start - 2 : start] != "->":
            yield start
        start = clean.find(name, end)


def _declared_name(declarator: Node) -> Node | None:
    node: Node | None = declarator
    while node is not None and node.type != "identifier":
        named = node.child_by_field_name("declarator")
        node = named if named is not None else next(iter(node.named_children), None)
    return node


def _called_name(text: str) -> str:
    bare = re.sub(r"<.*", "", text, flags=re.DOTALL).strip()
    return re.split(r"::|\.|->", bare)[-1].strip()
