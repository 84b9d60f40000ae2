"""`constant bool x [[function_constant(3)]];` becomes a constant with the value asked for."""

import re
from collections.abc import Iterator, Mapping

from mkls.emulator.attributes import attributes_in
from mkls.emulator.declarations import Declaration
from mkls.emulator.edits import Edit
from mkls.emulator.tokens import Tokens

Values = Mapping[str | int, object]
_QUALIFIERS = frozenset({"constant", "const", "static", "constexpr", "inline"})


def function_constants(
    tokens: Tokens, all_declarations: list[Declaration], values: Values
) -> Iterator[Edit]:
    """Edits that give every function constant its value, zero when it has none.

    They also fold `is_function_constant_defined`.
    """
    known: dict[str, bool] = {}
    for declaration in all_declarations:
        index = _constant_index(tokens, declaration)
        if index is None:
            continue
        name = tokens.texts[declaration.name]
        value = values.get(name, values.get(int(index) if index.isdigit() else index))
        known[name] = value is not None
        end = tokens.starts[declaration.last]
        yield Edit(end, end, f" = {_initialiser(tokens, declaration, value)}")
    yield from _fold_defined(tokens, known)


def _constant_index(tokens: Tokens, declaration: Declaration) -> str | None:
    if declaration.name < 0 or declaration.body >= 0 or declaration.parameters >= 0:
        return None
    for attribute in attributes_in(tokens, declaration.first, declaration.last):
        if attribute.name == "function_constant":
            return attribute.argument
    return None


def _initialiser(tokens: Tokens, declaration: Declaration, value: object) -> str:
    words = tokens.texts[declaration.head : declaration.name]
    type_ = " ".join(word for word in words if word not in _QUALIFIERS)
    if value is None:
        return f"{type_}(0)"
    parts = list(value) if isinstance(value, (list, tuple)) else [value]  # pyright: ignore
    return f"{type_}({', '.join(_literal(part) for part in parts)})"  # pyright: ignore


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if re.fullmatch(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf|-inf|nan", text) is None:
        raise ValueError(
            f"a function constant must be a number or a list of numbers, not {value!r}"
        )
    spelled = {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN"}
    return spelled.get(text, text + "f" if "." in text or "e" in text else text)


def _fold_defined(tokens: Tokens, known: dict[str, bool]) -> Iterator[Edit]:
    for index, text in enumerate(tokens.texts):
        if text != "is_function_constant_defined":
            continue
        close = tokens.close(index + 1)
        name = tokens.texts[close - 1]
        if name in known:
            yield Edit(tokens.starts[index], tokens.end(close), "true" if known[name] else "false")
