"""Slips where kernels are registered and asked for: arguments, commas, names of macros, headers."""

import re
from collections.abc import Iterator

from mkls.text.span import Span
from tests.mutation.lookups import LITERAL, lookups
from tests.mutation.registrations import DTYPES, registrations
from tests.mutation.text import bare, calls, closing, line, misspelt
from tests.support.mutation import Kind, Site, Tree

_METAL = r"/mps/kernels/.*\.metal$"


def _plain_registrations(tree: Tree) -> Iterator[tuple[str, str, str, tuple[Span, ...], Span]]:
    for it in tree.once(registrations):
        if not it.in_macro and it.arguments:
            yield it.path, it.text, it.macro, it.arguments, it.line


def registration_argument_lost(tree: Tree) -> Iterator[Site]:
    """A registration hands over one argument less than its macro takes."""
    for path, text, _, arguments, place in _plain_registrations(tree):
        if len(arguments) > 1:
            lost = Span(arguments[-2].end, arguments[-1].end)
            yield Site(path, lost, ("",), place, (arguments[0].of(text),))


def registration_comma_lost(tree: Tree) -> Iterator[Site]:
    """Between two arguments of a registration, the comma is lost."""
    for path, text, _, arguments, place in _plain_registrations(tree):
        if len(arguments) > 1:
            lost = Span(arguments[-2].end, arguments[-1].start)
            yield Site(path, lost, (" ",), place, (arguments[0].of(text),))


def registering_macro_misspelt(tree: Tree) -> Iterator[Site]:
    """A registration names a macro that nothing defines."""
    for path, text, macro, _, place in _plain_registrations(tree):
        start = place.start + place.of(text).index(macro)
        span = Span(start, start + len(macro))
        yield Site(path, span, misspelt(macro, tree.words), place, (macro,))


def registered_name_misspelt(tree: Tree) -> Iterator[Site]:
    """A registration names an operator that has no functor, and that nothing asks for."""
    for path, text, _, arguments, place in _plain_registrations(tree):
        name = arguments[0].of(text)
        if re.search(rf"^struct {name}_functor\b", text, re.MULTILINE):
            yield Site(path, arguments[0], misspelt(name, tree.words), place, (name,))


_EXPLICIT = re.compile(r"\bkernel void\s+(?:\\\s+)?(\w+)<(?P<arguments>[^<>;(){}]+)>\s*\(")


def template_argument_lost(tree: Tree) -> Iterator[Site]:
    """An explicit instantiation lacks the last template argument. No parameter tells it."""
    for path, text in tree.matching(_METAL):
        plain = bare(text)
        for found in _EXPLICIT.finditer(plain):
            last = found["arguments"].rfind(",")
            if last > 0 and not _follows(plain, found[1]):
                span = Span(found.start("arguments") + last, found.end("arguments"))
                yield Site(path, span, ("",), Span(*found.span()))


def _follows(plain: str, function: str) -> bool:
    """Whether the template's last parameter is one of its function's types, or has a default."""
    attribute = r"(?:\[\[[^;]*?\]\]\s*)?"
    pattern = rf"\btemplate <([^;{{}}]*?)>\s*{attribute}kernel void {function}\("
    head = re.search(pattern, plain)
    if head is None or "=" in head[1]:
        return True
    name = head[1].split()[-1]
    end = closing(plain, head.end() - 1)
    return re.search(rf"\b{name}\b", plain[head.end() : end]) is not None


_NAMED = re.compile(r'host_name\("(\w+)_(\w+)"\)\]\]\s*kernel void\s+(\w+)<(\w+)>')


def host_name_of_another_dtype(tree: Tree) -> Iterator[Site]:
    """The host name of an instantiation by hand names another dtype than it is made for."""
    for path, text in tree.matching(_METAL):
        for found in _NAMED.finditer(text):
            if found[2] == found[4] and found[2] in DTYPES:
                wrong = tuple(it for it in ("float", "half", "int") if it != found[2])
                place = line(text, found.start())
                yield Site(path, Span(*found.span(2)), wrong, place, (found[1],))


def header_misspelt(tree: Tree) -> Iterator[Site]:
    """A Metal source includes a header that does not exist."""
    for path, text in tree.matching(_METAL):
        for found in re.finditer(r"^#include <((?:c10|ATen)/[\w/]+)\.h>", text, re.MULTILINE):
            wrong = (f"{found[1]}s", found[1].replace("/metal/", "/metals/"))
            place = line(text, found.start())
            yield Site(
                path, Span(*found.span(1)), tuple(it for it in wrong if it != found[1]), place
            )


def metallib_misspelt(tree: Tree) -> Iterator[Site]:
    """A host file includes a generated library that no Metal source makes."""
    for path, text in tree.matching(r"/mps/operations/.*\.mm$"):
        for found in re.finditer(r"<ATen/native/mps/(\w+)_metallib\.h>", text):
            wrong = misspelt(found[1], tree.words)
            yield Site(path, Span(*found.span(1)), wrong, line(text, found.start()), (found[1],))


def _formats(tree: Tree) -> Iterator[tuple[str, str, list[Span], int, Span]]:
    """Yield path, text, arguments and holes of each format that makes a kernel's name."""
    for lookup in tree.once(lookups):
        plain = bare(lookup.text)
        for found, arguments in calls(plain[: lookup.name.end], "format"):
            if found.start() < lookup.name.start or not arguments:
                continue
            literal = LITERAL.fullmatch(arguments[0].of(lookup.text))
            holes = literal[1].count("{}") if literal else 0
            if holes > 0 and holes == len(arguments) - 1:
                place = Span(found.start(), closing(plain, found.end() - 1))
                yield lookup.path, lookup.text, arguments, holes, place


def format_hole_lost(tree: Tree) -> Iterator[Site]:
    """A format that makes a kernel's name has a hole less than it has arguments."""
    for path, text, arguments, _, place in _formats(tree):
        start = text.rindex("{}", arguments[0].start, arguments[0].end)
        left = start - 1 if text[start - 1] == "_" else start
        yield Site(path, Span(left, start + 2), ("",), place)


def format_argument_lost(tree: Tree) -> Iterator[Site]:
    """A format that makes a kernel's name has an argument less than it has holes."""
    for path, _, arguments, _, place in _formats(tree):
        yield Site(path, Span(arguments[-2].end, arguments[-1].end), ("",), place)


KINDS = (
    Kind("registration-argument-lost", "kernel-name", registration_argument_lost),
    Kind("registration-comma-lost", "kernel-name", registration_comma_lost),
    Kind("registering-macro-misspelt", "kernel-name", registering_macro_misspelt),
    Kind("registered-name-misspelt", "kernel-name", registered_name_misspelt),
    Kind("template-argument-lost", "kernel-name", template_argument_lost),
    Kind("host-name-of-another-dtype", "kernel-name", host_name_of_another_dtype),
    Kind("header-misspelt", "kernel-name", header_misspelt),
    Kind("metallib-misspelt", "kernel-name", metallib_misspelt),
    Kind("format-hole-lost", "kernel-name", format_hole_lost),
    Kind("format-argument-lost", "kernel-name", format_argument_lost),
)
