"""Mistakes in the bodies of kernels and functors."""

import re
from collections.abc import Iterator

from mkls.text.edit import Edit
from mkls.text.span import Span
from tests.mutation.text import bare, closing, function, line, parts
from tests.support.mutation import Kind, Site, Tree

_METAL = r"/mps/kernels/.*\.(metal|h)$"


def nan_lost(tree: Tree) -> Iterator[Site]:
    """`c10::metal::max` or `min`, which propagate NaN, become Metal's, which do not."""
    for path, text in tree.matching(_METAL):
        for found in re.finditer(r"\bc10::metal::(?=(?:max|min)\()", bare(text)):
            wrong = ("metal::", "::metal::")
            whole = line(text, found.start())
            yield Site(path, Span(*found.span()), wrong, whole)


_INTEGRAL = re.compile(r"enable_if_t<[^;{}]*?integral_v<T>[^;{}]*?, T>[\s\\]*operator\(\)\(")


def through_float(tree: Tree) -> Iterator[Site]:
    """An overload for integers that returns an integer computes in float: wrong beyond 2**24."""
    for path, text in tree.matching(_METAL):
        plain = bare(text)
        for found in _INTEGRAL.finditer(plain):
            opening = found.end() - 1
            names = [it.of(plain).split()[-1] for it in parts(plain, opening)]
            body = plain.find("{", closing(plain, opening))
            result = re.compile(r"return ([^;]*);").search(plain, body, closing(plain, body))
            if (
                result
                and "float" not in result[1]
                and "~" not in result[1]
                and "::" not in result[1]
            ):
                names_of = "|".join(map(re.escape, names))
                computed = re.sub(rf"\b({names_of})\b", r"float(\1)", result[1])
                yield Site(
                    path,
                    Span(*result.span(1)),
                    (f"static_cast<T>({computed})",),
                    line(text, result.start()),
                )


_BOUND = re.compile(r"\bif \([^{};]*?\b(\w+) (>=) [^{};]*?\) \{\s*(?:return|TORCH_REPORT_ERROR)")


def bound_off_by_one(tree: Tree) -> Iterator[Site]:
    """The check of an index that was read from a buffer lets the first one beyond pass."""
    for path, text in tree.matching(_METAL):
        plain = bare(text)
        for found in _BOUND.finditer(plain):
            own = plain[function(plain, found.start()).start : found.start()]
            if re.search(rf"\b{found[1]} = \w+\[", own):
                yield Site(path, Span(*found.span(2)), (">",), line(text, found.start(2)))


def report_then_continue(tree: Tree) -> Iterator[Site]:
    """The kernel goes on after it has reported an error."""
    for path, text in tree.matching(_METAL):
        plain = bare(text)
        for found in re.finditer(r"\bTORCH_REPORT_ERROR\(", plain):
            end = closing(plain, found.end() - 1)
            after = re.compile(r";\s*?\n[ \t]*return[^;]*;").match(plain, end + 1)
            if after:
                place = Span(found.start(), after.end())
                yield Site(path, Span(end + 2, after.end()), ("",), place)


_FUNCTOR = re.compile(r"^struct (\w+)_functor \{", re.MULTILINE)


def _single_calls(tree: Tree) -> Iterator[tuple[str, str, str, Span, Span]]:
    """Yield path, text, name, place of the result's type and of the parameters of each functor.

    Only functors with one `operator()` that a macro of this file registers.
    """
    for path, text in tree.matching(r"/mps/kernels/.*\.metal$"):
        plain = bare(text)
        for found in _FUNCTOR.finditer(plain):
            end = closing(plain, found.end() - 1)
            heads = list(re.finditer(r"inline (\w+) operator\(\)\(", plain[found.start() : end]))
            every = plain.count("operator()", found.start(), end)
            registered = re.search(rf"^\s*REGISTER_\w+\({found[1]}\b", text, re.MULTILINE)
            if len(heads) == 1 and every == 1 and registered:
                opening = found.start() + heads[0].end() - 1
                result = Span(*heads[0].span(1)).shifted(found.start())
                yield path, text, found[1], result, Span(opening, closing(plain, opening))


def functor_arity(tree: Tree) -> Iterator[Site]:
    """The functor takes one argument more than the macro that registers it hands over."""
    for path, text, name, result, parameters in _single_calls(tree):
        last = parameters.end
        kind = "T" if "T" in re.findall(r"\w+", parameters.of(text)) else "float"
        place = line(text, result.start)
        yield Site(path, Span(last, last), (f", const {kind} extra",), place, (name,))


def functor_result(tree: Tree) -> Iterator[Site]:
    """The functor's result is of another type than its registrations say."""
    for path, text, name, result, _ in _single_calls(tree):
        wrong = {"T": ("float", "bool"), "bool": ("T",), "float": ("half",)}
        if result.of(text) in wrong:
            yield Site(path, result, wrong[result.of(text)], line(text, result.start), (name,))


def double_used(tree: Tree) -> Iterator[Site]:
    """A kernel computes in double, which Metal does not have."""
    for path, text in tree.matching(r"/mps/kernels/.*\.metal$"):
        plain = bare(text)
        for found in re.finditer(r"\b(?:static_cast<(float)>|(float) \w+ = )", plain):
            group = 1 if found[1] else 2
            in_macro = line(plain, found.start()).of(plain).rstrip().endswith("\\")
            if not in_macro:
                place = line(text, found.start())
                yield Site(path, Span(*found.span(group)), ("double",), place)


def constexpr_used(tree: Tree) -> Iterator[Site]:
    """`if constexpr`, which Metal 3 does not have."""
    for path, text in tree.matching(_METAL):
        for found in re.finditer(r"\bif (IF_CONSTEXPR) \(", bare(text)):
            yield Site(path, Span(*found.span(1)), ("constexpr",), line(text, found.start()))


def bfloat_unguarded(tree: Tree) -> Iterator[Site]:
    """`bfloat` is registered for Metal versions that do not have it."""
    for path, text in tree.matching(r"/mps/kernels/.*\.metal$"):
        for found in re.finditer(r"^#if __METAL_VERSION__ >= 310\n", text, re.MULTILINE):
            end = re.compile(r"^#(?:if|else|endif)\b.*\n?", re.MULTILINE).search(text, found.end())
            inside = text[found.end() : end.start()] if end else ""
            if end and end[0].startswith("#endif") and re.search(r"\(bfloat\b|, bfloat\)", inside):
                place = Span(found.start(), end.end())
                removed = Edit(Span(*end.span()), "")
                yield Site(path, Span(*found.span()), ("",), place, (), (removed,))


KINDS = (
    Kind("nan-lost", "kernel-body", nan_lost),
    Kind("through-float", "kernel-body", through_float),
    Kind("bound-off-by-one", "kernel-body", bound_off_by_one),
    Kind("report-then-continue", "kernel-body", report_then_continue),
    Kind("functor-arity", "kernel-body", functor_arity),
    Kind("functor-result", "kernel-body", functor_result),
    Kind("constexpr-used", "kernel-body", constexpr_used),
    Kind("bfloat-unguarded", "kernel-body", bfloat_unguarded),
    Kind("double-used", "kernel-body", double_used),
)
