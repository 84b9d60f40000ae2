"""Entries of PyTorch's test lists that a new kernel makes stale."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mkls.diagnostics.model import FileEdit
from mkls.facts.model.python import OperatorList, OperatorListKey, PythonFacts
from mkls.generation.dtypes import COMPLEX
from mkls.generation.kernel_work import KernelWork
from mkls.generation.plan import Step
from mkls.index.changes import bases_of_key, key_of_base
from mkls.index.snapshot import Snapshot
from mkls.text.edit import Edit
from mkls.text.span import Span

_TORCH_DTYPES: Final = {
    "float": "float32",
    "half": "float16",
    "bfloat": "bfloat16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "char": "int8",
    "uchar": "uint8",
    "bool": "bool",
    "float2": "complex64",
    "half2": "complex32",
}


def test_list_steps(
    snapshot: Snapshot, bases: Iterable[str], works: Sequence[KernelWork]
) -> list[Step]:
    """Return the steps that take the operators `bases` off the lists of failures.

    Only kernels whose mathematics are written count: of others, tests go on failing. A key with
    dtypes goes when the kernel has them all. Lists of gradients are about backward operators.
    """
    written = [it for it in works if it.written]
    if not written or len(written) < len(works):
        return []
    names = frozenset(bases)
    dtypes = frozenset(_TORCH_DTYPES[it] for work in written for it in work.dtypes)
    is_complex = any(it in COMPLEX for work in written for it in work.dtypes)
    stale: list[FileEdit] = []
    listed: list[FileEdit] = []
    for uri, facts in snapshot.facts(PythonFacts).items():
        for it in facts.lists:
            if _is_of_failures(it.name.text):
                text = snapshot.sources[uri].document.text
                stale += [
                    FileEdit(uri, Edit(_with_comment(text, lines), ""))
                    for key in _stale_keys(it, names, dtypes)
                    if (lines := key.lines)
                ]
            if is_complex and it.name.text.endswith("SUPPORTED_COMPLEX_OPS"):
                listed += [FileEdit(uri, edit) for edit in _unlisted(it, names)]
    doubt = "Only a run of the tests on a Mac tells whether they pass now"
    return [
        Step("Delete entries of expected failures and skipped tests", tuple(stale), doubt=doubt),
        Step("List the operator among those that support complex tensors", tuple(listed)),
    ]


def _is_of_failures(name: str) -> bool:
    return ("XFAILLIST" in name or "SKIPLIST" in name) and "GRAD" not in name


def _stale_keys(
    it: OperatorList, bases: frozenset[str], dtypes: frozenset[str]
) -> Iterator[OperatorListKey]:
    for key in it.keys:
        covered = key.dtypes is None or all(
            dtype.removeprefix("torch.") in dtypes for dtype in key.dtypes
        )
        if covered and key.lines and not bases.isdisjoint(bases_of_key(key.name.text)):
            yield key


def _with_comment(text: str, lines: Span) -> Span:
    """Return the lines of a key, with the comment above when it is about this key alone."""
    following = text[lines.end : text.find("\n", lines.end) + 1].strip()
    if following and not following.startswith(("}", "#")):
        return lines
    start = lines.start
    while (above := text.rfind("\n", 0, start - 1) + 1) < start:
        if not text[above:start].strip().startswith("#"):
            break
        start = above
    return Span(start, lines.end)


def _unlisted(it: OperatorList, bases: frozenset[str]) -> Iterator[Edit]:
    known = {base for key in it.keys for base in bases_of_key(key.name.text)}
    for base in sorted(bases - known):
        key = key_of_base(base)
        after = [key_.lines for key_ in it.keys if key_.lines and key_.name.text > key]
        last = it.keys[-1].lines if it.keys else None
        at = after[0].start if after else last.end if last else None
        if at is not None:
            yield Edit(Span(at, at), f'{it.indent}"{key}",\n')
