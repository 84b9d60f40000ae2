"""All there is about kernels of some host names, as Markdown."""

from collections.abc import Iterator

from mkls.features.dtype_sets import dtype_set
from mkls.features.hover_kernels import argument_lists
from mkls.features.markdown import listed, place
from mkls.index.inline_shaders import real_place
from mkls.index.kernel_users import lookups_of_kernel, rows_of_kernel
from mkls.index.kernels_link import Kernel
from mkls.index.snapshot import Snapshot

_MOST = 40


def kernel_card(snapshot: Snapshot, names: tuple[str, ...]) -> str:
    """Return what is known of the kernels called `names`; "" when there are none."""
    tables = (snapshot.kernels.by_host_name, snapshot.inline_kernels.by_host_name)
    kernels = [it for name in names for table in tables for it in table.get(name, ())]
    if not kernels:
        return ""
    title = f"`{names[0]}`" if len(names) == 1 else f"`{kernels[0].function}`"
    parts = [f"# {title}", f"registered as {listed(names, _MOST)}"]
    if dtypes := dtype_set(snapshot, kernels):
        parts.append(f"dtypes: {dtypes}")
    parts += argument_lists(snapshot, kernels)
    parts += _section("Registered in", _registered(snapshot, kernels))
    parts += _section("Asked for by", _asking(snapshot, names))
    parts += _section("Serves", _rows(snapshot, names))
    return "\n\n".join(parts) + "\n"


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    distinct = list(dict.fromkeys(lines))
    if distinct:
        more = [f"- and {len(distinct) - _MOST} more"] if len(distinct) > _MOST else []
        yield "\n".join((f"## {title}", "", *distinct[:_MOST], *more))


def _registered(snapshot: Snapshot, kernels: list[Kernel]) -> Iterator[str]:
    for it in kernels:
        where = real_place(it.uri, it.span)
        made = f" by `{it.macro}`" if it.macro else ""
        yield f"- `{it.host_name}`{made}: {place(snapshot, where.uri, where.span)}"


def _asking(snapshot: Snapshot, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        for it in lookups_of_kernel(snapshot, name):
            where = place(snapshot, it.place.uri, it.place.span)
            yield f"- `{it.function.name.text}`: {where}"


def _rows(snapshot: Snapshot, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        for row in rows_of_kernel(snapshot, name):
            yield f"- `{row.name}`: {place(snapshot, row.uri, row.name_span)}"
