"""Mistakes in dispatch stubs: declared here, registered there, reached from rows."""

import re
from collections.abc import Iterator, Mapping

from mkls.text.span import Span
from tests.mutation.rows import rows
from tests.mutation.text import bare, calls, closing, line, misspelt
from tests.support.mutation import Kind, Site, Tree

REGISTER = r"REGISTER_DISPATCH|REGISTER_MPS_DISPATCH"
_MM = r"/mps/.*\.mm$"


def registrations(tree: Tree) -> Iterator[tuple[str, str, "re.Match[str]", list[Span]]]:
    """Yield path, text, match and arguments of each registration that is written out."""
    for path, text in tree.matching(_MM):
        for found, arguments in calls(bare(text), REGISTER):
            if len(arguments) == 2 and re.fullmatch(r"\w+", arguments[0].of(text)):
                yield path, text, found, arguments


def registered_stubs(tree: Tree) -> Mapping[str, int]:
    """Return how often each stub is registered for MPS, registrations in macros aside."""
    counts: dict[str, int] = {}
    for _, text, _, arguments in registrations(tree):
        name = arguments[0].of(text)
        counts[name] = counts.get(name, 0) + 1
    return counts


def needed_stubs(tree: Tree) -> Mapping[str, frozenset[str]]:
    """Return, for each host function outside of mps/, the registered stubs that its text names."""
    stubs = tree.once(registered_stubs)
    pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, stubs)) + r")\b") if stubs else None
    found: dict[str, frozenset[str]] = {}
    for _, text in tree.matching(r"/native/[^/]+\.cpp$") if pattern else ():
        assert pattern
        plain = bare(text)
        for match, body in _bodies(plain):
            named = frozenset(pattern.findall(body))
            if named:
                found[match] = found.get(match, frozenset()) | named
    return found


_DEFINITION = re.compile(
    r"^(?:[A-Z_0-9]+\((\w+)[^)\n]*\)|[\w:<>&*, ]*?[\w>&*] [&*]?(\w+)\()", re.MULTILINE
)


def _bodies(text: str) -> Iterator[tuple[str, str]]:
    """Yield each function or macro-made function by name, with its text up to the next one."""
    matches = list(_DEFINITION.finditer(text))
    ends = [match.start() for match in matches[1:]] + [len(text)]
    for match, end in zip(matches, ends, strict=False):
        stop = text.find("\n}", match.start(), end)
        yield match[1] or match[2], text[match.start() : stop if stop > 0 else end]


def reached_stubs(tree: Tree) -> frozenset[str]:
    """Return the registered stubs that the host functions of rows with MPS name."""
    shared = {
        item.function.text for row in tree.once(rows) for item in row.lines if item.key("MPS")
    }
    return frozenset(
        stub
        for function, stubs in tree.once(needed_stubs).items()
        if function in shared
        for stub in stubs
    )


def registration_dropped(tree: Tree) -> Iterator[Site]:
    """A stub's registration goes. A host function outside of mps/ calls the stub."""
    needed = tree.once(reached_stubs)
    counts = tree.once(registered_stubs)
    for path, text, found, arguments in registrations(tree):
        name = arguments[0].of(text)
        whole = line(text, found.start())
        if (
            name in needed
            and counts[name] == 1
            and closing(bare(text), found.end() - 1) < whole.end
        ):
            yield Site(path, whole, ("",), whole, (name,))


def registration_misspelt(tree: Tree) -> Iterator[Site]:
    """A registration names a stub that nothing declares."""
    for path, text, found, arguments in registrations(tree):
        name = arguments[0].of(text)
        yield Site(
            path, arguments[0], misspelt(name, tree.words), line(text, found.start()), (name,)
        )


def registered_function_misspelt(tree: Tree) -> Iterator[Site]:
    """A registration names a function that does not exist."""
    for path, text, found, arguments in registrations(tree):
        name = re.search(r"\w+$", arguments[1].of(text))
        if name:
            start = arguments[1].start + name.start()
            wrong = misspelt(name[0], tree.words)
            yield Site(
                path,
                Span(start, start + len(name[0])),
                wrong,
                line(text, found.start()),
                (name[0],),
            )


def registration_repeated(tree: Tree) -> Iterator[Site]:
    """A file registers one stub twice."""
    for path, text, found, arguments in registrations(tree):
        whole = line(text, found.start())
        if closing(bare(text), found.end() - 1) < whole.end:
            again = (whole.of(text),)
            yield Site(path, Span(whole.end, whole.end), again, whole, (arguments[0].of(text),))


def declaration_misspelt(tree: Tree) -> Iterator[Site]:
    """The declaration of a stub that is registered for MPS is misspelt."""
    stubs = tree.once(registered_stubs)
    for path, text in tree.matching(r"/native/.*\.h$"):
        for found, arguments in calls(bare(text), "DECLARE_DISPATCH"):
            name = arguments[-1].of(text) if arguments else ""
            if name in stubs:
                place = Span(found.start(), closing(bare(text), found.end() - 1))
                yield Site(path, arguments[-1], misspelt(name, tree.words), place, (name,))


_WRONG_TYPES = (
    (r"\bTensorIteratorBase ?&", "TensorIterator&"),
    (r"\bTensorIterator ?&", "TensorIteratorBase&"),
    (r"\bconst Scalar ?&", "Scalar"),
    (r"\bint64_t\b", "int"),
    (r"\bbool\b", "int64_t"),
)


def registration_of_wrong_type(tree: Tree) -> Iterator[Site]:
    """The function that a registration names has another type than the stub declares."""
    for path, text, _, arguments in registrations(tree):
        name = re.search(r"\w+$", arguments[1].of(text))
        plain = bare(text)
        if not name:
            continue
        heads = list(
            re.finditer(rf"^(?:static )?(?:inline )?void {name[0]}\(", plain, re.MULTILINE)
        )
        end = closing(plain, heads[0].end() - 1) if len(heads) == 1 else -1
        if end < 0 or "{" not in plain[end : end + 4]:
            continue
        for pattern, wrong in _WRONG_TYPES:
            for found in re.finditer(pattern, plain[heads[0].end() : end]):
                start = heads[0].end() + found.start()
                span = Span(start, start + len(found[0]))
                yield Site(path, span, (wrong,), Span(heads[0].start(), end), (name[0],))


KINDS = (
    Kind("registration-dropped", "stub", registration_dropped),
    Kind("registration-misspelt", "stub", registration_misspelt),
    Kind("registered-misspelt", "stub", registered_function_misspelt),
    Kind("registration-repeated", "stub", registration_repeated),
    Kind("declaration-misspelt", "stub", declaration_misspelt),
    Kind("registration-wrong-type", "stub", registration_of_wrong_type),
)
