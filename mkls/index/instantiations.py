"""Explicit instantiations against the templates that they instantiate."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mkls.facts.model.metal import MetalKernel
from mkls.index.kernels_link import Kernel, bound_type
from mkls.index.kernels_walk import Registered
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span

_SPACES: Final = ("device", "constant", "threadgroup")


class Deviation(NamedTuple):
    """Where an instantiation says something else than its template.

    `given` and `wanted` are what the two say; `wanted` is "" when it is just too much or too
    little. `argument` is the span of what is to be replaced, None when that stands nowhere.
    """

    kernel: Kernel
    place: Place
    template: Place
    what: str
    given: str
    wanted: str
    argument: Span | None


def deviations(snapshot: Snapshot, uri: Uri) -> tuple[Deviation, ...]:
    """Return the deviations of the instantiations that stand in `uri`, one for each of them."""
    return snapshot.once(_deviations).get(uri, ())


def _deviations(snapshot: Snapshot) -> Mapping[Uri, tuple[Deviation, ...]]:
    found: dict[Uri, dict[Place, Deviation]] = {}
    for unit in snapshot.kernels.units.values():
        seen: set[tuple[str, str]] = set()
        for kernel in unit.kernels:
            written = kernel.registered.kernel
            if not written.explicit or written.arguments is None:
                continue
            # What a macro says of a template, it says each time.
            if kernel.macro and (kernel.macro, kernel.function) in seen:
                continue
            seen.add((kernel.macro, kernel.function))
            place = Place(kernel.uri, kernel.span)
            if place in found.get(kernel.uri, {}):
                continue
            deviation = next(_of(kernel, written), None)
            if deviation is not None:
                found.setdefault(kernel.uri, {})[place] = deviation
    return {uri: tuple(each.values()) for uri, each in found.items()}


def _of(kernel: Kernel, written: MetalKernel) -> Iterator[Deviation]:
    templates = kernel.linker.templates(written.name.text)
    count = len(written.arguments or ())
    same = [it for it in templates if len(it.kernel.arguments or ()) == count]
    if not templates:
        return
    if not same:
        given, wanted = (len(it.arguments or ()) for it in (written, templates[0].kernel))
        yield _deviation(kernel, templates[0], "parameters", str(given), str(wanted), None)
        return
    differences = [list(_differences(kernel, written, it)) for it in same]
    if all(differences):
        yield min(differences, key=len)[0]


def _differences(kernel: Kernel, written: MetalKernel, template: Registered) -> Iterator[Deviation]:
    for ours, theirs in zip(written.arguments or (), template.kernel.arguments or (), strict=True):
        name = theirs.name.text or ours.name.text
        if ours.type == theirs.type and ours.attribute in ("", theirs.attribute):
            continue
        wanted = bound_type(theirs.type, written, template.kernel)
        if _certain(ours.type, wanted) and _plain(ours.type) != _plain(wanted):
            yield _deviation(kernel, template, f"`{name}`", ours.type, wanted, None)
        elif ours.attribute and theirs.attribute and ours.attribute != theirs.attribute:
            span = ours.span if kernel.registered.invocation is None else None
            what = f"the attribute of `{name}`"
            yield _deviation(kernel, template, what, ours.attribute, theirs.attribute, span)


def _deviation(
    kernel: Kernel, template: Registered, what: str, given: str, wanted: str, span: Span | None
) -> Deviation:
    place = Place(kernel.uri, span or kernel.span)
    primary = template.invocation.span if template.invocation else template.kernel.name.span
    return Deviation(kernel, place, Place(template.uri, primary), what, given, wanted, span)


def _plain(type_: str) -> str:
    """Return `type_` in one spelling: `const` adds nothing to constant memory."""
    words = type_.replace("*", " * ").replace("&", " & ").replace("::", " ").split()
    if "constant" in words:
        words = [word for word in words if word != "const"]
    return " ".join(word for word in words if word not in ("metal", "c10"))


def _certain(ours: str, theirs: str) -> bool:
    """Whether both types are spelt so that a difference in text is one in meaning.

    Only a differing address space or plain words are; aliases and traits may mean the same.
    """
    if any(mark in it for it in (ours, theirs) for mark in ("<", "(", "::", "_t")):
        return _space(ours) != _space(theirs) and bool(_space(ours) and _space(theirs))
    return all(word in _KNOWN for it in (ours, theirs) for word in _plain(it).split())


def _space(type_: str) -> str:
    return next((word for word in type_.split() if word in _SPACES), "")


_SCALARS: Final = ("float", "half", "bfloat", "int", "uint", "long", "ulong", "short", "ushort")
_KNOWN: Final = frozenset(
    [
        *(f"{it}{width}" for it in (*_SCALARS, "char", "uchar", "bool") for width in ("", 2, 3, 4)),
        *("void", "size_t", "const", "volatile", "thread", *_SPACES, "*", "&", "atomic_int"),
    ]
)
