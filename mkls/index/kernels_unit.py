"""All that one Metal source makes available, over the language versions it is compiled for."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from mkls.facts.model.metal import MetalFacts
from mkls.index.kernels_includes import Includes
from mkls.index.kernels_link import Kernel, Linker
from mkls.index.kernels_memo import Memo
from mkls.index.kernels_walk import Defined, Missing, Registered, Walk
from mkls.syntax.metal.macro import Macro
from mkls.text.document import Uri

VERSIONS: Final = (310, 320, 400)
"""The values of `__METAL_VERSION__` looked at: Metal 3.1, 3.2 and 4.0."""


class Unit(NamedTuple):
    """A Metal source with its headers.

    `visited` are the files read and the facts they had. `missing` are headers not at hand and
    invocations of macros that nothing defines: the kernels may not be all. `macros` is the table
    at the end of the file, `invoked` the registration macros used in this compilation, `functors`
    the callable structs by name, those of dead branches included unless a macro makes them.
    """

    uri: Uri
    kernels: tuple[Kernel, ...]
    missing: tuple[Missing, ...]
    visited: Mapping[Uri, MetalFacts]
    macros: Mapping[str, Macro]
    invoked: Mapping[str, Macro]
    functors: Mapping[str, Defined]

    @property
    def complete(self) -> bool:
        """Whether everything that the source needs is at hand."""
        return not self.missing

    def current(self, documents: Mapping[Uri, MetalFacts]) -> bool:
        """Whether the files read still state the same facts."""
        return all(documents.get(uri) is facts for uri, facts in self.visited.items())


def unit_of(
    uri: Uri,
    documents: Mapping[Uri, MetalFacts],
    includes: Includes,
    memo: Memo,
    versions: Sequence[int] = VERSIONS,
) -> Unit:
    """Return what the source at `uri` makes available in any of `versions`."""
    walks: list[Walk] = []
    for version in versions:
        walk = Walk(documents, includes, memo, version)
        walk.visit(uri)
        walks.append(walk)
    visited: dict[Uri, MetalFacts] = {}
    invoked: dict[str, Macro] = {}
    macros: dict[str, Macro] = {}
    for walk in walks:
        visited |= walk.visited
        invoked |= walk.invoked
        macros |= walk.macros
    missing = dict.fromkeys(it for walk in walks for it in walk.missing)
    kernels = _kernels(uri, walks, versions)
    functors = {it.functor.name.text: it for walk in walks for it in walk.functors}
    return Unit(uri, kernels, tuple(missing), visited, macros, invoked, functors)


def _kernels(uri: Uri, walks: list[Walk], versions: Sequence[int]) -> tuple[Kernel, ...]:
    """Return the kernels of all `walks`, each once, in source order."""
    met: dict[tuple[object, ...], tuple[Registered, list[int]]] = {}
    for walk, version in zip(walks, versions, strict=True):
        for it in walk.registered:
            _, found = met.setdefault(_identity(it), (it, []))
            if version not in found:
                found.append(version)
    ordered = sorted(met.values(), key=lambda pair: pair[0].order)
    linker = Linker([registered for registered, _ in ordered], uri)
    made = (linker.kernel(registered, tuple(found)) for registered, found in ordered)
    return tuple(kernel for kernel in made if kernel is not None)


def _identity(it: Registered) -> tuple[object, ...]:
    name = it.kernel.host_name.text if it.kernel.host_name else ""
    return it.order[:-1], it.kernel.name.text, name, it.kernel.template_arguments
