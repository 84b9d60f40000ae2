"""Host code asks for a kernel that no Metal source defines.

## What it does
Works out the names that each kernel lookup may ask for, from literals, `fmt::format`, dtypes,
ternaries, helpers' parameters and macros. Reports a lookup when the names are all known and no
kernel has one of them. Where a part of the name cannot be worked out, the rest must fit no kernel
at all. Also reports, at a kernel, that nothing asks for it while a name much like it is asked for.
Everything is left alone while a Metal source includes a header that is not at hand.

## Why is this bad?
The name is a string, so no compiler sees the typo. It surfaces as "Failed to create function state
object for: …" the first time the operator runs, on a Mac.

## Example
```metal kernels/Cross.metal
kernel void cross_float(device float* out [[buffer(0)]]) {}
```
```objcpp operations/Cross.mm
void cross(const Tensor& out) {
  auto pso = lib.getPipelineStateForFunc("cros_float");
}
```

## Use instead
```metal kernels/Cross.metal
kernel void cross_float(device float* out [[buffer(0)]]) {}
```
```objcpp operations/Cross.mm
void cross(const Tensor& out) {
  auto pso = lib.getPipelineStateForFunc("cross_float");
}
```

## Fix safety
The fix proposes the nearest name of a kernel; it is unsafe because that is a guess.
"""

from collections.abc import Iterator
from difflib import get_close_matches

from mkls.diagnostics.model import Diagnostic, FileEdit, Fix, Group, Related, Rule, Severity
from mkls.index.host_name_places import host_name_place
from mkls.index.inline_shaders import real_place
from mkls.index.kernels_link import Kernel
from mkls.index.near_names import kernels_beginning, nearest_kernels
from mkls.index.snapshot import Snapshot, Source
from mkls.index.unresolved_names import NearKernel, UnresolvedName, near_kernels, unresolved_names
from mkls.text.document import Language
from mkls.text.edit import Edit


def check(snapshot: Snapshot, source: Source) -> Iterator[Diagnostic]:
    """Report each lookup, or name handed to one, that no kernel satisfies."""
    for found in unresolved_names(snapshot, source.document.uri):
        handed = (Related(it.uri, it.span, "handed on here") for it in found.via)
        others = (Related(it.uri, it.span, "part of the name") for it in found.others)
        yield Diagnostic(
            found.place.span,
            _message(source, found),
            related=(*handed, *others, *_nearest(snapshot, source, found)),
            fixes=_spellings(snapshot, source, found),
        )
    yield from map(_near, near_kernels(snapshot, source.document.uri))


def _message(source: Source, found: UnresolvedName) -> str:
    function = found.linked.lookup.function.text
    written = found.place.span.of(source.document.text)
    if found.request is None:
        return f"no Metal source defines a kernel that `{written}` may be part of"
    if function.startswith("exec_"):
        return f"no Metal source defines a kernel `{written}_…` for `{function}`"
    names = found.request.names.text.split(" or ")
    listed = ", ".join(f"`{name}`" for name in names[:2])
    and_more = f" or {len(names) - 2} more names" if len(names) > 2 else ""
    return f"no Metal source defines kernel {listed}{and_more}"


def _near(found: NearKernel) -> Diagnostic:
    kernel, place = found.kernel, found.place
    return Diagnostic(
        kernel.span,
        f"nothing asks for `{kernel.host_name}`, but `{found.asked}` is asked for",
        related=(Related(place.uri, place.span, "asked for here"),),
    )


def _nearest(snapshot: Snapshot, source: Source, found: UnresolvedName) -> Iterator[Related]:
    """Yield where the kernel is registered whose name is most like what is asked for."""
    if found.linked.lookup.function.text.startswith("exec_"):
        written = found.place.span.of(source.document.text)
        stems = {it.macro_arguments[0]: it for it in _macro_made(snapshot)}
        close = tuple(stems[it] for it in get_close_matches(written, sorted(stems), n=1))
    elif found.request is not None:
        close = nearest_kernels(snapshot, found.request.names.text.split(" or ")[0])
    else:
        close = kernels_beginning(snapshot, found.place.span.of(source.document.text))
    for kernel in close:
        place = real_place(kernel.uri, kernel.span)
        message = f"`{kernel.host_name}` is registered here"
        yield Related(place.uri, place.span, message)
        spelt = host_name_place(snapshot, kernel)
        if spelt is not None:
            yield Related(spelt.uri, spelt.span, "its name is spelt here")


def _spellings(snapshot: Snapshot, source: Source, found: UnresolvedName) -> tuple[Fix, ...]:
    """Propose names for a literal that holds a whole name, or the stem of an `exec_*` call."""
    written = found.place.span.of(source.document.text)
    if found.linked.lookup.function.text.startswith("exec_"):
        known = {it.macro_arguments[0] for it in _macro_made(snapshot)}
    elif found.request is not None and found.request.names.text == written:
        known = set(snapshot.host_names.sorted)
    else:
        return ()
    return tuple(
        Fix(
            f"Change to `{close}`",
            (FileEdit(source.document.uri, Edit(found.place.span, close)),),
            safe=False,
        )
        for close in get_close_matches(written, sorted(known), n=3)
    )


def _macro_made(snapshot: Snapshot) -> Iterator[Kernel]:
    for kernels in snapshot.kernels.by_host_name.values():
        yield from (kernel for kernel in kernels if kernel.macro_arguments)


RULE = Rule(
    "unresolved-kernel-name",
    Group.KERNEL_NAME,
    Severity.ERROR,
    frozenset((Language.HOST, Language.CPP, Language.METAL)),
    check,
    __doc__ or "",
)
