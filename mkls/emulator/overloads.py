"""Address spaces that tell functions apart: on a CPU they are the same, so one of each stays.

An overload may differ by the address space of a parameter, or of the object it is a member of:
`T get() const device`.
"""

from collections.abc import Iterator

from mkls.emulator.declarations import Declaration
from mkls.emulator.edits import Edit, newlines
from mkls.emulator.tokens import Tokens, is_identifier

_SPACES = frozenset({"device", "thread", "threadgroup", "threadgroup_imageblock", "ray_data"})


def duplicate_overloads(tokens: Tokens, all_declarations: list[Declaration]) -> Iterator[Edit]:
    """Edits that blank every later definition that erasing address spaces makes a duplicate."""
    seen: dict[tuple[object, ...], bool] = {}
    for declaration in all_declarations:
        if declaration.is_type:
            yield from _specialisation(tokens, declaration, seen)
        if declaration.parameters < 0 or declaration.is_type or declaration.instantiation:
            continue
        parameters = _erased_parameters(tokens, declaration)
        key = (
            declaration.scope,
            tokens.joined(declaration.first, declaration.head),
            _erased(tokens, declaration.head, declaration.name),
            tokens.joined(declaration.name, declaration.parameters),
            parameters,
            _qualifiers(tokens, declaration),
        )
        mentions = _mentions_space(tokens, declaration)
        if not _defines(tokens, declaration):
            yield from _blank_object_spaces(tokens, declaration)
            continue
        if key in seen and (mentions or seen[key]):
            start, end = tokens.starts[declaration.first], tokens.end(declaration.last)
            yield Edit(start, end, newlines(tokens.text[start:end]))
        else:
            yield from _blank_object_spaces(tokens, declaration)
        seen.setdefault(key, mentions)


def _defines(tokens: Tokens, declaration: Declaration) -> bool:
    """Whether it has a body or is defaulted or deleted; what is declared may be so again."""
    ending = tokens.texts[max(declaration.last - 2, 0) : declaration.last]
    return declaration.body >= 0 or ending in (["=", "default"], ["=", "delete"])


def _specialisation(
    tokens: Tokens, declaration: Declaration, seen: dict[tuple[object, ...], bool]
) -> Iterator[Edit]:
    """`struct traits<device T*>` when there is a `struct traits<thread T*>` already."""
    mentions = not _SPACES.isdisjoint(tokens.texts[declaration.head : declaration.body])
    key = (
        declaration.scope,
        tokens.joined(declaration.first, declaration.head),
        _erased(tokens, declaration.head, declaration.body),
    )
    if mentions and key in seen:
        start, end = tokens.starts[declaration.first], tokens.end(declaration.last)
        yield Edit(start, end, newlines(tokens.text[start:end]))
    if mentions:
        seen[key] = True


def _behind_parameters(tokens: Tokens, declaration: Declaration) -> Iterator[int]:
    """The tokens between the parameter list and the body or the initialisers."""
    index = tokens.close(declaration.parameters) + 1
    end = declaration.body if declaration.body >= 0 else declaration.last
    while index < end and tokens.texts[index] not in (":", "->", "noexcept", "="):
        yield index
        index += 1


def _qualifiers(tokens: Tokens, declaration: Declaration) -> str:
    words = [tokens.texts[index] for index in _behind_parameters(tokens, declaration)]
    return " ".join(word for word in words if word not in _SPACES and word != "constant")


def _blank_object_spaces(tokens: Tokens, declaration: Declaration) -> Iterator[Edit]:
    """The object's own address space; a member for `constant` objects alone is a const one."""
    constant = "const" in _qualifiers(tokens, declaration) or declaration.is_constructor
    for index in _behind_parameters(tokens, declaration):
        text = tokens.texts[index]
        if text in _SPACES or (text == "constant" and constant):
            yield Edit(tokens.starts[index], tokens.end(index), " " * len(text))


def _mentions_space(tokens: Tokens, declaration: Declaration) -> bool:
    end = declaration.body if declaration.body >= 0 else declaration.last
    return not _SPACES.isdisjoint(tokens.texts[declaration.head : end])


def _erased_parameters(tokens: Tokens, declaration: Declaration) -> tuple[str, ...]:
    first, last = declaration.parameters + 1, tokens.close(declaration.parameters)
    spans = tokens.split_commas(first, last)
    return tuple(_erased(tokens, start, _name_start(tokens, start, end)) for start, end in spans)


def _name_start(tokens: Tokens, first: int, last: int) -> int:
    """Where a parameter's type ends: in front of its name, if it has one."""
    end = next((i for i in range(first, last) if tokens.texts[i] == "="), last)
    texts = tokens.texts
    named = end - first > 1 and is_identifier(texts[end - 1]) and texts[end - 2] != "::"
    return end - 1 if named else end


def _erased(tokens: Tokens, first: int, last: int) -> str:
    words: list[str] = []
    index = first
    while index < last:
        text = tokens.texts[index]
        if tokens.is_attribute(index):
            index = tokens.close(index)
        elif text not in _SPACES:
            words.append("const" if text == "constant" else text)
        index += 1
    constant = "const" in words
    words = [word for word in words if word != "const"]
    return ("const " if constant else "") + " ".join(words)
