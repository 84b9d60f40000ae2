"""The command encoder is fetched outside the block that runs on the stream's queue.

## What it does
Reports `stream->commandEncoder()` in a function that runs a block with `dispatch_sync` or
`dispatch_sync_with_rethrow`, when the call stands before the block and not in one. Functions
without such a block are left alone: they may be called from one.

## Why is this bad?
The queue is what keeps threads apart. An encoder that is fetched before the block may have been
ended by another thread when the block runs, and the process aborts; no test with one thread shows
it.

## Example
```objcpp operations/Norm.mm
void norm(const Tensor& out, MPSStream* stream) {
  auto encoder = stream->commandEncoder();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    [encoder endKernel];
  });
}
```

## Use instead
```objcpp operations/Norm.mm
void norm(const Tensor& out, MPSStream* stream) {
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    auto encoder = stream->commandEncoder();
    [encoder endKernel];
  });
}
```

## Fix safety
The fix moves the declaration into the block. It is unsafe where code between the two uses the
encoder.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.facts.model.launches import EncoderFetch
from mkls.index.launches import launching_functions
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each encoder that is fetched before the block that uses it."""
    for function, launches in launching_functions(snapshot, source.document.uri):
        start = function.stated.start
        for fetch in launches.fetches:
            if fetch.on_queue or fetch.block is None:
                continue
            block = fetch.block.shifted(start)
            yield Diagnostic(
                fetch.span.shifted(start),
                "`commandEncoder()` is called outside the block on the stream's queue",
                related=(Related(source.document.uri, block, "the block on the queue"),),
                fixes=_move(source, fetch, start),
            )


def _move(source: Source, fetch: EncoderFetch, start: int) -> tuple[Fix, ...]:
    if fetch.statement is None:
        return ()
    text = source.document.text
    statement = fetch.statement.shifted(start)
    inside = fetch.block_start + start
    line = text.find("\n", inside) + 1
    margin = text[line : line + len(text[line:]) - len(text[line:].lstrip(" \t"))]
    edits = (
        FileEdit(source.document.uri, Edit(statement, "")),
        FileEdit(
            source.document.uri,
            Edit(Span(inside, inside), f"\n{margin}{statement.of(text).strip()}"),
        ),
    )
    return (Fix("Move it into the block", edits, safe=False),)


RULE = Rule(
    "encoder-outside-queue",
    Group.BINDING,
    Severity.WARNING,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
