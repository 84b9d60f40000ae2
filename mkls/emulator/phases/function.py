"""A function in LLVM's textual form: its blocks, and what each instruction defines and uses."""

import re
from collections.abc import Iterator

import msgspec

LOCAL = re.compile(r"%(\d+)\b")
_RESULT = re.compile(r"%(\d+) = (.*)", re.DOTALL)
_LABEL = re.compile(r"(\d+):(?:\s|$)")
_TARGETS = re.compile(r"label %(\d+)")
_HEADER = re.compile(r"define [^\n]*?@(?P<name>[\w.$]+)\((?P<parameters>.*)\)(?P<rest>[^)\n]*)\{\n")
_INCOMING = re.compile(r"\[ ((?:[^\[\]]|\[[^\]]*\])*?), %(\d+) \]")
_LEAVES = frozenset({"br", "ret", "switch", "unreachable"})
_UNKNOWN = frozenset({"indirectbr", "callbr", "invoke", "resume", "landingpad", "va_arg"})


class Unsplittable(Exception):  # noqa: N818  (no error: fibers do it)
    """The code holds something that this package does not know."""


class Instruction(msgspec.Struct, frozen=True):
    """One instruction. `text` leaves out the result, `uses` are the numbers of values."""

    text: str
    result: int
    opcode: str
    uses: tuple[int, ...]

    @property
    def incoming(self) -> list[tuple[str, int]]:
        """Of a phi, each value's text and the label of the block it comes from."""
        return [(value, int(label)) for value, label in _INCOMING.findall(self.text)]


class Block(msgspec.Struct, frozen=True):
    """Instructions that run one after the other; the last one leaves the block."""

    label: int
    instructions: tuple[Instruction, ...]

    @property
    def targets(self) -> tuple[int, ...]:
        """The labels of the blocks that may run next."""
        return tuple(dict.fromkeys(int(n) for n in _TARGETS.findall(self.instructions[-1].text)))


class Function(msgspec.Struct, frozen=True):
    """`rest` is what stands between the parameters and the body; parameters are numbered from 0."""

    name: str
    parameter_count: int
    rest: str
    blocks: tuple[Block, ...]


def definition(module: str, name: str) -> tuple[int, int] | None:
    """Where the text of function `name` starts and ends; None when `module` does not define it."""
    found = re.search(rf"^define [^\n]*@{re.escape(name)}\(", module, re.MULTILINE)
    if found is None:
        return None
    end = module.find("\n}\n", found.start())
    return (found.start(), end + 3) if end >= 0 else None


def parse_function(text: str) -> Function:
    """Read the text of one definition. Raises Unsplittable."""
    header = _HEADER.match(text)
    if header is None or " asm " in text or "@llvm.stacksave" in text:
        raise Unsplittable("an unknown kind of function")
    count = len(LOCAL.findall(header["parameters"]))
    blocks = tuple(_blocks(text[header.end() :], count))
    return Function(header["name"], count, header["rest"], blocks)


def _blocks(body: str, first_label: int) -> Iterator[Block]:
    label, instructions = first_label, list[Instruction]()
    for line in _lines(body):
        found = _LABEL.match(line)
        if found:
            label = int(found[1])
            continue
        instructions.append(_instruction(line))
        if instructions[-1].opcode in _LEAVES:
            yield Block(label, tuple(instructions))
            instructions = []
    if instructions:
        raise Unsplittable("a block without an end")


def _lines(body: str) -> Iterator[str]:
    """One line for each label and instruction; a `switch` takes several in the text."""
    pending = ""
    for line in body.split("\n"):
        stripped = line.strip()
        if pending:
            pending += " " + stripped
            if stripped.startswith("]"):
                yield pending
                pending = ""
        elif stripped.startswith("switch ") and stripped.endswith("["):
            pending = stripped
        elif stripped and not stripped.startswith((";", "}")):
            yield stripped


def _instruction(line: str) -> Instruction:
    found = _RESULT.match(line)
    result, text = (int(found[1]), found[2]) if found else (-1, line)
    words = text.split(None, 2)
    opcode = words[1] if words[0] in ("tail", "musttail", "notail") else words[0]
    if opcode in _UNKNOWN or words[0] == "musttail":
        raise Unsplittable(f"the instruction {opcode}")
    return Instruction(text, result, opcode, _uses(text, opcode))


def _uses(text: str, opcode: str) -> tuple[int, ...]:
    if opcode == "phi":
        values = " ".join(value for value, _ in _INCOMING.findall(text))
        return tuple(int(n) for n in LOCAL.findall(values))
    if opcode in _LEAVES:
        text = _TARGETS.sub("", text)
    return tuple(dict.fromkeys(int(n) for n in LOCAL.findall(text)))
