"""A Metal source includes a header that is nowhere to be found.

## What it does
Looks for each header that a Metal source or header includes: beside it where the path is in quotes,
below the workspace's root, below `aten/src`, and below the configured `include-dirs` and the
installed torch. What Apple's toolchain brings (`metal_stdlib`, `simd/…`) is known. Includes that
are not compiled, such as those under `__has_include`, are left alone, and so are those of a library
that is not at hand at all.

## Why is this bad?
The source does not compile: at build time for the bundled library, and when the first kernel is
asked for where shaders are compiled just in time. What the file registers is not known either, so
that mkls holds its tongue about missing kernels.

## Example
```metal aten/src/ATen/native/mps/kernels/Ripple.h
inline float ripple(float x) {
  return x;
}
```
```metal aten/src/ATen/native/mps/kernels/Ripple.metal
#include <ATen/native/mps/kernels/Riple.h>
#include <metal_stdlib>
```

## Use instead
```metal aten/src/ATen/native/mps/kernels/Ripple.h
inline float ripple(float x) {
  return x;
}
```
```metal aten/src/ATen/native/mps/kernels/Ripple.metal
#include <ATen/native/mps/kernels/Ripple.h>
#include <metal_stdlib>
```

## Fix safety
The fix proposes the header with the nearest path; it is unsafe because that is a guess.
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Rule, Severity
from mkls.index.includes import close_headers, unresolved_includes
from mkls.index.links import has_rows
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each include of `source` that means no file."""
    uri = source.document.uri
    for include in unresolved_includes(snapshot, uri):
        yield Diagnostic(
            include.span,
            f"no header `{include.path}` is at hand",
            # Elsewhere the build may generate it, or find it by `-I`.
            severity=None if has_rows(snapshot) else Severity.INFORMATION,
            fixes=tuple(
                Fix(f"Change to `{path}`", (FileEdit(uri, Edit(include.span, path)),), safe=False)
                for path in close_headers(snapshot, uri, include)
            ),
        )


RULE = Rule(
    "unresolved-include",
    Group.KERNEL_NAME,
    Severity.ERROR,
    frozenset((Language.METAL,)),
    check,
    __doc__ or "",
)
