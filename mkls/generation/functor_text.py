"""Write the struct that computes an operator, one overload for each kind of dtype."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from mkls.generation.dtypes import BOOLEAN, COMPLEX, FLOATING, INTEGRAL
from mkls.generation.known_functors import KnownFunctor

_OPERAND: Final = re.compile(r"\b([abc])\b(?!\.)")
_TRAITS: Final = {
    "floating": "::c10::metal::is_scalar_floating_point_v<T>",
    "integral": "::c10::metal::is_scalar_integral_v<T>",
    "complex": "::c10::metal::is_complex_v<T>",
}
_OLD_TRAITS: Final = {
    "floating": "::metal::is_floating_point_v<T> && ::metal::is_scalar_v<T>",
    "integral": "::metal::is_integral_v<T>",
    "complex": "::metal::is_same_v<T, float2> || ::metal::is_same_v<T, half2>",
}
TODO: Final = "// TODO: compute the result of `{}`."


def functor_text(
    stem: str, known: KnownFunctor, dtypes: Sequence[str], *, has_c10: bool, written: bool = True
) -> str:
    """Return the struct of functor `stem` for `dtypes`, ending in a newline.

    Unless `written`, the mathematics are not known: the bodies return their first operand, under a
    comment that says what is to be done.
    """
    kinds = list(_kinds(known, dtypes))
    overloads = [
        _overload(stem, known, kind, alone=len(kinds) == 1, has_c10=has_c10, written=written)
        for kind in kinds
    ]
    return f"struct {stem}_functor {{\n{''.join(overloads)}}};\n"


def _kinds(known: KnownFunctor, dtypes: Sequence[str]) -> Iterator[str]:
    if any(it in FLOATING for it in dtypes):
        yield "floating"
    if any(it in INTEGRAL or it in BOOLEAN for it in dtypes):
        yield "integral"
    if any(it in COMPLEX for it in dtypes) and known.complex:
        yield "complex"


def _overload(
    stem: str, known: KnownFunctor, kind: str, *, alone: bool, has_c10: bool, written: bool
) -> str:
    computed = "floating" if kind == "integral" and known.to_float else kind
    result = known.result or ("float" if computed != kind else "T")
    traits = _TRAITS if has_c10 else _OLD_TRAITS
    returns = (
        result
        if (alone and kind != "integral") or (alone and not known.to_float)
        else (f"::metal::enable_if_t<{traits[kind]}, {result}>")
    )
    names = "abc"[: known.arity]
    parameters = [f"const T {name}" for name in names]
    if known.alpha:
        parameters.append(f"const {known.alpha} alpha")
    body = (
        _statements(known, computed, result)
        if written
        else f"{TODO.format(stem)}\nreturn static_cast<{result}>(a);"
    )
    indented = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return (
        f"  template <typename T>\n"
        f"  inline {returns} operator()({', '.join(parameters)}) {{\n{indented}  }}\n"
    )


def _statements(known: KnownFunctor, computed: str, result: str) -> str:
    text = {"floating": known.floating, "integral": known.integral, "complex": known.complex}
    body = text[computed]
    if computed == "floating" and known.in_float:
        return _in_float(known, body, result)
    return body if ";" in body else f"return {body};"


def _in_float(known: KnownFunctor, body: str, result: str) -> str:
    if ";" not in body:
        computed = _OPERAND.sub(r"float(\1)", body)
        if known.alpha == "T":
            computed = re.sub(r"(?<!float\()\balpha\b", "float(alpha)", computed)
        return f"return static_cast<{result}>({computed});"
    renamed = _OPERAND.sub(r"float(\1)", body)
    return re.sub(
        r"\breturn ([^;]+);", lambda it: f"return static_cast<{result}>({it[1]});", renamed
    )


def continued(lines: Sequence[str]) -> str:
    """Return `lines` as one directive: each but the last ends in a backslash, all in one column."""
    width = max(map(len, lines)) + 1
    return "".join(f"{line:<{width}}\\\n" for line in lines[:-1]) + lines[-1] + "\n"
