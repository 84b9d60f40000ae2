"""Types of values in LLVM's textual form, read off the instructions that make them."""

import re

from mkls.emulator.phases.function import Instruction, Unsplittable

_TYPE_WORD = re.compile(r"(?:i\d+|half|bfloat|float|double|ptr(?: addrspace\(\d+\))?)(?![\w.])")
_SKIPPED = re.compile(
    r"(?:range\([^)]*\)|nofpclass\([^)]*\)|(?:dereferenceable|dereferenceable_or_null|align)\(\d+\)"
    r"|align \d+|[a-z_]+)\s+"
)
_PAIRS = {"<": ">", "[": "]", "{": "}", "(": ")"}
_ARITHMETIC = frozenset(
    {"add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor"}
    | {"fadd", "fsub", "fmul", "fdiv", "frem", "fneg"}
)
_FIRST_TYPE = _ARITHMETIC | {"freeze", "phi", "load", "call", "insertvalue", "insertelement"}
_CASTS = frozenset(
    {"trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"}
    | {"ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast"}
)
_VECTOR = re.compile(r"<(\d+) x (.*)>\Z")


def result_type(instruction: Instruction) -> str:
    """The type of what `instruction` defines. Raises Unsplittable."""
    opcode, text = instruction.opcode, instruction.text
    if opcode in _FIRST_TYPE:
        return _leading_type(text.removeprefix("tail ").removeprefix("notail ")[len(opcode) :])
    operands = split_commas(text[len(opcode) :])
    if opcode in _CASTS:
        found = re.search(r" to (.*)\Z", operands[0])
        return _leading_type(found[1]) if found else _unknown(text)
    if opcode in ("icmp", "fcmp"):
        vector = _VECTOR.match(_leading_type(operands[0]))
        return f"<{vector[1]} x i1>" if vector else "i1"
    if opcode in ("select", "atomicrmw"):
        return _leading_type(operands[1])
    if opcode == "cmpxchg":
        return f"{{ {_leading_type(operands[1])}, i1 }}"
    if opcode == "extractelement":
        return _element(_leading_type(operands[0]), text)
    if opcode == "shufflevector":
        mask = _VECTOR.match(_leading_type(operands[2]))
        element = _element(_leading_type(operands[0]), text)
        return f"<{mask[1]} x {element}>" if mask else _unknown(text)
    if opcode == "getelementptr" and not any(o.startswith("<") for o in operands[1:]):
        return "ptr"
    if opcode == "extractvalue":
        return _member(_leading_type(operands[0]), operands[1:], text)
    return _unknown(text)


def _unknown(text: str) -> str:
    raise Unsplittable(f"the type of {text}")


def _leading_type(text: str) -> str:
    """The first type in `text`, flags and attributes before it skipped."""
    text = text.lstrip()
    while True:
        end = type_end(text)
        if end:
            return text[:end]
        skipped = _SKIPPED.match(text)
        if skipped is None:
            return _unknown(text)
        text = text[skipped.end() :]


def type_end(text: str) -> int:
    """Where the type that `text` starts with ends; 0 when it starts with none."""
    if text[:1] in _PAIRS:
        return matching(text, 0) + 1
    if text.startswith("%") and not text[1:2].isdigit():
        found = re.match(r'%(?:"[^"]*"|[\w.$:-]+)', text)
        return found.end() if found else 0
    found = _TYPE_WORD.match(text)
    return found.end() if found else 0


def matching(text: str, start: int) -> int:
    """The index of the bracket that closes the one at `start`."""
    depth = 0
    for index in range(start, len(text)):
        if text[index] in "<[{(":
            depth += 1
        elif text[index] in ">]})":
            depth -= 1
            if depth == 0:
                return index
    raise Unsplittable(f"the type of {text}")


def split_commas(text: str) -> list[str]:
    """The parts of `text` between commas that no bracket encloses, stripped."""
    parts, depth, start = list[str](), 0, 0
    for index, character in enumerate(text):
        if character in "<[{(":
            depth += 1
        elif character in ">]})":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    parts.append(text[start:].strip())
    return parts


def _element(vector: str, text: str) -> str:
    found = _VECTOR.match(vector)
    return found[2] if found else _unknown(text)


def _member(aggregate: str, operands: list[str], text: str) -> str:
    for operand in operands:
        if not operand.isdigit():
            break  # metadata
        if aggregate.startswith("{"):
            members = split_commas(aggregate[1:-1])
            aggregate = members[int(operand)]
        elif found := re.match(r"\[\d+ x (.*)\]\Z", aggregate):
            aggregate = found[1]
        else:
            return _unknown(text)
    return aggregate
