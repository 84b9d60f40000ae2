"""What the front end of the Metal compiler says, under codes like those of rules.

No rule checks for it: the doors ask the compiler and bring what it says (`mkls.runner`).
"""

from collections.abc import Iterator

from mkls.diagnostics.model import Diagnostic, Group, Rule, Severity
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language

_WHEN = """
The compiler is asked about Metal files that a call names, that differ from the last commit, or that
are open in the editor; about all of them with `mkls check --msl` or the setting `msl = "all"`, and
about none with `--no-msl` or `msl = "off"`. It needs a compiler at hand: the `ziglang` wheel, or a
clang++ (16 or newer) in the variable `MKLS_CXX`.
"""

_ERROR = f"""Metal does not compile.

## What it does
Compiles the source, with its headers and with every instantiation of its kernels, for the CPU
against mkls's own Metal library, and reports each error once, on its token in your text.
{_WHEN}
## Why is this bad?
What does not compile here does not compile on a Mac: the library's build fails, or the first use
of a kernel does.

## Example
```metal kernels/Neg.metal
#include <metal_stdlib>
kernel void neg(constant float* input [[buffer(0)]], device float* output [[buffer(1)]],
                uint index [[thread_position_in_grid]]) {{
  output[index] = -inptu[index];
}}
```

## Use instead
```metal kernels/Neg.metal
#include <metal_stdlib>
kernel void neg(constant float* input [[buffer(0)]], device float* output [[buffer(1)]],
                uint index [[thread_position_in_grid]]) {{
  output[index] = -input[index];
}}
```
"""

_WARNING = f"""Metal compiles, and the compiler has doubts.

## What it does
Reports what clang warns of in a source, as Apple's compiler would: variables that are read before
they are set, functions that end without the value they promise, calls that never end, and
expressions whose parts have no order.
{_WHEN}
## Why is this bad?
The kernel computes with whatever was in a register.

## Example
```metal kernels/Neg.metal
#include <metal_stdlib>
kernel void neg(constant float* input [[buffer(0)]], device float* output [[buffer(1)]],
                uint index [[thread_position_in_grid]]) {{
  float negative;
  output[index] = negative;
}}
```

## Use instead
```metal kernels/Neg.metal
#include <metal_stdlib>
kernel void neg(constant float* input [[buffer(0)]], device float* output [[buffer(1)]],
                uint index [[thread_position_in_grid]]) {{
  float negative = -input[index];
  output[index] = negative;
}}
```
"""

_UNCHECKED = f"""The compiler at hand cannot judge this Metal source.

## What it does
Says what stands in the way where the front end stops at something that mkls's own Metal library
lacks, or at a header that it cannot find. Nothing else is said of the file then.
{_WHEN}
## Why is this bad?
It need not be: Apple's compiler may know what is missing here. A misspelt name of the library looks
the same, and a missing folder can be named in `include-dirs`.

## Example
```metal kernels/Wide.metal
#include <metal_stdlib>
kernel void wide(device float* output [[buffer(0)]]) {{
  output[0] = metal::from_another_version(1.0f);
}}
```

## Use instead
```metal kernels/Wide.metal
#include <metal_stdlib>
kernel void wide(device float* output [[buffer(0)]]) {{
  output[0] = metal::rsqrt(1.0f);
}}
```
"""


def _nothing(_snapshot: Snapshot, _source: Source) -> Iterator[Diagnostic]:
    yield from ()


def _rule(code: str, severity: Severity, doc: str) -> Rule:
    return Rule(code, Group.MSL, severity, frozenset({Language.METAL}), _nothing, doc)


MSL_ERROR = _rule("msl-error", Severity.ERROR, _ERROR)
MSL_WARNING = _rule("msl-warning", Severity.WARNING, _WARNING)
MSL_UNCHECKED = _rule("msl-unchecked", Severity.INFORMATION, _UNCHECKED)
COMPILER_RULES = (MSL_ERROR, MSL_WARNING, MSL_UNCHECKED)
