r"""A functor's overload for floating-point numbers takes complex ones, too.

## What it does
Looks at overloads that `enable_if` selects by `is_floating_point_v` alone, in functors that are
registered for `float2` or `half2`.

## Why is this bad?
To Metal, complex numbers are vectors of two floats, and its traits hold for vectors. The overload
computes each part on its own, which is no complex function, or it makes the call ambiguous where
another overload is for complex numbers.

## Example
```metal kernels/Squared.metal
#define REGISTER(NAME, TYPE)                                                            \
  template [[host_name(#NAME "_" #TYPE)]] kernel void each<NAME##_functor, TYPE>(       \
      device TYPE * data [[buffer(0)]])
template <typename F, typename T>
kernel void each(device T* data [[buffer(0)]]) {
  data[0] = F()(data[0]);
}
struct squared_functor {
  template <typename T>
  enable_if_t<metal::is_floating_point_v<T>, T> operator()(const T x) {
    return x * x;
  }
};
REGISTER(squared, float);
REGISTER(squared, float2);
```

## Use instead
```metal kernels/Squared.metal
#define REGISTER(NAME, TYPE)                                                            \
  template [[host_name(#NAME "_" #TYPE)]] kernel void each<NAME##_functor, TYPE>(       \
      device TYPE * data [[buffer(0)]])
template <typename F, typename T>
kernel void each(device T* data [[buffer(0)]]) {
  data[0] = F()(data[0]);
}
struct squared_functor {
  template <typename T>
  enable_if_t<c10::metal::is_scalar_floating_point_v<T>, T> operator()(const T x) {
    return x * x;
  }
};
REGISTER(squared, float);
REGISTER(squared, float2);
```

## Fix safety
The fix takes complex numbers from the overload. It is unsafe: the functor then needs another one
for them.
"""

from collections.abc import Iterator

from mkls.diagnostics.body_places import bodies_of, cure
from mkls.diagnostics.model import Diagnostic, Group, Related, Rule, Severity
from mkls.index.dtype_words import COMPLEX
from mkls.index.registered_dtypes import registered_dtypes
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report the overloads for floating-point numbers that are registered for complex ones."""
    for place in bodies_of(source).floating_conditions:
        dtypes = registered_dtypes(snapshot, source.document.uri, place.within)
        found = next((it for it in COMPLEX if it in dtypes), None)
        if found is None:
            continue
        where = dtypes[found]
        yield Diagnostic(
            place.span,
            f"holds for `{found}` as well, for which `{place.within}` is registered",
            related=(Related(where.uri, where.span, "the registration"),),
            fixes=cure(source, place, "Demand a scalar"),
        )


RULE = Rule(
    "complex-as-floating-point",
    Group.KERNEL_BODY,
    Severity.WARNING,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
