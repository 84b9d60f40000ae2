"""Mistakes where the host encodes and launches a kernel."""

import re
from collections.abc import Iterator

from mkls.text.edit import Edit
from mkls.text.span import Span
from tests.mutation.lookups import Lookup, lookups
from tests.mutation.text import bare, closing, function, line, statement
from tests.support.mutation import Kind, Site, Tree

_MM = r"/mps/operations/.*\.mm$"
_ENCODER = re.compile(r"^[ \t]*[\w<>:*]+ (\w+) = \w+->commandEncoder\(\);\n", re.MULTILINE)
_BLOCK = re.compile(r"^[ \t]*(?:mps::)?dispatch_sync(?:_with_rethrow)?\(", re.MULTILINE)


def encoder_moved_out(tree: Tree) -> Iterator[Site]:
    """The command encoder is fetched before the block that runs on the stream's queue."""
    for path, text in tree.matching(_MM):
        plain = bare(text)
        for found in _ENCODER.finditer(plain):
            blocks = list(_BLOCK.finditer(plain, 0, found.start()))
            whole = function(plain, found.start())
            if not blocks or blocks[-1].start() < whole.start:
                continue
            if closing(plain, blocks[-1].end() - 1) < found.end():
                continue
            moved = found[0]
            insertion = Edit(Span(blocks[-1].start(), blocks[-1].start()), moved)
            place = Span(blocks[-1].start(), blocks[-1].end())
            removed = Span(found.start(), found.end())
            yield Site(path, removed, ("",), place, ("commandEncoder",), (insertion,))


def encoder_of_its_own(tree: Tree) -> Iterator[Site]:
    """An operator makes an encoder beside the stream's."""
    for path, text in tree.matching(_MM):
        for found in re.finditer(r"(\w+)->commandEncoder\(\)", bare(text)):
            wrong = f"[{found[1]}->commandBuffer() computeCommandEncoder]"
            yield Site(path, Span(*found.span()), (wrong,), line(text, found.start()))


def offset_ignored(tree: Tree) -> Iterator[Site]:
    """A tensor is bound from the start of its storage."""
    pattern = r"setBuffer:\S[^;]*? offset:(\w+\.storage_offset\(\) \* [^;]*?) atIndex:"
    for path, text in tree.matching(_MM):
        for found in re.finditer(pattern, bare(text)):
            yield Site(path, Span(*found.span(1)), ("0",), statement(bare(text), found.start()))


def dtype_check_dropped(tree: Tree) -> Iterator[Site]:
    """Nobody checks that tensors which one kernel reads have one dtype."""
    check = re.compile(
        r"^[ \t]*TORCH_CHECK\([^;]*?\b(?:dtype|scalar_type)\(\w*\) == "
        r"\w+(?:\.|->)(?:dtype|scalar_type)\(\w*\)[^;]*;\n",
        re.MULTILINE,
    )
    for path, text in tree.matching(_MM):
        plain = bare(text)
        for found in check.finditer(plain):
            whole = function(plain, found.start())
            own = [it for it in tree.once(lookups) if it.path == path and whole.covers(it.call)]
            if len(own) == 1:
                yield Site(path, Span(*found.span()), ("",), whole, ())


def cooperation_lost(tree: Tree) -> Iterator[Site]:
    """A kernel of a file with threadgroup memory is launched in groups of any size, as one job."""
    for path, text in tree.matching(_MM):
        plain = bare(text)
        for found in re.finditer(r"\[(\w+)\s+dispatchThreadgroups:", plain):
            whole = statement(plain, found.start())
            states = re.findall(r"setComputePipelineState:\s*(\w+)\]", plain[: found.start()])
            names = [it for it in tree.once(lookups) if it.path == path]
            own = [it for it in names if function(plain, found.start()).covers(it.call)]
            if states and len(own) == 1 and _cooperates(tree, own[0]):
                job = f"mtl_dispatch1DJob({found[1]}, {states[-1]}, 1024);"
                yield Site(path, whole, (job,), whole)


_SHARED_MEMORY = re.compile(r"\bthreadgroup [\w:<>]+ \w+\[|\bthreadgroup \w+ ?\*")


def _cooperates(tree: Tree, lookup: Lookup) -> bool:
    """Whether the Metal file that writes the lookup's name down has threadgroup memory."""
    literal = re.search(r'"(\w+?)_?["{]', lookup.name.of(lookup.text))
    return literal is not None and any(
        f'host_name("{literal[1]}' in text and _SHARED_MEMORY.search(text)
        for _, text in tree.matching(r"/mps/kernels/.*\.metal$")
    )


def group_too_large(tree: Tree) -> Iterator[Site]:
    """A literal threadgroup has more threads than any pipeline allows."""
    for path, text in tree.matching(_MM):
        for found in re.finditer(r"threadsPerThreadgroup:MTLSizeMake\((\d+, \d+, \d+)\)", text):
            yield Site(
                path, Span(*found.span(1)), ("64, 64, 1", "2048, 1, 1"), line(text, found.start())
            )


KINDS = (
    Kind("encoder-moved-out", "binding", encoder_moved_out),
    Kind("encoder-of-its-own", "binding", encoder_of_its_own),
    Kind("offset-ignored", "binding", offset_ignored),
    Kind("dtype-check-dropped", "binding", dtype_check_dropped),
    Kind("cooperation-lost", "binding", cooperation_lost),
    Kind("group-too-large", "binding", group_too_large),
)
