"""Kernels whose barriers stand between the statements of their body run as loops, one per phase.

What follows a barrier becomes a closure that the part before returns: one loop runs the first part
of all threads and keeps their closures, the next loop calls those. No thread needs a stack of its
own, and the loops can be vectorised. Kernels that do not lend themselves to it wait on fibers.
"""

from collections.abc import Collection, Iterator

import msgspec

from mkls.emulator.declarations import Declaration
from mkls.emulator.edits import Edit, newlines
from mkls.emulator.tokens import Tokens, is_identifier

_STATEMENT_ENDS = frozenset({";", "{", "}"})
_MEMORY = frozenset({"device", "constant", "threadgroup"})
_BEFORE_UNARY = frozenset(
    {"(", ",", "=", "return", "{", "[", "?", ":", "<", ">", "&", "|", "!", "+", "-"}
)


class Phases(msgspec.Struct, frozen=True):
    """Where a kernel definition is split.

    `barriers` are the first and last (`;`) tokens of barrier statements; `shared` has for each the
    names that what follows must share instead of copy.
    """

    declaration: Declaration
    barriers: tuple[tuple[int, int], ...]
    shared: tuple[tuple[str, ...], ...]


def phases_of(tokens: Tokens, declaration: Declaration) -> Phases | None:
    """How to split `declaration`, which has a body; None when it must not be split."""
    barriers = tuple(_barriers(tokens, declaration))
    if not barriers or "void" not in tokens.texts[declaration.head : declaration.name]:
        return None
    body, last = declaration.body + 1, barriers[-1][0]
    if tokens.texts[body : declaration.last].count("threadgroup_barrier") != len(barriers):
        return None
    shared = [_shared_names(tokens, declaration, first) for first, _ in barriers]
    if not _survives_copying(tokens, body, last, {*shared[-1], *_pointers(tokens, declaration)}):
        return None
    return Phases(declaration, barriers, tuple(tuple(names) for names in shared))


def split(tokens: Tokens, phases: Phases) -> Iterator[Edit]:
    """The edits that turn a kernel into one that returns its next phase."""
    declaration = phases.declaration
    void = tokens.texts.index("void", declaration.head, declaration.name)
    yield Edit(tokens.starts[void], tokens.end(void), "auto")
    for (first, last), names in zip(phases.barriers, phases.shared, strict=True):
        start, end = tokens.starts[first], tokens.end(last)
        captures = "".join(f", &{name}" for name in names)
        text = f"return [={captures}]() mutable {{"
        yield Edit(start, end, text + newlines(tokens.text[start:end]))
    end = tokens.starts[declaration.last]
    yield Edit(end, end, "};" * len(phases.barriers))


def _barriers(tokens: Tokens, declaration: Declaration) -> Iterator[tuple[int, int]]:
    """Barrier statements directly in the body."""
    texts = tokens.texts
    index = declaration.body + 1
    while index < declaration.last:
        text = texts[index]
        if text == "threadgroup_barrier" and texts[index + 1] == "(":
            first = index - 2 if texts[index - 2 : index] == ["metal", "::"] else index
            last = tokens.close(index + 1) + 1
            if texts[first - 1] in _STATEMENT_ENDS and texts[last] == ";":
                yield first, last
        index = tokens.close(index) if text in "({[" else index
        index += 1


def _shared_names(tokens: Tokens, declaration: Declaration, barrier: int) -> list[str]:
    """Reference parameters and threadgroup variables declared before `barrier`."""
    names: list[str] = []
    open_ = declaration.parameters
    for first, last in tokens.split_commas(open_ + 1, tokens.close(open_)):
        names.extend(
            tokens.texts[index + 1]
            for index in range(first, last - 1)
            if tokens.texts[index] == "&" and is_identifier(tokens.texts[index + 1])
        )
    index = declaration.body + 1
    while index < barrier:
        text = tokens.texts[index]
        if text == "threadgroup" and tokens.texts[index - 1] in _STATEMENT_ENDS:
            names += _declared(tokens, index)
        index = tokens.close(index) if text in "({[" else index
        index += 1
    return list(dict.fromkeys(names))


def _declared(tokens: Tokens, index: int) -> Iterator[str]:
    last = index
    while tokens.texts[last] not in (";", "}"):
        last = tokens.close(last) if tokens.texts[last] in "({[" else last
        last += 1
    for first, end in tokens.split_commas(index + 1, last):
        words = tokens.texts[first : _before_dimensions(tokens, first, end)]
        if "*" not in words and "&" not in words and "=" not in words:
            yield words[-1]


def _before_dimensions(tokens: Tokens, first: int, end: int) -> int:
    while end > first and tokens.texts[end - 1] == "]":
        end = tokens.partner.get(end - 1, first)
    return end


def _pointers(tokens: Tokens, declaration: Declaration) -> Iterator[str]:
    """Pointer parameters: what they point to outlives a phase."""
    open_ = declaration.parameters
    for first, last in tokens.split_commas(open_ + 1, tokens.close(open_)):
        for index in range(first, last - 1):
            if tokens.texts[index] == "*" and is_identifier(tokens.texts[index + 1]):
                yield tokens.texts[index + 1]


def _survives_copying(tokens: Tokens, first: int, last: int, lasting: Collection[str]) -> bool:
    """Whether locals may move between phases: nothing refers to one, and no thread leaves early."""
    texts = tokens.texts
    for index in range(first, last):
        text = texts[index]
        if text in ("return", "thread", "goto", "static") or texts[index : index + 2] == ["[", "&"]:
            return False
        if text == "&" and not _harmless_ampersand(texts, index, lasting):
            return False
        if (
            text == "*"
            and texts[index + 2] in ("=", ";")
            and _declares_private_pointer(texts, index)
        ):
            return False
    return True


def _harmless_ampersand(texts: list[str], index: int, lasting: Collection[str]) -> bool:
    before, after = texts[index - 1], texts[index + 1]
    if before == "&" or after == "&":  # `&&`
        return texts[index + 2] != "=" and texts[index - 1] != "auto"
    if before in _BEFORE_UNARY:
        return after in lasting
    return not (is_identifier(after) and texts[index + 2] == "=" and texts[index + 3] != "=")


def _declares_private_pointer(texts: list[str], index: int) -> bool:
    start = index
    while texts[start - 1] not in _STATEMENT_ENDS:
        start -= 1
    words = texts[start:index]
    return all(
        is_identifier(w) or w in ("::", "<", ">", ",") for w in words
    ) and _MEMORY.isdisjoint(words)
