"""Stubs and kernels for trees whose library has `exec_unary_kernel` and its like (torch 2.7+)."""

from collections.abc import Sequence
from typing import Final

import msgspec

from mkls.diagnostics.model import FileEdit
from mkls.generation.functor_text import functor_text
from mkls.generation.host_site import HostSite, host_site
from mkls.generation.host_text import function_text, registration_text
from mkls.generation.kernel_work import KernelWork
from mkls.generation.metal_registrations import registration_lines
from mkls.generation.metal_site import MetalSite, metal_site, metal_uri, short
from mkls.generation.new_sources import new_host_file, new_metal_file
from mkls.generation.plan import NewFile, Reason, RefusedError, Step
from mkls.generation.source_edits import include_edit, include_path, inserted
from mkls.generation.stub_calls import StubCall
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

NeededKernel = tuple[StubCall, KernelWork]
_LIBRARY_HEADERS: Final = ("c10/metal/indexing.h", "c10/metal/utils.h")


class _Placed(msgspec.Struct, frozen=True):
    """A kernel to write, and the files that it goes into; None for files yet to be made."""

    call: StubCall
    work: KernelWork
    host: HostSite | None
    registered_in: Uri | None

    @property
    def stem(self) -> str:
        """The name of the files without ending."""
        arity = {1: "Unary", 2: "Binary", 3: "Ternary"}[self.call.arity]
        return self.host.metal_stem if self.host else f"{arity}Kernel"


def exec_steps(snapshot: Snapshot, needed: Sequence[NeededKernel]) -> list[Step]:
    """Return the steps that write the kernels of `needed` and register them for their stubs.

    Raises:
        RefusedError: No `exec_*` function takes what a stub is given, or a file cannot be edited.
    """
    placed = [_placed(snapshot, call, work) for call, work in needed]
    return [*_metal_steps(snapshot, placed), *_host_steps(snapshot, placed)]


def _placed(snapshot: Snapshot, call: StubCall, work: KernelWork) -> _Placed:
    if call.arity == 3 and call.scalar:
        raise RefusedError(
            Reason.PARAMETERS,
            f"`exec_ternary_kernel` takes no number, and `{call.stub.name}` has "
            f"`{call.scalar_name}`",
        )
    registered_in = _source_of(snapshot, work)
    return _Placed(call, work, host_site(snapshot, call, registered_in), registered_in)


def _source_of(snapshot: Snapshot, work: KernelWork) -> Uri | None:
    """Return the source that registers kernels called like those of `work`.

    Raises:
        RefusedError: They take another number of tensors.
    """
    names = snapshot.kernels.registered_names(f"{work.stem}_strided_")
    if not names:
        return None
    kernel = snapshot.kernels.by_host_name[names[0]][0]
    kind = {1: "unary", 2: "binary", 3: "ternary"}[work.known.arity]
    alpha = "_alpha" if work.known.alpha else ""
    if f"{kind}{alpha}_strided" not in kernel.function:
        raise RefusedError(
            Reason.EXISTS, f"`{work.stem}` names kernels of another kind: `{kernel.host_name}`"
        )
    return kernel.unit


def _metal_steps(snapshot: Snapshot, placed: Sequence[_Placed]) -> list[Step]:
    by_stem: dict[str, list[KernelWork]] = {}
    for it in placed:
        known = by_stem.setdefault(it.stem, [])
        if it.registered_in is None and all(it.work.stem != other.stem for other in known):
            known.append(it.work)
    return [_metal_step(snapshot, stem, works) for stem, works in by_stem.items() if works]


def _metal_step(snapshot: Snapshot, stem: str, works: Sequence[KernelWork]) -> Step:
    names = ", ".join(f"`{it.stem}`" for it in works)
    title = f"Write the kernel of {names} in {stem}.metal"
    doubt = "" if all(it.written for it in works) else f"The body of {names} is left to write"
    uri = metal_uri(snapshot, stem)
    if uri is None:
        new = new_metal_file(snapshot, stem, works)
        return Step(title, files=(new,), doubt=doubt)
    return Step(title, tuple(_metal_edits(snapshot, metal_site(snapshot, uri), works)), (), doubt)


def _metal_edits(
    snapshot: Snapshot, site: MetalSite, works: Sequence[KernelWork]
) -> list[FileEdit]:
    edits = [
        edit
        for header in _headers(works)
        if (edit := include_edit(site.uri, site.text, header)) is not None
    ]
    functors = metal_functors(snapshot, site, works)
    lines = "".join(f"\n{''.join(registration_lines(snapshot, site.uri, it))}" for it in works)
    if site.functor_at == len(site.text):
        edits.append(inserted(site.uri, site.text, len(site.text), functors + lines))
        return edits
    edits.append(inserted(site.uri, site.text, site.functor_at, functors))
    edits.append(inserted(site.uri, site.text, len(site.text), lines))
    return edits


def _headers(works: Sequence[KernelWork]) -> list[str]:
    special = {path for it in works if it.written for path in it.known.header.split()}
    return sorted({*_LIBRARY_HEADERS, *special})


def metal_functors(snapshot: Snapshot, site: MetalSite, works: Sequence[KernelWork]) -> str:
    """Return the functors of `works` that the source does not have, set off by blank lines."""
    unit = snapshot.kernels.units.get(site.uri)
    known = frozenset(unit.functors) if unit else frozenset[str]()
    texts = [
        functor_text(it.stem, it.known, it.dtypes, has_c10=True, written=it.written)
        for it in works
        if f"{it.stem}_functor" not in known
    ]
    if site.is_after_functor:
        return short(site, "".join(f"\n{it}" for it in texts))
    return short(site, "".join(f"{it}\n" for it in texts))


def _host_steps(snapshot: Snapshot, placed: Sequence[_Placed]) -> list[Step]:
    by_uri: dict[Uri | None, list[_Placed]] = {}
    for it in placed:
        by_uri.setdefault(it.host.uri if it.host else None, []).append(it)
    return [step for uri, group in by_uri.items() for step in _host_step(snapshot, uri, group)]


def _host_step(snapshot: Snapshot, uri: Uri | None, group: Sequence[_Placed]) -> list[Step]:
    stubs = ", ".join(f"`{it.call.stub.name}`" for it in group)
    if uri is None:
        return [
            Step(f"Register {stubs} in {it.stem}.mm", files=(_new_host(snapshot, it),))
            for it in group
        ]
    name = uri.rpartition("/")[2]
    edits = tuple(_host_edits(snapshot, uri, group))
    return [Step(f"Register {stubs} in {name}", edits)]


def _new_host(snapshot: Snapshot, placed: _Placed) -> NewFile:
    return new_host_file(snapshot, placed.stem, placed.call, placed.work)


def _host_edits(snapshot: Snapshot, uri: Uri, group: Sequence[_Placed]) -> list[FileEdit]:
    sites = [it.host for it in group if it.host is not None]
    text = sites[0].text
    edits: list[FileEdit] = []
    for header in sorted({_header_of(snapshot, it.call) for it in group}):
        edit = include_edit(uri, text, header)
        if edit is not None:
            edits.append(edit)
    by_macro = [it for it in group if uses_macro(it.host, it.call, it.work)]
    plain = [it for it in group if it not in by_macro]
    for it in by_macro:
        assert it.host is not None
        stem = it.call.stub.name.removesuffix("_stub")
        edits.append(inserted(uri, text, it.host.macro_at, f"{it.host.macro}({stem});\n"))
    if plain:
        edits += _plain_edits(uri, text, plain)
    return edits


def _plain_edits(uri: Uri, text: str, group: Sequence[_Placed]) -> list[FileEdit]:
    site = group[0].host
    assert site is not None
    functions = "".join(f"{function_text(site, it.call, it.work)}\n" for it in group)
    registrations = "".join(registration_text(site, it.call) for it in group)
    if site.function_at == site.registration_at:
        follows = text[: site.registration_at].endswith(("\n\n", "\n\r\n"))
        joined = f"{functions}{registrations}" if follows else f"\n{functions}{registrations}"
        after = "\n" if text[site.registration_at :].startswith("}") else ""
        return [inserted(uri, text, site.registration_at, joined + after)]
    return [
        inserted(uri, text, site.function_at, functions),
        inserted(uri, text, site.registration_at, registrations),
    ]


def _header_of(snapshot: Snapshot, call: StubCall) -> str:
    return include_path(call.stub.declared[0].uri, snapshot.root)


def uses_macro(site: HostSite | None, call: StubCall, work: KernelWork) -> bool:
    """Whether the file's macro makes all that `call` needs of the operator's name."""
    return (
        site is not None
        and bool(site.macro)
        and site.macro_at >= 0
        and work.written
        and not call.scalar
        and call.stub.name == f"{work.stem}_stub"
        and call.iterator.replace(" ", "") == "TensorIteratorBase&"
    )
