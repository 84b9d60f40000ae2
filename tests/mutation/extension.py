"""Mistakes of extension authors: Python that runs shaders, and operators that C++ registers."""

import re
from collections.abc import Iterator
from itertools import pairwise

from mkls.text.span import Span
from tests.mutation.text import closing
from tests.support.mutation import Kind, Site, Tree

_CALL = re.compile(r"(?:\.((?:wave|blur|sharpen)\w*)|(?<= )(kernel)|\.(kernel))(\()")
_KEYWORD = re.compile(r",\s*(\w+)=")


def _calls(tree: Tree) -> Iterator[tuple[str, str, re.Match[str], Span]]:
    """Yield path, text and name of each launch from Python, with the place of the whole call."""
    for path, text in tree.matching(r"^ripple/\w+\.py$"):
        for match in _CALL.finditer(text):
            end = closing(text, match.start(4)) + 1
            yield path, text, match, Span(match.start(), end)


def _positional(text: str, call: Span, opening: int) -> list[Span]:
    """Return the places of the arguments without a keyword."""
    inner = text[opening + 1 : call.end - 1]
    depth, start, found = 0, 0, list[Span]()
    for at, sign in enumerate(f"{inner},"):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            piece = inner[start:at]
            if piece.strip() and not re.match(r"\s*\w+=", piece):
                begin = opening + 1 + start + len(piece) - len(piece.lstrip())
                found.append(Span(begin, opening + 1 + at))
            start = at + 1
    return found


def kernel_misspelt(tree: Tree) -> Iterator[Site]:
    """Python asks for a kernel by another name."""
    for path, text in tree.matching(r"^ripple/\w+\.py$"):
        for match in re.finditer(r"(?:\.|\")((?:wave|blur|sharpen)_?\w*)(?=[(\n\"])", text):
            span = Span(*match.span(1))
            name = match[1]
            if (
                not text.startswith(f"{name}.metal", span.start)
                and "def" not in text[match.start() - 4 : match.start()]
            ):
                yield Site(path, span, (name[:-1], f"{name}s", name.swapcase()), span)


def shader_kernel_renamed(tree: Tree) -> Iterator[Site]:
    """A kernel is renamed in its source, and Python still asks for the old name."""
    for path, text in tree.matching(r"^ripple/"):
        for match in re.finditer(r"kernel void (wave_sum|blur)\b|host_name\(\"(\w+)\"", text):
            group = 1 if match[1] else 2
            span = Span(*match.span(group))
            yield Site(path, span, (f"{match[group]}_new",), span, (match[group],))


def argument_dropped(tree: Tree) -> Iterator[Site]:
    """A launch from Python leaves an argument out."""
    for path, text, match, call in _calls(tree):
        arguments = _positional(text, call, match.start(4))
        for before, last in pairwise(arguments):
            yield Site(path, Span(before.end, last.end), ("",), call, (match[1] or "kernel",))


def argument_added(tree: Tree) -> Iterator[Site]:
    """A launch from Python passes an argument too many."""
    for path, text, match, call in _calls(tree):
        last = _positional(text, call, match.start(4))[-1]
        yield Site(path, Span(last.end, last.end), (", 1", ", x"), call)


def cast_dropped(tree: Tree) -> Iterator[Site]:
    """A launch from Python forgets `arg_casts`."""
    for path, text, _, call in _calls(tree):
        for cast in re.finditer(r",\s*arg_casts=(?:\{[^}]*\}|\"\w+\")", call.of(text)):
            span = Span(*cast.span()).shifted(call.start)
            yield Site(path, span, ("",), call)


def cast_renamed(tree: Tree) -> Iterator[Site]:
    """`arg_casts` names a type that there is not, or one of another size."""
    for path, text in tree.matching(r"^ripple/\w+\.py$"):
        for match in re.finditer(r"\"(int32|fp16)\"", text):
            span = Span(*match.span(1))
            other = ("uint32", "int16") if match[1] == "int32" else ("half", "bf16")
            line = Span(text.rindex("def ", 0, span.start), text.index("\n", span.end))
            yield Site(path, span, other, line)


def cast_moved(tree: Tree) -> Iterator[Site]:
    """`arg_casts` is for a position further on."""
    for path, text, _, call in _calls(tree):
        for match in re.finditer(r"arg_casts=\{(\d)", call.of(text)):
            span = Span(*match.span(1)).shifted(call.start)
            yield Site(path, span, (str(int(match[1]) + 1),), call)


def number_retyped(tree: Tree) -> Iterator[Site]:
    """An integer is written where the kernel reads a real number, or the other way round."""
    for path, text, match, call in _calls(tree):
        for argument in _positional(text, call, match.start(4)):
            written = argument.of(text)
            if re.fullmatch(r"\d\.\d+", written) and "arg_casts" not in call.of(text):
                yield Site(path, argument, ("2",), call)
            elif re.fullmatch(r"x\.numel\(\)|columns|len\(x\)", written):
                yield Site(path, argument, (f"float({written})", f"{written} / 2"), call)


def dtype_changed(tree: Tree) -> Iterator[Site]:
    """A tensor is made with another dtype than the kernel reads."""
    for path, text in tree.matching(r"^ripple/\w+\.py$"):
        for match in re.finditer(r"dtype=torch\.(float\d+)", text):
            span = Span(*match.span(1))
            other = ("float16", "bfloat16") if match[1] == "float32" else ("float32", "int64")
            place = Span(span.start, text.index("\n    return", span.end))
            yield Site(path, span, other, place)


def group_enlarged(tree: Tree) -> Iterator[Site]:
    """A group has more threads than a GPU allows, or another number of axes than the grid."""
    for path, text in tree.matching(r"^ripple/\w+\.py$"):
        for match in re.finditer(r"group_size=(\(16, 16\)|64|GROUP)", text):
            span = Span(*match.span(1))
            other = ("(64, 64)", "256") if match[1].startswith("(") else ("2048", "(8, 8)")
            yield Site(path, span, other, span)


def groups_for_threads(tree: Tree) -> Iterator[Site]:
    """Python passes the number of groups as `threads`."""
    for path, text in tree.matching(r"^ripple/\w+\.py$"):
        for match in re.finditer(r"threads=(rows \* GROUP)", text):
            span = Span(*match.span(1))
            yield Site(path, span, ("rows * columns // GROUP", "4"), span)


def schema_type_misspelt(tree: Tree) -> Iterator[Site]:
    """A schema uses a type that it does not know, or lacks a part."""
    for path, text in tree.matching(r"^csrc/.*\.mm$"):
        for match in re.finditer(r"m\.def\(\"[^\"]*\"", text):
            place = Span(*match.span())
            for word in re.finditer(r"\b(?:Tensor|int|float)(?= \w)|\) ->| ->", match[0]):
                span = Span(*word.span()).shifted(match.start())
                known = word[0].strip() in ("Tensor", "int", "float")
                yield Site(path, span, ("double", "Tensr") if known else ("",), place)


def implementation_misspelt(tree: Tree) -> Iterator[Site]:
    """`m.impl` for MPS, or the `m.def` that it goes with, has another name."""
    for path, text in tree.matching(r"^csrc/.*\.mm$"):
        for match in re.finditer(r"m\.(?:impl|def)\(\"(\w+)", text):
            span = Span(*match.span(1))
            yield Site(path, span, (match[1][1:], f"{match[1]}_"), span, (match[1],))


def implementation_dropped(tree: Tree) -> Iterator[Site]:
    """One operator is not registered for MPS."""
    for path, text in tree.matching(r"^csrc/.*\.mm$"):
        for match in re.finditer(r"  m\.impl\(\"(\w+)\".*\n", text):
            yield Site(path, Span(*match.span()), ("",), Span(*match.span()), (match[1],))


def implementation_repeated(tree: Tree) -> Iterator[Site]:
    """One registration stands there twice."""
    for path, text in tree.matching(r"^csrc/"):
        for match in re.finditer(r"  m\.(?:impl|def)\(.*\n", text):
            end = Span(match.end(), match.end())
            yield Site(path, end, (match[0],), Span(*match.span()))


def implementation_retyped(tree: Tree) -> Iterator[Site]:
    """A function takes another type than the schema says, or a parameter less."""
    for path, text in tree.matching(r"^csrc/.*\.mm$"):
        for match in re.finditer(r"_mps\(const at::Tensor& self(, (double|int64_t) \w+)", text):
            place = Span(match.start(), text.index("{", match.end()))
            name = text[text.rindex(" ", 0, match.start()) + 1 : match.start()]
            other = ("float",) if match[2] == "double" else ("int", "double")
            yield Site(path, Span(*match.span(2)), other, place)
            yield Site(path, Span(*match.span(1)), ("",), place, (f"{name}_mps",))


def function_misspelt(tree: Tree) -> Iterator[Site]:
    """Host code asks the library that it has built for another function."""
    for path, text in tree.matching(r"^csrc/.*\.mm$"):
        for match in re.finditer(r"newFunctionWithName:@\"(\w+)\"", text):
            span = Span(*match.span(1))
            yield Site(path, span, (match[1][:-1], f"{match[1]}_x"), span, (match[1],))


def buffer_moved(tree: Tree) -> Iterator[Site]:
    """A buffer has another number, on one of the two sides."""
    for path, text in tree.matching(r"^csrc/.*\.mm$"):
        for match in re.finditer(r"atIndex:(\d)|\[\[buffer\((\d)\)\]\]", text):
            group = 1 if match[1] else 2
            span = Span(*match.span(group))
            start = text.rindex("\n", 0, text.rindex("\n", 0, span.start))
            yield Site(
                path, span, (str(int(match[group]) + 1), "7"), Span(start, span.end), ("scale",)
            )


KINDS = (
    Kind("raw-function-misspelt", "extension", function_misspelt),
    Kind("raw-buffer-moved", "extension", buffer_moved),
    Kind("python-kernel-misspelt", "extension", kernel_misspelt),
    Kind("python-shader-kernel-renamed", "extension", shader_kernel_renamed),
    Kind("python-argument-dropped", "extension", argument_dropped),
    Kind("python-argument-added", "extension", argument_added),
    Kind("python-cast-dropped", "extension", cast_dropped),
    Kind("python-cast-renamed", "extension", cast_renamed),
    Kind("python-cast-moved", "extension", cast_moved),
    Kind("python-number-retyped", "extension", number_retyped),
    Kind("python-dtype-changed", "extension", dtype_changed),
    Kind("python-group-enlarged", "extension", group_enlarged),
    Kind("python-groups-for-threads", "extension", groups_for_threads),
    Kind("operator-schema-broken", "extension", schema_type_misspelt),
    Kind("operator-misspelt", "extension", implementation_misspelt),
    Kind("operator-mps-dropped", "extension", implementation_dropped),
    Kind("operator-repeated", "extension", implementation_repeated),
    Kind("operator-implementation-retyped", "extension", implementation_retyped),
)
