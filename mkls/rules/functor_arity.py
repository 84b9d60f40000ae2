r"""A registration's functor takes another number of arguments than the macro gives it.

## What it does
Counts the dtypes for which a macro asks the result of `NAME##_functor`, and compares them with the
parameters of the functor's `operator()`.

## Why is this bad?
A unary kernel calls its functor with one value, one with a scalar with two, a binary kernel with
two, and so on. With any other functor the Metal source does not compile, on a Mac.

## Example
```metal kernels/Scaled.metal
#define REGISTER_ONE(NAME, TYPE) \
  static_assert(is_same_v<TYPE, result_of<NAME##_functor, TYPE>>, "wrong dtype"); \
  template [[host_name(#NAME "_" #TYPE)]] kernel void one<TYPE, NAME##_functor>( \
      constant TYPE* input, device TYPE* output)
#define REGISTER_TWO(NAME, TYPE) \
  static_assert(is_same_v<TYPE, result_of<NAME##_functor, TYPE, TYPE>>, "wrong dtype"); \
  template [[host_name(#NAME "_" #TYPE)]] kernel void two<TYPE, NAME##_functor>( \
      constant TYPE* left, constant TYPE* right, device TYPE* output)
template <typename T, typename F>
kernel void one(constant T* input [[buffer(0)]], device T* output [[buffer(1)]]) {
  output[0] = F()(input[0]);
}
template <typename T, typename F>
kernel void two(
    constant T* left [[buffer(0)]],
    constant T* right [[buffer(1)]],
    device T* output [[buffer(2)]]) {
  output[0] = F()(left[0], right[0]);
}
struct scaled_functor {
  template <typename T>
  T operator()(const T x, const T by) {
    return x * by;
  }
};
REGISTER_ONE(scaled, float);
```

## Use instead
```metal kernels/Scaled.metal
#define REGISTER_ONE(NAME, TYPE) \
  static_assert(is_same_v<TYPE, result_of<NAME##_functor, TYPE>>, "wrong dtype"); \
  template [[host_name(#NAME "_" #TYPE)]] kernel void one<TYPE, NAME##_functor>( \
      constant TYPE* input, device TYPE* output)
#define REGISTER_TWO(NAME, TYPE) \
  static_assert(is_same_v<TYPE, result_of<NAME##_functor, TYPE, TYPE>>, "wrong dtype"); \
  template [[host_name(#NAME "_" #TYPE)]] kernel void two<TYPE, NAME##_functor>( \
      constant TYPE* left, constant TYPE* right, device TYPE* output)
template <typename T, typename F>
kernel void one(constant T* input [[buffer(0)]], device T* output [[buffer(1)]]) {
  output[0] = F()(input[0]);
}
template <typename T, typename F>
kernel void two(
    constant T* left [[buffer(0)]],
    constant T* right [[buffer(1)]],
    device T* output [[buffer(2)]]) {
  output[0] = F()(left[0], right[0]);
}
struct scaled_functor {
  template <typename T>
  T operator()(const T x, const T by) {
    return x * by;
  }
};
REGISTER_TWO(scaled, float);
```

## Fix safety
The fix changes to the one macro that takes the same arguments and such a functor. It is unsafe:
the host must then ask with the `exec_*` of that arity.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.functors import Unfit, fitting_macro, wrong_arities
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit
from mkls.text.span import Span


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the registrations of `source` with a functor of another arity."""
    for found in wrong_arities(snapshot, source.document.uri):
        role = "registered here" if found.others else "the functor"
        plural = "" if found.actual == "1" else "s"
        yield Diagnostic(
            found.place.span,
            f"`{found.name}` takes {found.actual} argument{plural}, "
            f"`{found.registration.leaf.macro}` gives it {found.expected}",
            related=tuple(Related(it.uri, it.span, role) for it in found.related),
            fixes=() if found.others else _other_macro(snapshot, found),
        )


def _other_macro(snapshot: Snapshot, found: Unfit) -> tuple[Fix, ...]:
    macro = fitting_macro(snapshot, found)
    if macro is None:
        return ()
    top = found.registration.top
    start = top.place.span.start
    edit = FileEdit(top.place.uri, Edit(Span(start, start + len(top.macro)), macro))
    return (Fix(f"Change to `{macro}`", (edit,), safe=False),)


RULE = Rule(
    "functor-arity",
    Group.KERNEL_NAME,
    Severity.ERROR,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
    in_strings=True,
)
