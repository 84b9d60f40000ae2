"""Slips in the registration of stubs: twice, for another device, of another's function."""

import re
from collections.abc import Iterator

from mkls.text.span import Span
from tests.mutation.stubs import REGISTER, reached_stubs, registered_stubs, registrations
from tests.mutation.text import bare, calls, line
from tests.support.mutation import Kind, Site, Tree

_MM = r"/mps/operations/.*\.mm$"


def registered_in_two_files(tree: Tree) -> Iterator[Site]:
    """A stub is registered in another file as well."""
    stubs = sorted(tree.once(registered_stubs))
    for path, text in tree.matching(_MM):
        own = [arguments for _, arguments in calls(bare(text), REGISTER)]
        if not own or len(own[-1]) != 2 or own[-1][0].of(text) not in stubs:
            continue
        last = line(text, own[-1][1].end)
        others = [it for it in stubs if all(it != each[0].of(text) for each in own)]
        for stub in others[len(text) % 5 :: 9][:2]:
            again = f"REGISTER_DISPATCH({stub}, {own[-1][1].of(text)});\n"
            yield Site(path, Span(last.end, last.end), (again,), last, (stub,))


def registered_for_another_device(tree: Tree) -> Iterator[Site]:
    """A stub that a shared row calls is registered for CUDA, from habit."""
    needed, counts = tree.once(reached_stubs), tree.once(registered_stubs)
    for path, text, found, arguments in registrations(tree):
        name = arguments[0].of(text)
        if name in needed and counts[name] == 1:
            span = Span(found.start(), found.end() - 1)
            wrong = ("REGISTER_CUDA_DISPATCH", "REGISTER_NO_CPU_DISPATCH")
            yield Site(path, span, wrong[:1], line(text, found.start()), (name,))


def registered_with_another_function(tree: Tree) -> Iterator[Site]:
    """A registration names the function of the one before it: its own is used nowhere."""
    before: tuple[str, str] | None = None
    for path, text, found, arguments in registrations(tree):
        function = arguments[1].of(text)
        bare_name = function.lstrip("&")
        is_static = re.search(rf"^static void {bare_name}\(", text, re.MULTILINE)
        alone = len(re.findall(rf"\b{bare_name}\b", bare(text))) == 2
        if before and before[0] == path and before[1] != function and is_static and alone:
            place = line(text, found.start())
            yield Site(path, arguments[1], (before[1],), place, (bare_name,))
        before = (path, function)


def stub_of_the_neighbour(tree: Tree) -> Iterator[Site]:
    """A registration names the stub of the one before it."""
    before: tuple[str, str] | None = None
    for path, text, found, arguments in registrations(tree):
        stub = arguments[0].of(text)
        if before and before[0] == path and before[1] != stub:
            yield Site(path, arguments[0], (before[1],), line(text, found.start()), (stub,))
        before = (path, stub)


def registered_from_cpp(tree: Tree) -> Iterator[Site]:
    """A registration for MPS goes to the file of the CPU's stub, where it means the CPU."""
    defined: dict[str, tuple[str, int]] = {}
    for path, text in tree.matching(r"/native/[^/]+\.cpp$"):
        for found, arguments in calls(bare(text), "DEFINE_DISPATCH"):
            if arguments:
                defined[arguments[0].of(text)] = (path, line(text, found.start()).end)
    for name in sorted(tree.once(reached_stubs)):
        if name in defined:
            path, end = defined[name]
            new = f"REGISTER_MPS_DISPATCH({name}, &{name}_mps);\n"
            place = line(tree.texts[path], end - 1)
            yield Site(path, Span(end, end), (new,), place, (name,))


KINDS = (
    Kind("registered-in-two-files", "stub", registered_in_two_files),
    Kind("registered-for-another-device", "stub", registered_for_another_device),
    Kind("registered-with-another-function", "stub", registered_with_another_function),
    Kind("stub-of-the-neighbour", "stub", stub_of_the_neighbour),
    Kind("registered-from-cpp", "stub", registered_from_cpp),
)
