"""What there is to know about kernels, what registers them, and what they are made of."""

from collections.abc import Iterable, Iterator, Sequence

from mkls.facts.model.metal import KernelArgument
from mkls.features.markdown import listed, place, table
from mkls.features.reference.tables import metal_words
from mkls.features.subjects import (
    FunctorName,
    KernelRegistration,
    KernelTemplate,
    LibraryKernel,
    RegistrationMacro,
)
from mkls.index.dtype_words import slots_of
from mkls.index.kernel_users import lookups_of_kernel, rows_of_kernel
from mkls.index.kernels_link import Kernel
from mkls.index.python_libraries import kernel_place, references_to
from mkls.index.snapshot import Snapshot
from mkls.text.wording import counted

_MOST_NAMES = 24
_MOST_ASKERS = 8
_MOST_PATTERNS = 6


def hover_registration(snapshot: Snapshot, subject: KernelRegistration) -> str:
    """Tell the host names that a registration makes, who asks for them, and their arguments."""
    names = _names(subject.kernels)
    head = f"**{counted(len(names), 'kernel')}**: {listed(names, _MOST_NAMES)}"
    parts = [head, *_asked_by(snapshot, subject.kernels)]
    parts += argument_lists(snapshot, subject.kernels)
    return "\n\n".join(parts)


def hover_library_kernel(snapshot: Snapshot, subject: LibraryKernel) -> str:
    """Tell where a kernel that Python asks for is, and its arguments."""
    name = subject.kernels[0].host_name
    places = [kernel_place(it) for it in subject.kernels]
    defined = dict.fromkeys(place(snapshot, it.uri, it.span) for it in places)
    head = f"kernel **`{name}`**, from {', '.join(defined)}"
    return "\n\n".join((head, *argument_lists(snapshot, subject.kernels)))


def hover_macro(snapshot: Snapshot, subject: RegistrationMacro) -> str:
    """Tell the host names of a registration macro, as patterns, or those made here."""
    family = subject.family
    head = f"**`{family.macro}({', '.join(family.parameters)})`**"
    patterns = "\n".join(f"- `{pattern}`" for pattern in family.patterns)
    parts = [head, f"registers\n\n{patterns}"]
    if subject.kernels:
        parts.append(f"here: {listed(_names(subject.kernels), _MOST_NAMES)}")
        parts += _asked_by(snapshot, subject.kernels)
        parts += argument_lists(snapshot, subject.kernels)
    parts += [it.summary for it in metal_words().get(family.macro, ())]
    return "\n\n".join(parts)


def argument_lists(snapshot: Snapshot, kernels: Sequence[Kernel]) -> Iterator[str]:
    """Yield the arguments of all kernels: in full where they are alike, else by name."""
    by_arguments: dict[str, dict[str, None]] = {}
    for it in kernels:
        pattern = slots_of(it.host_name, snapshot.host.dtypes)[0].replace("{}", "{dtype}")
        by_arguments.setdefault(_short(it.arguments), {})[pattern] = None
    if len(by_arguments) == 1:
        if len({it.arguments for it in kernels}) > 1:
            yield f"`{kernels[0].host_name}` takes"
        yield from _arguments(kernels[0].arguments)
    elif by_arguments:
        yield "\n".join(
            f"- {listed(list(patterns), _MOST_PATTERNS)}: {arguments}"
            for arguments, patterns in by_arguments.items()
        )


def _short(arguments: Iterable[KernelArgument]) -> str:
    return ", ".join(
        f"{it.index} {it.name.text}" if it.index is not None else it.name.text for it in arguments
    )


def hover_template(snapshot: Snapshot, subject: KernelTemplate) -> str:
    """Tell what is registered from a kernel's template, and its arguments."""
    names = _names(subject.kernels)
    parts = [f"**`{subject.name}`**, registered as {listed(names, _MOST_NAMES)}"]
    parts += _asked_by(snapshot, subject.kernels)
    parts += _arguments(subject.kernels[0].arguments)
    return "\n\n".join(parts)


def hover_functor(snapshot: Snapshot, subject: FunctorName) -> str:
    """Tell which host names are made with a functor."""
    stem = subject.name.removesuffix("_functor")
    made = [
        kernel.host_name
        for unit in snapshot.kernels.units.values()
        for kernel in unit.kernels
        if stem in kernel.macro_arguments or subject.name in kernel.template_arguments
    ]
    head = f"**`{subject.name}`** (functor)"
    names = list(dict.fromkeys(made))
    return f"{head}\n\nregistered as {listed(names, _MOST_NAMES)}" if names else head


def _names(kernels: Iterable[Kernel]) -> list[str]:
    return list(dict.fromkeys(kernel.host_name for kernel in kernels))


def _asked_by(snapshot: Snapshot, kernels: Sequence[Kernel]) -> Iterator[str]:
    """Yield who looks one of `kernels` up, and which rows come to that."""
    # Host code cannot ask for what Python compiles.
    names = _names(it for it in kernels if it.unit not in snapshot.python_kernels.units)
    asking = [
        f"`{linked.function.name.text}` ({place(snapshot, linked.place.uri, linked.place.span)})"
        for name in names
        for linked in lookups_of_kernel(snapshot, name)
    ]
    asking += (place(snapshot, it.uri, it.span) for it in references_to(snapshot, kernels))
    distinct = list(dict.fromkeys(asking))
    if not distinct:
        yield "No look-up at hand is known to ask for it."
        return
    more = len(distinct) - _MOST_ASKERS
    yield f"asked for by {', '.join(distinct[:_MOST_ASKERS])}" + (
        f" and {more} more" if more > 0 else ""
    )
    rows = {row.name: None for name in names for row in rows_of_kernel(snapshot, name)}
    if rows:
        yield f"serves {listed(list(rows), _MOST_NAMES)}"


def _arguments(arguments: Iterable[KernelArgument]) -> Iterator[str]:
    rows = [
        (
            str(it.index) if it.index is not None else "",
            f"`{it.type}`",
            f"`{it.name.text}`",
            it.kind if it.index is not None else it.attribute,
            it.access.replace("_", " "),
        )
        for it in arguments
    ]
    if rows:
        yield table(("#", "type", "name", "kind", "access"), rows)
