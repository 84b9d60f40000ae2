"""Slips in the launch of kernels: what is set, how much, how often, at which number."""

import re
from collections.abc import Iterator

from mkls.text.span import Span
from tests.mutation.lookups import lookups
from tests.mutation.text import bare, function, statement
from tests.support.mutation import Kind, Site, Tree

_MM = r"/mps/operations/.*\.mm$"


def _launching(tree: Tree) -> Iterator[tuple[str, str, str]]:
    """Yield path, text and bare text of the files that look kernels up."""
    asking = {it.path for it in tree.once(lookups)}
    for path, text in tree.matching(_MM):
        if path in asking:
            yield path, text, bare(text)


def pipeline_not_set(tree: Tree) -> Iterator[Site]:
    """The pipeline that a launch needs is not set. Its function sets no other."""
    pattern = re.compile(r"^[ \t]*\[\w+ setComputePipelineState:\s*\w+\];\n", re.MULTILINE)
    for path, _, plain in _launching(tree):
        for found in pattern.finditer(plain):
            whole = function(plain, found.start())
            own = plain[whole.start : whole.end]
            launches = re.search(r"\bmtl_dispatch1DJob\(|\bdispatchThread", own)
            if launches and own.count("setComputePipelineState:") == 1:
                yield Site(path, Span(*found.span()), ("",), whole)


def threads_taken_for_groups(tree: Tree) -> Iterator[Site]:
    """What counts threads is launched as that many threadgroups."""
    for path, _, plain in _launching(tree):
        for found in re.finditer(r"\bdispatchThreads(?=:)", plain):
            whole = statement(plain, found.start())
            grid = re.search(r"dispatchThreads:\s*(\w+|MTLSizeMake\([^()]*\))", whole.of(plain))
            own = plain[function(plain, found.start()).start : whole.end]
            made = re.search(rf"\b{grid[1]} = MTLSizeMake\(([^;]*)\);", own) if grid else None
            said = made[1] if made else grid[1] if grid else ""
            if "numel()" in said or re.search(r"\b(?:length|numel|num_?[tT]hreads)\b", said):
                yield Site(path, Span(*found.span()), ("dispatchThreadgroups",), whole)


def bound_twice(tree: Tree) -> Iterator[Site]:
    """An argument takes the number of the one before it."""
    pattern = re.compile(r"\bmtl_set(?:Buffer|Bytes)\([^;]*?, (\d+)\);|atIndex:(\d+)\]")
    for path, text, plain in _launching(tree):
        names = [it for it in tree.once(lookups) if it.path == path]
        for found in pattern.finditer(plain):
            group = 1 if found[1] else 2
            own = [it for it in names if function(plain, found.start()).covers(it.call)]
            literal = len(own) == 1 and '"' in own[0].name.of(text)
            if int(found[group]) > 0 and literal and own[0].function == "getPipelineStateForFunc":
                number = str(int(found[group]) - 1)
                place = statement(plain, found.start())
                yield Site(path, Span(*found.span(group)), (number,), place)


def length_of_another_type(tree: Tree) -> Iterator[Site]:
    """Bytes are bound with the size of another type than the value has."""
    pattern = re.compile(r"setBytes:&(\w+)\s+length:sizeof\((\w+)\)")
    sizes = {"uint32_t": "int64_t", "int64_t": "uint32_t", "float": "double", "int32_t": "int64_t"}
    for path, _, plain in _launching(tree):
        for found in pattern.finditer(plain):
            own = plain[function(plain, found.start()).start : found.start()]
            declared = re.search(rf"\b(\w+) {found[1]}(?= =|[,;)])", own)
            known = declared[1] if declared else found[2]
            if known in sizes:
                span = Span(*found.span(2))
                yield Site(path, span, (sizes[known],), statement(plain, found.start()))


KINDS = (
    Kind("pipeline-not-set", "binding", pipeline_not_set),
    Kind("threads-taken-for-groups", "binding", threads_taken_for_groups),
    Kind("bound-twice", "binding", bound_twice),
    Kind("length-of-another-type", "binding", length_of_another_type),
)
