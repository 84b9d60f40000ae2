"""A tensor of an iterator is bound although the iterator may be a part.

## What it does
Reports `iter.tensor(i)`, `iter.input(i)` or `iter.output(i)` that is bound to a kernel, in a
function that splits its iterator by `with_32bit_indexing`.

## Why is this bad?
A part of an iterator still names the whole tensors: only its own data pointers know where the part
begins. Every part then works on the first elements, and the rest stays as it was.
`bind_iter_tensors` takes the pointers into account.

## Example
```objcpp operations/Scale.mm
void scale(TensorIteratorBase& iter) {
  if (!iter.can_use_32bit_indexing()) {
    for (auto&& part : iter.with_32bit_indexing()) {
      scale(part);
    }
    return;
  }
  mtl_setBuffer(encoder, iter.tensor(0), 0);
}
```

## Use instead
```objcpp operations/Scale.mm
void scale(TensorIteratorBase& iter) {
  if (!iter.can_use_32bit_indexing()) {
    for (auto&& part : iter.with_32bit_indexing()) {
      scale(part);
    }
    return;
  }
  bind_iter_tensors(encoder, iter);
}
```

## Why no fix
`bind_iter_tensors` numbers its buffers from 0 on: the other bindings of the launch, and the kernel,
may have to give way.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.facts.model.launches import EventKind, ValueKind
from mkls.index.launches import launching_functions
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each tensor of an iterator that is bound where iterators are split."""
    for function, launches in launching_functions(snapshot, source.document.uri):
        for event in launches.events if launches.splits else ():
            of_iterator = event.type.kind is ValueKind.OPERAND and not event.by_iterator
            if event.kind is EventKind.BIND and of_iterator:
                yield Diagnostic(
                    event.name.span.shifted(function.stated.start),
                    f"`{event.name.text}` is the whole tensor, even of a part of the iterator",
                )


RULE = Rule(
    "tensor-of-split-iterator",
    Group.BINDING,
    Severity.WARNING,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
