"""On how many threads Python launches a kernel, and what is wrong with that."""

from collections.abc import Iterator
from math import prod
from typing import NamedTuple

from mkls.facts.model.shader_calls import ArgumentKind, LaunchSize, ShaderLaunch
from mkls.index.kernels_link import Kernel
from mkls.index.launches import stated_limit
from mkls.index.python_libraries import LinkedLaunch, calls_in, launches_in, units_in
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span

MOST_THREADS = 1024
"""The most threads in a group, on every GPU that runs MPS."""
_SIZELESS = frozenset(
    (ArgumentKind.INTEGER, ArgumentKind.REAL, ArgumentKind.NUMBER, ArgumentKind.INTEGERS,
     ArgumentKind.REALS, ArgumentKind.NONE)
)  # fmt: skip


class SizeFault(NamedTuple):
    """A size that no launch can have: what is wrong is said as in a message."""

    span: Span
    message: str
    kernel: Kernel | None = None


def size_faults(snapshot: Snapshot, uri: Uri) -> Iterator[SizeFault]:
    """Yield the sizes in the Python file `uri` that fail when the kernel is launched."""
    units = units_in(snapshot, uri)
    for launch in calls_in(snapshot, uri).launches:
        unit = units[launch.library]
        kernels = [it for it in unit.kernels if it.host_name == launch.kernel] if unit else []
        fault = (
            _axes_fault("threads", launch.threads)
            or _axes_fault("group_size", launch.group_size)
            or _difference(launch.threads, launch.group_size)
            or (_too_large(launch.group_size, kernels) if launch.group_size else None)
        )
        unknown = {"threads", "**"} & set(launch.unknown)
        if fault is None and launch.threads is None and not unknown:
            fault = _without_threads(launch.group_size) or _nothing_to_count(launch)
        if fault:
            yield fault


def _axes_fault(name: str, size: LaunchSize | None) -> SizeFault | None:
    if size is None or 1 <= len(size.axes) <= 3:
        return None
    return SizeFault(size.span, f"`{name}` has {len(size.axes)} axes; it can have one to three")


def _difference(threads: LaunchSize | None, group: LaunchSize | None) -> SizeFault | None:
    if threads is None or group is None or len(threads.axes) == len(group.axes):
        return None
    axes = f"{len(group.axes)} where `threads` has {len(threads.axes)}"
    return SizeFault(group.span, f"`group_size` has {axes} axes; there must be as many")


def _without_threads(group: LaunchSize | None) -> SizeFault | None:
    """Without `threads`, there is one axis: as many threads as the first tensor has elements."""
    if group is None or len(group.axes) == 1:
        return None
    message = f"`group_size` has {len(group.axes)} axes; without `threads` there is one"
    return SizeFault(group.span, message)


def _nothing_to_count(launch: ShaderLaunch) -> SizeFault | None:
    if launch.arguments is None or not _SIZELESS.issuperset(it.kind for it in launch.arguments):
        return None
    message = "without `threads`, a tensor must tell how many threads to run"
    return SizeFault(launch.function, message)


def _too_large(group: LaunchSize, kernels: list[Kernel]) -> SizeFault | None:
    known = [it for it in group.axes if it is not None]
    limits = [it for it in map(stated_limit, kernels) if it]
    least = prod(known)
    if limits and least > max(limits):
        kernel = kernels[0]
        message = f"kernel `{kernel.host_name}` allows {max(limits)} threads in a group"
        return SizeFault(group.span, f"{message}, not {least}", kernel)
    if least <= MOST_THREADS:
        return None
    return SizeFault(group.span, f"a group of {least} threads; {MOST_THREADS} is the most")


class CountedGroups(NamedTuple):
    """`threads` counts groups on the axis at `span`; `group` is where the group's size is."""

    linked: LinkedLaunch
    span: Span
    group: Span
    threads: int | None
    group_size: int | None


def counted_groups(snapshot: Snapshot, uri: Uri) -> Iterator[CountedGroups]:
    """Yield where the Python file `uri` gives the number of groups as `threads`.

    The kernel must know of groups: another may well do several elements in each thread.
    """
    for linked in launches_in(snapshot, uri):
        threads, group = linked.launch.threads, linked.launch.group_size
        if threads is None or group is None or len(threads.axes) != len(group.axes):
            continue
        if not all(map(_knows_groups, linked.kernels)):
            continue
        for axis, span in enumerate(threads.spans):
            count, size = threads.axes[axis], group.axes[axis]
            divided = axis < len(threads.divided) and threads.divided[axis]
            few = count is not None and size is not None and count < size
            if divided or few:
                yield CountedGroups(linked, span, group.spans[axis], count, size)


def _knows_groups(kernel: Kernel) -> bool:
    attributes = {it.attribute for it in kernel.arguments if it.kind == "builtin"}
    return any("threadgroup" in it for it in attributes) or kernel.cooperates
