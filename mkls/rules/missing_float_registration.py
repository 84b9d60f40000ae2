r"""An operator turns integers to float and has no kernel for float.

## What it does
Looks for kernels with `_cast` in their name that give float for integers, and reports the operator
when the one for float itself is not registered.

## Why is this bad?
For inputs of two integer dtypes the result is float, and the host asks for the kernel by the
result's dtype: `NAME_dense_cast_float_float`. Integers of one dtype work, mixed ones do not.

## Example
```metal kernels/Divide.metal
template <typename T, typename R>
kernel void binary_dense(
    device R* out [[buffer(0)]], constant T* left [[buffer(1)]], constant T* right [[buffer(2)]]) {
  out[0] = R(left[0] + right[0]);
}
template <typename T, typename R>
kernel void binary_dense_cast(
    device R* out [[buffer(0)]],
    constant void* left [[buffer(1)]],
    constant void* right [[buffer(2)]]) {
  out[0] = R(0);
}
#define REGISTER(NAME, IN, OUT) \
  template [[host_name(#NAME "_dense_" #OUT "_" #IN)]] kernel void binary_dense<IN, OUT>( \
      device OUT*, constant IN*, constant IN*); \
  template [[host_name(#NAME "_dense_cast_" #OUT "_" #IN)]] kernel void \
  binary_dense_cast<IN, OUT>(device OUT*, constant void*, constant void*)
REGISTER(divide, int, float);
REGISTER(divide, long, float);
```

## Use instead
```metal kernels/Divide.metal
template <typename T, typename R>
kernel void binary_dense(
    device R* out [[buffer(0)]], constant T* left [[buffer(1)]], constant T* right [[buffer(2)]]) {
  out[0] = R(left[0] + right[0]);
}
template <typename T, typename R>
kernel void binary_dense_cast(
    device R* out [[buffer(0)]],
    constant void* left [[buffer(1)]],
    constant void* right [[buffer(2)]]) {
  out[0] = R(0);
}
#define REGISTER(NAME, IN, OUT) \
  template [[host_name(#NAME "_dense_" #OUT "_" #IN)]] kernel void binary_dense<IN, OUT>( \
      device OUT*, constant IN*, constant IN*); \
  template [[host_name(#NAME "_dense_cast_" #OUT "_" #IN)]] kernel void \
  binary_dense_cast<IN, OUT>(device OUT*, constant void*, constant void*)
REGISTER(divide, int, float);
REGISTER(divide, float, float);
REGISTER(divide, long, float);
```

## Fix safety
The fix registers the functor for float as well. It is unsafe: the functor may not take it.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.expected_kernels import missing_floats
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import line_after


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each operator of `source` once, at its first registration for integers."""
    for found in missing_floats(snapshot, source.document.uri):
        span = found.registration.top.place.span
        edit = line_after(source.document.text, span, found.text)
        edits = (FileEdit(source.document.uri, edit),) if edit else ()
        yield Diagnostic(
            span,
            f"mixed integers ask `{found.stem}` for a float kernel: `{found.text}` is missing",
            fixes=(Fix(f"Add `{found.text}`", edits, safe=False),) if edits else (),
        )


RULE = Rule(
    "missing-float-registration",
    Group.KERNEL_NAME,
    Severity.WARNING,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
