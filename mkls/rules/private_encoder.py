"""An operator makes or ends a command encoder of its own.

## What it does
Reports `computeCommandEncoder` and `endEncoding` messages in host code that works with PyTorch's
MPS streams. The stream itself is left alone.

## Why is this bad?
A command buffer has one encoder at a time, and the stream keeps it open from one operator to the
next. A second one fails with "A command encoder is already encoding to this command buffer"; ending
the stream's pulls it away from under others.

## Example
```objcpp operations/Norm.mm
#include <ATen/native/mps/OperationUtils.h>
void norm(const Tensor& out, MPSStream* stream) {
  id<MTLComputeCommandEncoder> encoder = [stream->commandBuffer() computeCommandEncoder];
  mtl_setArgs(encoder, out);
}
```

## Use instead
```objcpp operations/Norm.mm
#include <ATen/native/mps/OperationUtils.h>
void norm(const Tensor& out, MPSStream* stream) {
  id<MTLComputeCommandEncoder> encoder = stream->commandEncoder();
  mtl_setArgs(encoder, out);
}
```

## Fix safety
The fix takes the encoder of the stream whose command buffer is asked for one. It is unsafe: what
ends the encoder, later on, must go too.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import HostFacts
from mkls.facts.model.launches import Launches
from mkls.facts.model.name import Name
from mkls.index.host_documents import HostFunction
from mkls.index.launches import launching_functions, streams_have_encoders
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit

_STREAM = "MPSStream"
_FOLDER = "/mps/"
_HEADERS = ("ATen/native/mps/", "ATen/mps/", "torch/mps")


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each encoder that is made or ended beside the stream."""
    if not _uses_streams(source) or not streams_have_encoders(snapshot):
        return
    for function, launches in launching_functions(snapshot, source.document.uri):
        of = function.function.qualifier if function.function else ""
        if of.rpartition("::")[2] == _STREAM:
            continue
        for message in launches.private_encoders:
            ends = message.text == "endEncoding"
            said = "ends the stream's" if ends else "makes a second"
            span = message.span.shifted(function.stated.start)
            fixes = tuple(_of_stream(source, function, it) for it in _made_by(launches, message))
            yield Diagnostic(span, f"`{message.text}` {said} encoder", fixes=fixes)


def _made_by(launches: Launches, message: Name) -> Iterator[Name]:
    return (it for it in launches.made_encoders if it.span.covers(message.span))


def _of_stream(source: Source, function: HostFunction, made: Name) -> Fix:
    place = made.span.shifted(function.stated.start)
    edit = Edit(place, f"{made.text}->commandEncoder()")
    return Fix("Use the stream's encoder", (FileEdit(source.document.uri, edit),), safe=False)


def _uses_streams(source: Source) -> bool:
    facts = source.facts
    if _FOLDER in source.document.uri:
        return True
    host = facts.host if isinstance(facts, CppFacts) else facts
    return isinstance(host, HostFacts) and any(
        it.path.text.startswith(_HEADERS) for it in host.includes
    )


RULE = Rule(
    "private-encoder",
    Group.BINDING,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP)),
    check,
    __doc__ or "",
)
