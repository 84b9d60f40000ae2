r"""Metal 3.0 has no bfloat.

## What it does
Looks for macros that are given `bfloat`, and functions that name it in their heads, outside of any
condition, in trees that elsewhere register it under `#if __METAL_VERSION__ >= 310`.

## Why is this bad?
Such a tree, as PyTorch 2.6, builds its kernels for Metal 3.0 as well, which does not know the
type: the library for older systems does not compile.

## Example
```metal kernels/Copy.metal
template <typename T>
kernel void copy(constant T* input [[buffer(0)]], device T* out [[buffer(1)]]) {
  out[0] = input[0];
}
#define REGISTER_COPY(T)                                     \
  template [[host_name("copy_" #T)]] kernel void copy<T>(    \
      constant T * input [[buffer(0)]], device T * out [[buffer(1)]])
REGISTER_COPY(float);
REGISTER_COPY(half);
#if __METAL_VERSION__ >= 310
REGISTER_COPY(bfloat);
#endif
```
```metal kernels/Move.metal
template <typename T>
kernel void move(constant T* input [[buffer(0)]], device T* out [[buffer(1)]]) {
  out[0] = input[0];
}
#define REGISTER_MOVE(T)                                     \
  template [[host_name("move_" #T)]] kernel void move<T>(    \
      constant T * input [[buffer(0)]], device T * out [[buffer(1)]])
REGISTER_MOVE(float);
REGISTER_MOVE(half);
REGISTER_MOVE(bfloat);
```

## Use instead
```metal kernels/Copy.metal
template <typename T>
kernel void copy(constant T* input [[buffer(0)]], device T* out [[buffer(1)]]) {
  out[0] = input[0];
}
#define REGISTER_COPY(T)                                     \
  template [[host_name("copy_" #T)]] kernel void copy<T>(    \
      constant T * input [[buffer(0)]], device T * out [[buffer(1)]])
REGISTER_COPY(float);
REGISTER_COPY(half);
#if __METAL_VERSION__ >= 310
REGISTER_COPY(bfloat);
#endif
```
```metal kernels/Move.metal
template <typename T>
kernel void move(constant T* input [[buffer(0)]], device T* out [[buffer(1)]]) {
  out[0] = input[0];
}
#define REGISTER_MOVE(T)                                     \
  template [[host_name("move_" #T)]] kernel void move<T>(    \
      constant T * input [[buffer(0)]], device T * out [[buffer(1)]])
REGISTER_MOVE(float);
REGISTER_MOVE(half);
#if __METAL_VERSION__ >= 310
REGISTER_MOVE(bfloat);
#endif
```

## Fix safety
The fix puts the condition around them. It is safe: no version that has the type
loses a kernel.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.metal_versions import unguarded_bfloats
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report what names bfloat and Metal 3.0 gets to see."""
    for place in unguarded_bfloats(snapshot, source.document.uri):
        what = f"`{place.macro}` is given `bfloat`" if place.macro else "`bfloat` is used"
        yield Diagnostic(
            place.span,
            f"{what} for Metal 3.0 too, which does not have it",
            fixes=(_guarded(source, place.whole),),
        )


def _guarded(source: Source, whole: Span) -> Fix:
    lines = source.document.lines
    start = lines.starts[lines.line(whole.start)]
    end = lines.ends[lines.line(whole.end)]
    edits = (
        Edit(Span(start, start), "#if __METAL_VERSION__ >= 310\n"),
        Edit(Span(end, end), "\n#endif"),
    )
    uri = source.document.uri
    return Fix("Keep it for Metal 3.1 and later", tuple(FileEdit(uri, it) for it in edits))


RULE = Rule(
    "unguarded-bfloat",
    Group.KERNEL_BODY,
    Severity.ERROR,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
