"""The table of kernels: which host names the Metal sources at hand register, and where.

Each source (`.metal`, or anything that is no header) is compiled on its own with the headers that
it includes; the library holds what all of them register.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property

from mkls.facts.model.metal import MetalFacts
from mkls.index.kernels_families import Family, family_of
from mkls.index.kernels_includes import Includes
from mkls.index.kernels_link import Kernel
from mkls.index.kernels_memo import Memo
from mkls.index.kernels_program import Event, program_of
from mkls.index.kernels_unit import Unit, unit_of
from mkls.index.kernels_walk import Missing
from mkls.index.registrations import Registration, registrations_of
from mkls.text.document import Uri

_HEADERS = (".h", ".hh", ".hpp", ".inc", ".metalh")


class KernelIndex:
    """What the Metal sources of a workspace register; immutable."""

    def __init__(
        self, units: Sequence[Unit], documents: Mapping[Uri, MetalFacts], memo: "KernelMemo"
    ) -> None:
        """Index `units`, one for each source among `documents`."""
        self.units = {unit.uri: unit for unit in units}
        self._documents = documents
        self._memo = memo

    @property
    def includes(self) -> Includes:
        """How the sources' includes resolve."""
        return self._memo.includes

    @property
    def walks(self) -> Memo:
        """What compilations share."""
        return self._memo.walks

    @cached_property
    def by_host_name(self) -> Mapping[str, tuple[Kernel, ...]]:
        """The kernels of all sources by host name; more than one under a name is a clash."""
        found: dict[str, list[Kernel]] = {}
        for unit in self.units.values():
            for kernel in unit.kernels:
                found.setdefault(kernel.host_name, []).append(kernel)
        return {name: tuple(kernels) for name, kernels in found.items()}

    @cached_property
    def duplicates(self) -> Mapping[str, tuple[Kernel, ...]]:
        """The host names that the library holds more than once for one language version."""
        return {
            name: kernels
            for name, kernels in self.by_host_name.items()
            if len(kernels) > 1 and _clash(kernels)
        }

    @cached_property
    def incomplete(self) -> Mapping[Uri, tuple[Missing, ...]]:
        """What each source lacks whose kernels may not all be known."""
        return {uri: unit.missing for uri, unit in self.units.items() if unit.missing}

    @property
    def complete(self) -> bool:
        """Whether `by_host_name` holds every kernel: nothing that a source needs is absent."""
        return not self.incomplete

    @cached_property
    def families(self) -> Mapping[str, Family]:
        """The registration macros in use, by name."""
        found: dict[str, Family] = {}
        for unit in self.units.values():
            for name, macro in unit.invoked.items():
                if name not in found:
                    found[name] = family_of(macro, unit)
        return found

    @cached_property
    def registrations(self) -> Mapping[Uri, tuple[Registration, ...]]:
        """What each source registers, as it is written."""
        return {uri: self._memo.registrations(unit) for uri, unit in self.units.items()}

    @cached_property
    def _names(self) -> list[str]:
        return sorted(self.by_host_name)

    def registered_names(self, prefix: str = "") -> list[str]:
        """Return the host names that begin with `prefix`, sorted."""
        start = bisect_left(self._names, prefix)
        end = bisect_left(self._names, prefix + "\U0010ffff")
        return self._names[start:end]

    def kernels_of(self, uri: Uri) -> tuple[Kernel, ...]:
        """Return the kernels that the file at `uri` makes available, in source order.

        For a source, what its compilation registers, headers included; for a header, what its own
        lines register in the sources that include it, or on its own when none does.
        """
        unit = self.units.get(uri)
        if unit is not None:
            return unit.kernels
        for it in self.units.values():
            own = tuple(kernel for kernel in it.kernels if kernel.uri == uri)
            if own:
                return own
        unit = self.unit_with(uri)
        return tuple(it for it in unit.kernels if it.uri == uri) if unit else ()

    def unit_with(self, uri: Uri) -> Unit | None:
        """Return the source at `uri`, else one that includes it, else the header on its own."""
        unit = self.units.get(uri)
        if unit is None:
            unit = next((it for it in self.units.values() if uri in it.visited), None)
        if unit is None and uri in self._documents:
            unit = self._memo.unit(uri, self._documents)
        return unit


def _clash(kernels: tuple[Kernel, ...]) -> bool:
    seen: set[int] = set()
    for kernel in kernels:
        if not seen.isdisjoint(kernel.versions):
            return True
        seen.update(kernel.versions)
    return False


class KernelMemo:
    """What `kernel_index` keeps from one call to the next; the caller holds it, one for a root.

    A source is compiled again only when a file that it read states other facts, or when files
    appear or go; an invocation is expanded again only when its text or a macro that it uses is
    another.
    """

    def __init__(self, root: Uri | None = None, include_roots: Sequence[Uri] = ()) -> None:
        """Look for headers under `root`, `root/aten/src`, and `include_roots`, in this order."""
        own = (root, Uri(f"{root.rstrip('/')}/aten/src")) if root else ()
        self._roots = (*own, *include_roots)
        self.includes = Includes((), self._roots)
        self.walks = Memo(self._program)
        self._programs: dict[Uri, tuple[MetalFacts, tuple[Event, ...]]] = {}
        self._units: dict[Uri, Unit] = {}
        self._registrations: dict[Uri, tuple[Unit, tuple[Registration, ...]]] = {}
        self._index: KernelIndex | None = None

    def index(self, documents: Mapping[Uri, MetalFacts]) -> KernelIndex:
        """Return the index of `documents`; the same object while no fact has changed."""
        if frozenset(documents) != self.includes.uris:
            self.includes = Includes(documents, self._roots)
            self._units = {}
            self._programs = {uri: it for uri, it in self._programs.items() if uri in documents}
        units = [self.unit(uri, documents) for uri in documents if not uri.endswith(_HEADERS)]
        known = self._index
        if known is None or list(known.units.values()) != units:
            known = self._index = KernelIndex(units, documents, self)
        return known

    def unit(self, uri: Uri, documents: Mapping[Uri, MetalFacts]) -> Unit:
        """Return what the file at `uri` registers when it is compiled."""
        known = self._units.get(uri)
        if known is None or not known.current(documents):
            known = self._units[uri] = unit_of(uri, documents, self.includes, self.walks)
        return known

    def registrations(self, unit: Unit) -> tuple[Registration, ...]:
        """Return what the source of `unit` registers, as it is written."""
        known = self._registrations.get(unit.uri)
        if known is None or known[0] is not unit:
            known = self._registrations[unit.uri] = (unit, registrations_of(unit))
        return known[1]

    def _program(self, uri: Uri, facts: MetalFacts) -> tuple[Event, ...]:
        known = self._programs.get(uri)
        if known is None or known[0] is not facts:
            known = self._programs[uri] = (facts, program_of(facts))
        return known[1]


def kernel_index(
    metal: Mapping[Uri, MetalFacts],
    root: Uri | None = None,
    include_roots: Sequence[Uri] = (),
    memo: KernelMemo | None = None,
) -> KernelIndex:
    """Return the kernels that the documents of `metal` register.

    Headers are looked for beside the including file, under `root` and `root/aten/src`, under
    `include_roots` (such as an installed torch's `include`), else by the end of their path. With
    `memo`, which then holds the roots, only what changed since its last use is computed again.
    """
    return (memo or KernelMemo(root, include_roots)).index(metal)
