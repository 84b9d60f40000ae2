"""Mistakes in `native_functions.yaml`, and in the host functions that it names."""

import re
from collections import Counter
from collections.abc import Iterator

from mkls.text.edit import Edit
from mkls.text.span import Span
from tests.mutation.rows import PATH, Line, Row, rows
from tests.mutation.stubs import needed_stubs, registered_stubs
from tests.mutation.text import bare, closing, misspelt, parts
from tests.mutation.text import line as line_around
from tests.support.mutation import Kind, Site, Tree

_COMPOSITE = "CompositeExplicitAutograd", "CompositeImplicitAutograd"


def _group(tree: Tree, row: Row) -> list[Row]:
    return [it for it in tree.once(rows) if it.base == row.base and it.operator != row.operator]


def _is_composite(row: Row) -> bool:
    return any(key.startswith(_COMPOSITE) for key in row.keys)


def _siblings_keep_mps(tree: Tree, row: Row) -> bool:
    """Whether the row would be the one of its group that CPU and CUDA serve and MPS does not."""
    others = _group(tree, row)
    served = any("MPS" in it.keys for it in others if it.delegate != row.operator)
    return served and {"CPU", "CUDA"} <= row.keys and not _is_composite(row)


def mentions_of(tree: Tree) -> Counter[str]:
    """Return how often each word stands in host code."""
    return Counter(
        word[0]
        for _, text in tree.matching(r"/native/.*\.(mm|cpp|h)$")
        for word in re.finditer(r"\w+", bare(text))
    )


def _uses(tree: Tree) -> Counter[str]:
    return Counter(line.function.text for row in tree.once(rows) for line in row.lines)


def _mps_lines(tree: Tree, *, shared: bool | None = None) -> Iterator[tuple[Row, Line]]:
    for row in tree.once(rows):
        line = row.line_of("MPS")
        if line and (shared is None or shared == (len(line.keys) > 1)):
            yield row, line


def shared_key_dropped(tree: Tree) -> Iterator[Site]:
    """MPS leaves a shared list. Siblings of the row keep MPS, or a stub is registered in vain."""
    registered = tree.once(registered_stubs)
    for row, line in _mps_lines(tree, shared=True):
        stubs = tree.once(needed_stubs).get(line.function.text, frozenset()) & registered.keys()
        only = {stub for stub in stubs if _is_alone(tree, row, stub)}
        key = line.key("MPS")
        if key and (_siblings_keep_mps(tree, row) or only):
            yield Site(PATH, _with_comma(tree.texts[PATH], key.span), ("",), row.span, tuple(only))


def _is_alone(tree: Tree, row: Row, stub: str) -> bool:
    """Whether no other row with MPS reaches `stub`."""
    needed = tree.once(needed_stubs)
    return not any(
        stub in needed.get(line.function.text, ())
        for other, line in _mps_lines(tree)
        if other.operator != row.operator
    )


def _with_comma(text: str, span: Span) -> Span:
    before = re.compile(r", *$").search(text, text.rfind("\n", 0, span.start), span.start)
    if before:
        return Span(before.start(), span.end)
    after = re.compile(r" *, *").match(text, span.end)
    return Span(span.start, after.end()) if after else span


def own_line_dropped(tree: Tree) -> Iterator[Site]:
    """The row's own MPS line goes. Siblings keep MPS, or nothing else names its function."""
    uses, mentions = tree.once(_uses), tree.once(mentions_of)
    for row, line in _mps_lines(tree, shared=False):
        name = line.function.text
        alone = uses[name] == 1 and mentions[name] == 1
        if len(row.lines) > 1 and (_siblings_keep_mps(tree, row) or alone):
            yield Site(PATH, line.span, ("",), row.span, (name,) if alone else ())


def function_misspelt(tree: Tree) -> Iterator[Site]:
    """The function that MPS dispatches to is misspelt: nothing has that name."""
    for row, line in _mps_lines(tree):
        word = line.function
        yield Site(PATH, word.span, misspelt(word.text, tree.words), row.span, (word.text,))


def key_misspelt(tree: Tree) -> Iterator[Site]:
    """The dispatch key MPS is misspelt."""
    for row, line in _mps_lines(tree):
        key = line.key("MPS")
        if key:
            yield Site(PATH, key.span, ("MSP", "Mps", "MPSS", "MP"), row.span)


def key_repeated(tree: Tree) -> Iterator[Site]:
    """A row lists MPS on two lines: the same one twice, or one more with another function."""
    for row, line in _mps_lines(tree):
        start = line.span.end
        suffix = "_mps" if len(line.keys) > 1 else ""
        repeated = f"    MPS: {line.function.text}{suffix}\n"
        yield Site(PATH, Span(start, start), (repeated,), row.span)


def ufunc_shared(tree: Tree) -> Iterator[Site]:
    """A row whose `ufunc_inner_loop` makes the kernels of CPU and CUDA lists them as well."""
    for row, line in _mps_lines(tree, shared=False):
        key = line.key("MPS")
        if "ufunc_inner_loop:" in row.text and key:
            wrong = ("CPU, CUDA, MPS", "CPU, MPS", "MPS, CUDA")
            yield Site(PATH, key.span, wrong, row.span)


def delegate_dispatches(tree: Tree) -> Iterator[Site]:
    """A row that delegates to a structured one lists MPS itself."""
    for row in tree.once(rows):
        if not row.delegate or "MPS" in row.keys:
            continue
        name = f"{row.base}_mps"
        if row.lines:
            start = row.lines[-1].span.end
            yield Site(PATH, Span(start, start), (f"    MPS: {name}\n",), row.span)
        elif "\n  dispatch:" not in row.text:
            end = row.span.end
            yield Site(PATH, Span(end, end), (f"  dispatch:\n    MPS: {name}\n",), row.span)


def mps_moved_to_delegate(tree: Tree) -> Iterator[Site]:
    """A structured row's MPS goes to a row that delegates to it."""
    found = {row.operator: row for row in tree.once(rows)}
    for row in tree.once(rows):
        target = found.get(row.delegate)
        line = target.line_of("MPS") if target else None
        if target is None or line is None or "MPS" in row.keys or "\n  dispatch:" in row.text:
            continue
        key = line.key("MPS")
        assert key
        alone = len(line.keys) == 1
        lost = line.span if alone else _with_comma(tree.texts[PATH], key.span)
        if alone and len(target.lines) == 1:
            continue
        end = row.span.end
        new = f"  dispatch:\n    MPS: {line.function.text}\n"
        yield Site(PATH, Span(end, end), (new,), row.span, more=(Edit(lost, ""),))


def tag_misspelt(tree: Tree) -> Iterator[Site]:
    """A row has a tag that `tags.yaml` does not list."""
    for row in tree.once(rows):
        found = re.search(r"^  tags: (?:\[ *)?(\w+)", row.text, re.MULTILINE)
        if found:
            span = Span(*found.span(1)).shifted(row.span.start)
            yield Site(PATH, span, misspelt(found[1], tree.words), row.span)


def fallback_shadows(tree: Tree) -> Iterator[Site]:
    """`MPSFallback.mm` sends an operator to the CPU that has a kernel for MPS."""
    served = [row.operator for row, line in _mps_lines(tree, shared=False)][:40:4]
    for path, text in tree.matching(r"/mps/MPSFallback\.mm$"):
        for found in re.finditer(r'm\.impl\("([\w.]+)"', text):
            others = tuple(name for name in served if name != found[1])
            yield Site(path, Span(*found.span(1)), others, line_around(text, found.start()))


def delegate_unknown(tree: Tree) -> Iterator[Site]:
    """A row delegates to an operator that does not exist."""
    operators = frozenset(row.operator for row in tree.once(rows))
    for row in tree.once(rows):
        found = re.search(r"structured_delegate: *['\"]?([\w.]+)", row.text)
        if found:
            start = row.span.start + found.start(1)
            name = found[1]
            wrong = (*misspelt(name, operators), f"{name}_", name.replace(".", ".x"))
            yield Site(PATH, Span(start, start + len(name)), wrong, row.span)


def delegate_unstructured(tree: Tree) -> Iterator[Site]:
    """The row that others delegate to is not structured any more."""
    targets = {row.delegate for row in tree.once(rows)}
    for row in tree.once(rows):
        found = re.search(r"^  structured: True *\n", row.text, re.MULTILINE)
        if found and row.operator in targets and "structured_inherits" not in row.text:
            start = row.span.start + found.start()
            yield Site(PATH, Span(start, start + len(found[0])), ("",), row.span, (row.operator,))


def yaml_broken(tree: Tree) -> Iterator[Site]:
    """An entry is not YAML any more: a colon, a bracket or the indentation is lost."""
    for row in tree.once(rows):
        for pattern, wrong in (
            (r"^  dispatch:(?=\n)", ("  dispatch", "   dispatch:", "\tdispatch:")),
            (r"(?<=tags: \[)([\w, ]+)\]", None),
            (r"^  variants: ", ("  variants ", " variants: ")),
        ):
            found = re.search(pattern, row.text, re.MULTILINE)
            if found:
                start = row.span.start + found.start()
                texts = wrong or (found[1],)
                yield Site(PATH, Span(start, start + len(found[0])), texts, row.span)


def schema_broken(tree: Tree) -> Iterator[Site]:
    """A schema does not parse any more, or names a type that does not exist."""
    for row in tree.once(rows):
        end = row.text.find("\n")
        head = row.text[:end]
        if head.count("(") < 1 or '"' in head or "'" in head:
            continue
        at = row.span.start
        arrow = head.find(") ->")
        if arrow > 0:
            yield Site(PATH, Span(at + arrow, at + arrow + 4), (" ->", ") -", ") =>"), row.span)
        tensor = head.find("Tensor ")
        if tensor > 0:
            yield Site(PATH, Span(at + tensor, at + tensor + 6), ("Tensr", "Tenso r"), row.span)


def definition_renamed(tree: Tree) -> Iterator[Site]:
    """The host function of an own MPS line of an unstructured row is defined by another name."""
    names = _own_functions(tree, structured=False)
    yield from _renamed(tree, names, r"^[\w:<>,&* ]*[\w>&*] [&*]?(\w+)\(", _is_definition)


def implementation_misspelt(tree: Tree) -> Iterator[Site]:
    """The TORCH_IMPL_FUNC of a structured row's own MPS line is misspelt."""
    names = _own_functions(tree, structured=True)
    yield from _renamed(tree, names, r"\bTORCH_IMPL_FUNC\((\w+)\)", lambda *_: True)


def implementation_parameter_lost(tree: Tree) -> Iterator[Site]:
    """The TORCH_IMPL_FUNC of a structured row's own MPS line takes one parameter less."""
    names = _own_functions(tree, structured=True)
    for path, text in tree.matching(r"/mps/.*\.mm$"):
        plain = bare(text)
        for found in re.finditer(r"\bTORCH_IMPL_FUNC\((\w+)\)\s*\(", plain):
            parameters = parts(plain, found.end() - 1)
            if found[1] in names and len(parameters) > 1:
                place = Span(found.start(), parameters[-1].end)
                for lost in parameters[:-1]:
                    span = Span(lost.start, re.compile(r",\s*").search(plain, lost.end).end())  # type: ignore[union-attr]
                    yield Site(path, span, ("",), place, (found[1],))


def _own_functions(tree: Tree, *, structured: bool) -> set[str]:
    return {
        line.function.text
        for row, line in _mps_lines(tree, shared=False)
        if structured == ("structured: True" in row.text)
    }


def _is_definition(text: str, found: "re.Match[str]") -> bool:
    end = closing(text, found.end() - 1)
    return end > 0 and re.match(r"\s*(?:const\s*)?\{", text[end + 1 :]) is not None


def _renamed(tree: Tree, names: set[str], pattern: str, accept: object) -> Iterator[Site]:
    assert callable(accept)
    found: dict[str, list[Site]] = {}
    for path, text in tree.matching(r"/(mps|sparse)/.*\.(mm|cpp)$"):
        for match in re.finditer(pattern, bare(text), re.MULTILINE):
            name = match[1]
            if name in names and accept(bare(text), match):
                span = Span(*match.span(1))
                place = Span(match.start(), match.end())
                site = Site(path, span, misspelt(name, tree.words), place, (name,))
                found.setdefault(name, []).append(site)
    yield from (sites[0] for sites in found.values() if len(sites) == 1)


KINDS = (
    Kind("shared-key-dropped", "dispatch", shared_key_dropped),
    Kind("own-line-dropped", "dispatch", own_line_dropped),
    Kind("function-misspelt", "dispatch", function_misspelt),
    Kind("key-misspelt", "dispatch", key_misspelt),
    Kind("key-repeated", "dispatch", key_repeated),
    Kind("ufunc-shared", "dispatch", ufunc_shared),
    Kind("delegate-dispatches", "dispatch", delegate_dispatches),
    Kind("mps-moved-to-delegate", "dispatch", mps_moved_to_delegate),
    Kind("tag-misspelt", "dispatch", tag_misspelt),
    Kind("fallback-shadows", "dispatch", fallback_shadows),
    Kind("delegate-unknown", "dispatch", delegate_unknown),
    Kind("delegate-unstructured", "dispatch", delegate_unstructured),
    Kind("yaml-broken", "dispatch", yaml_broken),
    Kind("schema-broken", "dispatch", schema_broken),
    Kind("definition-renamed", "dispatch", definition_renamed),
    Kind("implementation-misspelt", "dispatch", implementation_misspelt),
    Kind("implementation-parameter-lost", "dispatch", implementation_parameter_lost),
)
