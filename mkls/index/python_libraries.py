"""Which kernels the libraries of Python files hold, and what is asked of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mkls.facts.model.metal import KernelArgument
from mkls.facts.model.python import PythonFacts
from mkls.facts.model.shader_calls import (
    KernelReference,
    PythonLibrary,
    ShaderCalls,
    ShaderFile,
    ShaderLaunch,
)
from mkls.index.bindings import buffers_of
from mkls.index.inline_shaders import inline_shader, real_place
from mkls.index.kernels_link import Kernel
from mkls.index.kernels_unit import Unit
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri


class LinkedLaunch(NamedTuple):
    """A launch with the kernels of that name: one for each way to compile the source."""

    launch: ShaderLaunch
    library: PythonLibrary
    kernels: tuple[Kernel, ...]


class LinkedReference(NamedTuple):
    """A kernel that is asked for, with all that its library holds."""

    reference: KernelReference
    unit: Unit


def unit_of_library(snapshot: Snapshot, uri: Uri, library: PythonLibrary) -> Unit | None:
    """Return what is compiled for `library` of the Python file `uri`, None when it is not known."""
    if library.shader is not None:
        shader = inline_shader(uri, library.shader) if library.shader.runs else None
        return snapshot.python_kernels.units.get(shader.uri) if shader else None
    if library.file is None:
        return None
    found = file_of(uri, library.file, tuple(snapshot.kernels.units))
    return snapshot.kernels.units[found] if found else None


def file_of(uri: Uri, file: ShaderFile, sources: Sequence[Uri]) -> Uri | None:
    """Return which of `sources` the Python file at `uri` reads, when there is just one."""
    if file.beside:
        wanted = _beside(uri, file.path)
        return wanted if wanted in sources else None
    ending = [it for it in sources if it.endswith(f"/{file.path}")]
    return ending[0] if len(ending) == 1 else None


def _beside(uri: Uri, path: str) -> Uri:
    parts = uri.split("/")[:-1]
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        else:
            parts.append(part)
    return Uri("/".join(parts))


def calls_in(snapshot: Snapshot, uri: Uri) -> ShaderCalls:
    """Return what the document at `uri` does with shaders."""
    facts = snapshot.facts(PythonFacts).get(uri)
    return facts.shaders if facts else ShaderCalls()


def units_in(snapshot: Snapshot, uri: Uri) -> tuple[Unit | None, ...]:
    """Return what is compiled for each library of the Python file `uri`."""
    return snapshot.once(_units_by_uri).get(uri, ())


def _units_by_uri(snapshot: Snapshot) -> Mapping[Uri, tuple[Unit | None, ...]]:
    return {
        uri: tuple(unit_of_library(snapshot, uri, it) for it in facts.shaders.libraries)
        for uri, facts in snapshot.facts(PythonFacts).items()
        if facts.shaders.libraries
    }


def units_of_python(snapshot: Snapshot) -> frozenset[Uri]:
    """Return the Metal sources that Python compiles, and asks for in ways of its own."""
    units = snapshot.once(_units_by_uri).values()
    return frozenset(unit.uri for group in units for unit in group if unit)


def references_in(snapshot: Snapshot, uri: Uri) -> Iterator[LinkedReference]:
    """Yield each kernel that the Python file `uri` asks for by name, if its library is known."""
    units = units_in(snapshot, uri)
    for reference in calls_in(snapshot, uri).references:
        unit = units[reference.library]
        if unit is not None:
            yield LinkedReference(reference, unit)


def references_to(snapshot: Snapshot, kernels: Iterable[Kernel]) -> tuple[Place, ...]:
    """Return where Python asks for one of `kernels` by name, each place once."""
    table = snapshot.once(_references_by_kernel)
    found = {place: None for it in kernels for place in table.get((it.unit, it.host_name), ())}
    return tuple(found)


def _references_by_kernel(snapshot: Snapshot) -> Mapping[tuple[Uri, str], list[Place]]:
    found: dict[tuple[Uri, str], list[Place]] = {}
    for uri in snapshot.facts(PythonFacts):
        for reference, unit in references_in(snapshot, uri):
            name = reference.name
            found.setdefault((unit.uri, name.text), []).append(Place(uri, name.span))
    return found


def launches_in(snapshot: Snapshot, uri: Uri) -> Iterator[LinkedLaunch]:
    """Yield each launch of a kernel that is known, from the Python file `uri`."""
    calls, units = calls_in(snapshot, uri), units_in(snapshot, uri)
    for launch in calls.launches:
        unit = units[launch.library]
        kernels = tuple(it for it in unit.kernels if it.host_name == launch.kernel) if unit else ()
        if kernels:
            yield LinkedLaunch(launch, calls.libraries[launch.library], kernels)


def only_kernel(linked: LinkedLaunch) -> Kernel | None:
    """Return the kernel that is launched, when all ways to compile it take the same."""
    first, *others = linked.kernels
    types = [it.type for it in first.arguments]
    same = all([it.type for it in other.arguments] == types for other in others)
    return first if same else None


def buffers_of_launch(linked: LinkedLaunch) -> Mapping[int, KernelArgument] | None:
    """Return the buffers that the launched kernel takes, by number; None when not certain."""
    kernel = only_kernel(linked)
    return buffers_of(kernel) if kernel else None


def kernel_place(kernel: Kernel) -> Place:
    """Return where `kernel` is defined, or registered."""
    place = kernel.primary or Place(kernel.uri, kernel.span)
    return real_place(place.uri, place.span)


def parameter_place(kernel: Kernel, parameter: KernelArgument) -> Place | None:
    """Return where `parameter` of `kernel` stands."""
    if kernel.primary is None or kernel.macro:
        return None
    return real_place(kernel.primary.uri, parameter.span)
