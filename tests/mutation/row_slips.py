"""Slips in rows: repeated, merged too early, half moved, or named after another row."""

import re
from collections.abc import Iterator

from mkls.text.edit import Edit
from mkls.text.span import Span
from tests.mutation.dispatch import mentions_of
from tests.mutation.rows import PATH, rows
from tests.mutation.stubs import registered_stubs
from tests.mutation.text import bare, closing, line, misspelt
from tests.support.mutation import Kind, Site, Tree


def row_repeated(tree: Tree) -> Iterator[Site]:
    """A row stands twice."""
    for row in tree.once(rows):
        if row.text.endswith("\n"):
            end = row.span.end
            yield Site(PATH, Span(end, end), (row.text,), row.span, (row.operator,))


def comma_lost(tree: Tree) -> Iterator[Site]:
    """Between two dispatch keys of a line, the comma is lost."""
    for row in tree.once(rows):
        found = row.line_of("MPS")
        for one, other in zip(found.keys, found.keys[1:], strict=False) if found else ():
            if "MPS" in (one.text, other.text):
                yield Site(PATH, Span(one.span.end, other.span.start), (" ",), row.span)


def function_of_another_row(tree: Tree) -> Iterator[Site]:
    """A row names the MPS function of another operator. Nothing else names its own."""
    mentions = tree.once(mentions_of)
    own = [(row, line) for row in tree.once(rows) if (line := row.line_of("MPS"))]
    own = [(row, line) for row, line in own if len(line.keys) == 1]
    names = [line.function.text for _, line in own]
    for place, (row, found) in enumerate(own):
        name = found.function.text
        other = own[(place + 7) % len(own)][1].function.text
        if names.count(name) == 1 and mentions[name] == 1 and other != name:
            yield Site(PATH, found.function.span, (other,), row.span, (name,))


def merged_without_stub(tree: Tree) -> Iterator[Site]:
    """MPS joins the line of CPU and CUDA, whose stub has no kernel for MPS."""
    needed, registered = tree.once(needed_by), tree.once(registered_stubs)
    for row in tree.once(rows):
        own, shared = row.line_of("MPS"), row.line_of("CPU")
        if own is None or shared is None or len(own.keys) > 1 or shared is not row.line_of("CUDA"):
            continue
        stubs = needed.get(shared.function.text, frozenset())
        if stubs and not stubs & registered.keys():
            end = shared.keys[-1].span.end
            more = (Edit(own.span, ""),)
            yield Site(PATH, Span(end, end), (", MPS",), row.span, (), more)


_STUB_CALL = re.compile(r"\b(\w+_stub)\(\s*(?:this->)?(?:\w+\.)?device(?:_type)?\(\)")


def needed_by(tree: Tree) -> dict[str, frozenset[str]]:
    """Return the stubs that each structured implementation outside of mps/ calls itself."""
    found: dict[str, frozenset[str]] = {}
    for _, text in tree.matching(r"/native/[^/]+\.cpp$"):
        plain = bare(text)
        for head in re.finditer(r"^TORCH_IMPL_FUNC\((\w+)\)", plain, re.MULTILINE):
            body = plain.find("{", closing(plain, plain.find("(", head.end())))
            calls = _STUB_CALL.findall(plain[body : closing(plain, body)])
            if len(calls) == 1:
                found[head[1]] = frozenset(calls)
    return found


def autogen_misspelt(tree: Tree) -> Iterator[Site]:
    """What `autogen` names is not what torchgen makes of the row."""
    for row in tree.once(rows):
        found = re.search(r"^  autogen: *([\w.]+) *$", row.text, re.MULTILINE)
        if found:
            span = Span(*found.span(1)).shifted(row.span.start)
            wrong = (found[1] + "put", found[1].replace("out", "ot", 1))
            yield Site(PATH, span, tuple(it for it in wrong if it != found[1]), row.span)


def implementation_made_plain(tree: Tree) -> Iterator[Site]:
    """A structured row's implementation is written as a plain function."""
    named = {it.function.text: row for row in tree.once(rows) for it in row.lines if it.key("MPS")}
    for path, text in tree.matching(r"/mps/operations/.*\.mm$"):
        for found in re.finditer(r"^TORCH_IMPL_FUNC\((\w+)\)", bare(text), re.MULTILINE):
            row = named.get(found[1])
            if row and "structured: True" in row.text:
                place = line(text, found.start())
                yield Site(path, Span(*found.span()), (f"void {found[1]}",), place, (found[1],))


def composite_key_misspelt(tree: Tree) -> Iterator[Site]:
    """A dispatch key beside that of MPS is misspelt."""
    for row in tree.once(rows):
        for found in row.lines:
            for key in found.keys:
                if key.text in (
                    "SparseMPS",
                    "CompositeExplicitAutograd",
                    "CompositeImplicitAutograd",
                ):
                    yield Site(PATH, key.span, misspelt(key.text, tree.words)[:2], row.span)


KINDS = (
    Kind("row-repeated", "dispatch", row_repeated),
    Kind("comma-lost", "dispatch", comma_lost),
    Kind("function-of-another-row", "dispatch", function_of_another_row),
    Kind("merged-without-stub", "dispatch", merged_without_stub),
    Kind("autogen-misspelt", "dispatch", autogen_misspelt),
    Kind("implementation-made-plain", "dispatch", implementation_made_plain),
    Kind("composite-key-misspelt", "dispatch", composite_key_misspelt),
)
