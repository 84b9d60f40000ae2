r"""A registration's functor does not exist, or certainly gives another dtype.

## What it does
For macros that check `result_of<NAME##_functor, …>` against a dtype, reports names for which no
such functor is defined, and dtypes that the functor does not give, as far as its return type is a
dtype or its template parameter, and its `enable_if` conditions are well-known ones.

## Why is this bad?
The Metal source does not compile, which shows on a Mac only: in a build with Xcode at once, in one
without it when the first operator of the file runs.

## Example
```metal kernels/Unary.metal
#define REGISTER(NAME, IN, OUT) \
  static_assert(is_same_v<OUT, result_of<NAME##_functor, IN>>, "wrong dtype"); \
  template [[host_name(#NAME "_" #OUT "_" #IN)]] kernel void unary<IN, NAME##_functor>( \
      constant IN* input, device OUT* output)
template <typename T, typename F>
kernel void unary(constant T* input [[buffer(0)]], device result_of<F, T>* output [[buffer(1)]]) {
  output[0] = F()(input[0]);
}
struct is_zero_functor {
  template <typename T>
  bool operator()(const T x) {
    return x == T(0);
  }
};
REGISTER(is_zero, int, int);
```

## Use instead
```metal kernels/Unary.metal
#define REGISTER(NAME, IN, OUT) \
  static_assert(is_same_v<OUT, result_of<NAME##_functor, IN>>, "wrong dtype"); \
  template [[host_name(#NAME "_" #OUT "_" #IN)]] kernel void unary<IN, NAME##_functor>( \
      constant IN* input, device OUT* output)
template <typename T, typename F>
kernel void unary(constant T* input [[buffer(0)]], device result_of<F, T>* output [[buffer(1)]]) {
  output[0] = F()(input[0]);
}
struct is_zero_functor {
  template <typename T>
  bool operator()(const T x) {
    return x == T(0);
  }
};
REGISTER(is_zero, int, bool);
```

## Fix safety
The fix registers the dtype that the functor gives. It is unsafe: the functor may be what is wrong.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.functors import Unfit, missing_functors, near_functors, wrong_results
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the functors that registrations of `source` name and cannot use."""
    uri = source.document.uri
    for found in missing_functors(snapshot, uri):
        yield Diagnostic(
            found.argument.place.span,
            f"`{found.name}` is not defined",
            related=tuple(
                Related(it.uri, it.span, "a functor with a similar name")
                for it in near_functors(snapshot, found)
            ),
        )
    yield from map(_wrong_result, wrong_results(snapshot, uri))


def _wrong_result(found: Unfit) -> Diagnostic:
    role = "registered here" if found.others else "the functor"
    return Diagnostic(
        found.place.span,
        _said(found),
        related=tuple(Related(it.uri, it.span, role) for it in found.related),
        fixes=() if found.others else _other_dtype(found),
    )


def _said(found: Unfit) -> str:
    if not found.others:
        return f"`{found.name}` gives `{found.expected}` here, not `{found.actual}`"
    count = len(found.others) + 1
    return f"`{found.name}` gives another dtype than {count} of its registrations say"


def _other_dtype(found: Unfit) -> tuple[Fix, ...]:
    place = found.argument.place
    edit = FileEdit(place.uri, Edit(place.span, found.expected))
    return (Fix(f"Change to `{found.expected}`", (edit,), safe=False),)


RULE = Rule(
    "functor-mismatch",
    Group.KERNEL_NAME,
    Severity.ERROR,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
    in_strings=True,
)
