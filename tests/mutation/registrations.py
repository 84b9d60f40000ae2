"""Mistakes where Metal code registers kernels: host names, macros, instantiations, functors."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mkls.text.span import Span
from tests.mutation.lookups import LITERAL, lookups, words_of
from tests.mutation.text import bare, calls, closing, code, line, misspelt, parts
from tests.support.mutation import Kind, Site, Tree

_METAL = r"/mps/kernels/.*\.(metal|h)$"


def host_name_misspelt(tree: Tree) -> Iterator[Site]:
    """The literal in a `host_name` is misspelt. Host code spells the name as it was."""
    asked = " ".join(
        text[lookup.name.start : lookup.name.end]
        for lookup in tree.once(lookups)
        for text in (lookup.text,)
    )
    for path, text in tree.matching(_METAL):
        for found in re.finditer(r"\bhost_name\(([^)]*)\)", code(text)):
            for literal in LITERAL.finditer(code(text), found.start(1), found.end(1)):
                for word in words_of(literal[1]):
                    span = word.shifted(literal.start(1))
                    name = span.of(text)
                    if name in asked:
                        wrong = misspelt(name, tree.words)
                        yield Site(path, span, wrong, line(text, span.start), (name,))


def kernel_renamed(tree: Tree) -> Iterator[Site]:
    """A kernel without a host name, in a file or in a string, is misspelt where it is defined."""
    asked = " ".join(it.name.of(it.text) for it in tree.once(lookups))
    for path, text in tree.matching(r"/mps/(kernels/.*\.metal|operations/.*\.mm)$"):
        for found in re.finditer(r"^[ \t]*kernel void (\w+)\(", text, re.MULTILINE):
            before = text[max(0, found.start() - 120) : found.start()].rstrip()
            is_plain = not before.endswith((">", "]]", "\\"))
            if is_plain and re.search(rf'"{found[1]}"', asked):
                wrong = misspelt(found[1], tree.words)
                yield Site(
                    path, Span(*found.span(1)), wrong, line(text, found.start()), (found[1],)
                )


def instantiation_dropped(tree: Tree) -> Iterator[Site]:
    """An explicit instantiation with a literal name goes. Another dtype of the kernel stays."""
    asked = " ".join(it.name.of(it.text) for it in tree.once(lookups))
    pattern = re.compile(
        r'^template \[\[host_name\("(\w+)_([a-z0-9]+)"\)\]\][^;{}]*;\n', re.MULTILINE
    )
    for path, text in tree.matching(_METAL):
        found = list(pattern.finditer(text))
        stems = [it[1] for it in found]
        for it in found:
            if it[2] in DTYPES and stems.count(it[1]) > 1 and f'"{it[1]}_' in asked:
                place = Span(it.start(), it.start())
                yield Site(path, Span(*it.span()), ("",), place, (it[1],))


DTYPES = frozenset(
    [
        *("float", "half", "bfloat", "long", "int", "short", "char", "uchar", "bool"),
        *("float2", "half2", "ushort", "uint", "ulong"),
    ]
)
_REGISTRATION = re.compile(
    r"^(?P<in>[ \t]*)(?P<macro>(?:REGISTER|INSTANTIATE)_\w+)\(", re.MULTILINE
)


class Registration(NamedTuple):
    """An invocation of a registering macro on a line of its own, in a file or in a macro's body."""

    path: str
    text: str
    macro: str
    arguments: tuple[Span, ...]
    line: Span
    in_macro: bool

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments as they are written."""
        return tuple(it.of(self.text) for it in self.arguments)

    @property
    def dtypes(self) -> tuple[str, ...]:
        """Those arguments that are dtypes."""
        return tuple(it for it in self.words if it in DTYPES)

    @property
    def family(self) -> tuple[str, ...]:
        """The macro and the other arguments: what is registered for several dtypes."""
        return (self.macro, *(it for it in self.words if it not in DTYPES))


def registrations(tree: Tree) -> tuple[Registration, ...]:
    """Return every line of a Metal file that registers kernels by a macro."""
    return tuple(
        registration
        for path, text in tree.matching(_METAL)
        for registration in _registrations(path, text)
        if registers(tree, registration.macro)
    )


def _registrations(path: str, text: str) -> Iterator[Registration]:
    plain = bare(text)
    for found in _REGISTRATION.finditer(plain):
        whole = line(text, found.start())
        end = closing(plain, found.end() - 1)
        if 0 < end < whole.end:
            in_macro = plain[: whole.start].rstrip(" \t\n").endswith("\\")
            arguments = tuple(parts(plain, found.end() - 1))
            yield Registration(path, text, found["macro"], arguments, whole, in_macro)


def _definitions(tree: Tree) -> Mapping[str, tuple[tuple[str, ...], str]]:
    """Return the macros of the Metal files: parameters and body."""
    define = re.compile(r"^#define (\w+)\(([^)]*)\)((?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
    found: dict[str, tuple[tuple[str, ...], str]] = {}
    for _, text in tree.matching(r"/mps/kernels/.*\.(metal|h)$|^c10/metal/.*\.h$"):
        for match in define.finditer(text):
            names = tuple(name.strip() for name in match[2].split(","))
            found[match[1]] = (names, match[3])
    return found


def in_name(tree: Tree, macro: str, place: int) -> bool:
    """Whether the macro, or one that it uses, spells its argument at `place` in a host name."""
    names, body = tree.once(_definitions).get(macro, ((), ""))
    if place >= len(names):
        return False
    if re.search(rf"(?<!#)#{re.escape(names[place])}\b", body):
        return True
    return any(
        in_name(tree, found[0].rstrip("(").strip(), position)
        for found, arguments in calls(bare(body), r"[A-Z]\w+")
        for position, argument in enumerate(arguments)
        if argument.of(body) == names[place] and found[0].rstrip("(") != macro
    )


def registers(tree: Tree, macro: str) -> bool:
    """Whether the macro makes a kernel with a host name, itself or by another macro."""
    _, body = tree.once(_definitions).get(macro, ((), ""))
    return "host_name" in body or any(
        registers(tree, found[0].rstrip("("))
        for found, _ in calls(bare(body), r"[A-Z]\w+")
        if found[0].rstrip("(") != macro
    )


def _is_swept(group: list[frozenset[tuple[str, ...]]], own: frozenset[tuple[str, ...]]) -> bool:
    return group.count(own) > 1


def dtype_dropped(tree: Tree) -> Iterator[Site]:
    """One dtype's registration goes.

    Another family of the file has exactly the dtypes that this one had, or the dtype is half or
    bfloat and the other one of the two stays, with float.
    """
    found = [it for it in tree.once(registrations) if it.dtypes]
    for path in dict.fromkeys(it.path for it in found):
        of_file = [it for it in found if it.path == path and not it.in_macro]
        families: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
        for it in of_file:
            families.setdefault(it.family, set()).add(it.dtypes)
        sets = [frozenset(dtypes) for dtypes in families.values()]
        for it in of_file:
            own = frozenset(families[it.family])
            if (len(own) > 1 and _is_swept(sets, own)) or _is_a_pair(it.dtypes, own):
                # The macro and the dtype tell at the place, the family elsewhere.
                place = Span(it.line.start, it.line.start)
                yield Site(path, it.line, ("",), place, _stems(it))


def _is_a_pair(dtypes: tuple[str, ...], own: frozenset[tuple[str, ...]]) -> bool:
    other = {"half": "bfloat", "bfloat": "half"}
    if not set(dtypes) <= other.keys() or len(set(dtypes)) != 1:
        return False
    count = len(dtypes)
    return {(other[dtypes[0]],) * count, ("float",) * count} <= own


def _stems(registration: Registration) -> tuple[str, ...]:
    names = (registration.macro, *registration.family[1:])
    lowered = (re.sub(r"^(register|instantiate)_|_ops?$", "", it.lower()) for it in names)
    return tuple(it.strip('"') for it in lowered if len(it) > 1)


def registered_types_swapped(tree: Tree) -> Iterator[Site]:
    """IN and OUT of a registration change places; they differ, and both are spelt in the name."""
    for it in tree.once(registrations):
        places = [
            n for n, word in enumerate(it.words) if word in DTYPES and in_name(tree, it.macro, n)
        ]
        if len(places) == 2 and it.words[places[0]] != it.words[places[1]]:
            first, second = (it.arguments[n] for n in places)
            swapped = second.of(it.text) + it.text[first.end : second.start] + first.of(it.text)
            yield Site(it.path, Span(first.start, second.end), (swapped,), it.line, _stems(it))


_RESPELT = {
    "long": "int64_t",
    "int": "int32_t",
    "short": "int16_t",
    "char": "int8_t",
    "uchar": "uint8_t",
    "ushort": "uint16_t",
    "uint": "uint32_t",
    "ulong": "uint64_t",
}


def dtype_respelt(tree: Tree) -> Iterator[Site]:
    """A dtype is spelt as C++ spells it, in an argument that becomes part of a host name."""
    for it in tree.once(registrations):
        for place, span in enumerate(it.arguments):
            word = span.of(it.text)
            if word in _RESPELT and in_name(tree, it.macro, place):
                yield Site(it.path, span, (_RESPELT[word],), it.line, _stems(it))


def registration_repeated(tree: Tree) -> Iterator[Site]:
    """A registration line stands twice."""
    for it in tree.once(registrations):
        if not it.in_macro and it.arguments and it.dtypes:
            again = (it.line.of(it.text),)
            yield Site(it.path, Span(it.line.end, it.line.end), again, it.line, _stems(it))


def registered_under_other_name(tree: Tree) -> Iterator[Site]:
    """A functor's registration has the name of another operator, registered by the same macro."""
    named = [it for it in tree.once(registrations) if not it.in_macro and _is_name(it)]
    for it in named:
        others = {
            other.words[0]
            for other in named
            if other.path == it.path and (other.macro, other.words[1:]) == (it.macro, it.words[1:])
        }
        wrong = tuple(sorted(others - {it.words[0]}))[:2]
        if wrong:
            yield Site(it.path, it.arguments[0], wrong, it.line, (it.words[0], *wrong))


def _is_name(registration: Registration) -> bool:
    words = registration.words
    return (
        bool(words) and words[0] not in DTYPES and re.fullmatch(r"[a-z]\w+", words[0]) is not None
    )


_OTHER_ARITY = {
    "REGISTER_UNARY_OP": "REGISTER_BINARY_OP",
    "REGISTER_BINARY_OP": "REGISTER_TERNARY_OP",
    "REGISTER_OPMATH_BINARY_OP": "REGISTER_UNARY_OP",
    "REGISTER_TERNARY_OP": "REGISTER_BINARY_OP",
    "REGISTER_OPMATH_TERNARY_OP": "REGISTER_OPMATH_BINARY_OP",
    "REGISTER_UNARY_ALPHA_OP": "REGISTER_BINARY_ALPHA_OP",
    "REGISTER_BINARY_ALPHA_OP": "REGISTER_UNARY_ALPHA_OP",
}


def registered_as_other_arity(tree: Tree) -> Iterator[Site]:
    """A functor is registered by the macro of another arity."""
    for it in tree.once(registrations):
        if it.macro in _OTHER_ARITY and not it.in_macro:
            start = it.line.start + it.line.of(it.text).index(it.macro)
            span = Span(start, start + len(it.macro))
            yield Site(it.path, span, (_OTHER_ARITY[it.macro],), it.line, (it.words[0],))


def registered_result_changed(tree: Tree) -> Iterator[Site]:
    """A registration says that the result has another dtype than the functor returns."""
    for it in tree.once(registrations):
        plain = it.macro in _OTHER_ARITY and "ALPHA" not in it.macro
        if plain and not it.in_macro and len(it.words) == 3:
            wrong = tuple(word for word in ("float", "int", "bool") if word != it.words[2])
            yield Site(it.path, it.arguments[2], wrong[:1], it.line, (it.words[0],))


def functor_misspelt(tree: Tree) -> Iterator[Site]:
    """A functor is misspelt where it is defined: the macro that registers it finds none."""
    for path, text in tree.matching(r"/mps/kernels/.*\.metal$"):
        for found in re.finditer(r"^struct ((\w+)_functor) \{", bare(text), re.MULTILINE):
            used = re.search(rf"^\s*REGISTER_\w+\({found[2]}\b", text, re.MULTILINE)
            if used:
                wrong = tuple(f"{it}_functor" for it in misspelt(found[2], tree.words) if it)
                span = Span(*found.span(1))
                yield Site(path, span, wrong, line(text, found.start()), (found[1],))


KINDS = (
    Kind("host-name-misspelt", "kernel-name", host_name_misspelt),
    Kind("kernel-renamed", "kernel-name", kernel_renamed),
    Kind("instantiation-dropped", "kernel-name", instantiation_dropped),
    Kind("dtype-dropped", "kernel-name", dtype_dropped),
    Kind("registered-types-swapped", "kernel-name", registered_types_swapped),
    Kind("dtype-respelt", "kernel-name", dtype_respelt),
    Kind("registration-line-twice", "kernel-name", registration_repeated),
    Kind("registered-under-other-name", "kernel-name", registered_under_other_name),
    Kind("registered-as-other-arity", "kernel-name", registered_as_other_arity),
    Kind("registered-result-changed", "kernel-name", registered_result_changed),
    Kind("functor-misspelt", "kernel-name", functor_misspelt),
)
