"""Mistakes where host code asks for a kernel by its name."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mkls.text.span import Span
from tests.mutation.text import bare, calls, closing, function, line, misspelt, parts, statement
from tests.support.mutation import Kind, Site, Tree

_MM = r"/(mps|sparse)/.*\.mm$"

# Of each function that is given a kernel's name: at which place.
_LOOKUPS = {
    "getPipelineStateForFunc": 0,
    "getMTLFunction": 0,
    "getKernelFunction": 0,
    "getCachedKernelFunctionPtr": 0,
    "exec_unary_kernel": 1,
    "exec_binary_kernel": 1,
    "exec_ternary_kernel": 1,
    "exec_unary_kernel_with_params": 1,
    "exec_binary_kernel_with_params": 1,
    "exec_unary_kernel_raw": 0,
    "binary_op_kernel": 0,
    "scan_simple_mps_impl": 3,
    "getAmpCPLState": 0,
}


class Lookup(NamedTuple):
    """Host code that asks for a kernel; `name` spans the expression that makes the name."""

    path: str
    text: str
    function: str
    call: Span
    name: Span


def lookups(tree: Tree) -> tuple[Lookup, ...]:
    """Return every lookup; of one that is given a local variable, the variable's initialiser."""
    return tuple(
        lookup
        for path, text in tree.matching(_MM)
        if not path.endswith("/OperationUtils.mm")
        for lookup in _lookups(path, text)
    )


def _lookups(path: str, text: str) -> Iterator[Lookup]:
    plain = bare(text)
    for found, arguments in calls(plain, "|".join(_LOOKUPS)):
        name = found[0].rstrip("(").partition("<")[0].strip()
        place = _LOOKUPS[name]
        if len(arguments) <= place or plain[found.start() - 1] == ":":
            continue
        span = arguments[place]
        call = Span(found.start(), closing(plain, found.end() - 1) + 1)
        if re.fullmatch(r"\w+", span.of(plain)):
            span = _initialiser(plain, span) or span
        yield Lookup(path, text, name, call, span)


def _initialiser(plain: str, name: Span) -> Span | None:
    whole = function(plain, name.start)
    pattern = rf"\b{re.escape(name.of(plain))} =\s+"
    found = list(re.finditer(pattern, plain[whole.start : name.start]))
    if len(found) != 1:
        return None
    start = whole.start + found[0].end()
    return Span(start, plain.find(";", start))


LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')


def literals(lookup: Lookup) -> Iterator[Span]:
    """Yield the contents of the literals of a lookup's name."""
    for found in LITERAL.finditer(lookup.text, lookup.name.start, lookup.name.end):
        yield Span(*found.span(1))


def words_of(text: str) -> Iterator[Span]:
    """Yield the words of letters in the text of a literal."""
    for found in re.finditer(r"[A-Za-z][A-Za-z0-9]{2,}", text):
        yield Span(*found.span())


def lookup_renamed(tree: Tree) -> Iterator[Site]:
    """A literal in a lookup is misspelt: no kernel has that name."""
    for lookup in tree.once(lookups):
        for literal in literals(lookup):
            content = literal.of(lookup.text)
            for word in words_of(content):
                span = word.shifted(literal.start)
                wrong = misspelt(span.of(lookup.text), tree.words)
                place = _around(lookup)
                yield Site(lookup.path, span, wrong, place, (content.strip("_{}"),))


def _around(lookup: Lookup) -> Span:
    plain = bare(lookup.text)
    whole = statement(plain, lookup.name.start)
    return Span(
        min(whole.start, lookup.call.start, lookup.name.start), max(whole.end, lookup.call.end)
    )


def format_changed(tree: Tree) -> Iterator[Site]:
    """A format string that makes a kernel's name loses or gains an underscore."""
    for lookup in tree.once(lookups):
        for literal in literals(lookup):
            content = literal.of(lookup.text)
            if "{}" not in content:
                continue
            for found in re.finditer("_", content):
                span = Span(*found.span()).shifted(literal.start)
                yield Site(lookup.path, span, ("", "__", "-"), _around(lookup), (content,))


def lookup_types_swapped(tree: Tree) -> Iterator[Site]:
    """The two dtypes that a format string is given change places; each names another tensor."""
    spelt = r"(?:mps::)?scalarToMetalTypeString\("
    for lookup in tree.once(lookups):
        plain = bare(lookup.text)
        for found, arguments in calls(plain[: lookup.name.end], "format"):
            if found.start() < lookup.name.start:
                continue
            types = [it for it in arguments if re.match(spelt, it.of(plain))]
            if len(types) == 2 and types[0].of(plain) != types[1].of(plain):
                first, second = types
                between = lookup.text[first.end : second.start]
                swapped = second.of(lookup.text) + between + first.of(lookup.text)
                yield Site(lookup.path, Span(first.start, second.end), (swapped,), _around(lookup))


def library_exchanged(tree: Tree) -> Iterator[Site]:
    """A file compiled just in time includes the library of another Metal source."""
    stems = sorted(
        path.rpartition("/")[2].removesuffix(".metal")
        for path, _ in tree.matching(r"/mps/kernels/\w+\.metal$")
    )
    asking = {lookup.path for lookup in tree.once(lookups)}
    for path, text in tree.matching(_MM):
        for found in re.finditer(r"#include <ATen/native/mps/(\w+)_metallib\.h>", text):
            if path in asking:
                others = tuple(stem for stem in stems if stem != found[1])[:3]
                names = tuple(
                    literal.of(text).strip("_{}")
                    for lookup in tree.once(lookups)
                    if lookup.path == path
                    for literal in literals(lookup)
                )
                place = line(text, found.start())
                yield Site(
                    path, Span(*found.span(1)), others, place, (*(n for n in names if n), found[1])
                )


_ARITIES = ("exec_unary_kernel", "exec_binary_kernel", "exec_ternary_kernel")


def arity_changed(tree: Tree) -> Iterator[Site]:
    """An `exec_*` of another arity is called; iterator and name are its only arguments."""
    for lookup in tree.once(lookups):
        arguments = parts(bare(lookup.text), lookup.text.index("(", lookup.call.start))
        if lookup.function in _ARITIES and len(arguments) == 2:
            span = Span(lookup.call.start, lookup.call.start + len(lookup.function))
            others = tuple(name for name in _ARITIES if name != lookup.function)
            names = tuple(literal.of(lookup.text) for literal in literals(lookup))
            yield Site(lookup.path, span, others, _around(lookup), names)


def alpha_type_changed(tree: Tree) -> Iterator[Site]:
    """The dtype of the scalar that `exec_*` is given is one that is not registered."""
    for lookup in tree.once(lookups):
        for found in re.finditer(r"ScalarType::(Float|Long)\b", lookup.call.of(lookup.text)):
            start = lookup.call.start + found.start(1)
            span = Span(start, start + len(found[1]))
            yield Site(lookup.path, span, ("Int", "Short", "Bool"), _around(lookup))


KINDS = (
    Kind("lookup-renamed", "kernel-name", lookup_renamed),
    Kind("format-changed", "kernel-name", format_changed),
    Kind("lookup-types-swapped", "kernel-name", lookup_types_swapped),
    Kind("library-exchanged", "kernel-name", library_exchanged),
    Kind("arity-changed", "kernel-name", arity_changed),
    Kind("alpha-type-changed", "kernel-name", alpha_type_changed),
)
