"""An immutable view of every document, with the links between them.

Invariant: a snapshot is a pure function of its documents. Equal documents give equal snapshots,
however many edits led to them. Guard: tests/test_properties.py.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TypeVar

import msgspec

from mkls.facts.extract import Facts
from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import HostFacts
from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.facts.model.torchgen import TorchgenFacts
from mkls.index.host import HostIndex, host_index
from mkls.index.kernels import KernelIndex, KernelMemo, kernel_index
from mkls.index.operators import OperatorIndex, operator_index
from mkls.text.document import Document, Uri

F = TypeVar("F")


class Source:
    """A document with what it states."""

    __slots__ = ("document", "facts")

    def __init__(self, document: Document, facts: Facts) -> None:
        """Pair `document` with its own `facts`."""
        self.document = document
        self.facts = facts


class Workspace(msgspec.Struct, frozen=True):
    """What stays the same from one snapshot of a workspace to the next.

    `root` is the workspace's folder; `include_roots` are folders of headers outside of it, such as
    an installed torch's. `kernel_memo` keeps what was derived from facts that have not changed:
    it makes the next snapshot cheap and has no say in what that holds.
    """

    root: Uri = Uri("file:///")
    include_roots: tuple[Uri, ...] = ()
    kernel_memo: KernelMemo | None = None

    @classmethod
    def of(cls, root: Uri, include_roots: Iterable[Uri] = ()) -> "Workspace":
        """Start a workspace in which nothing was derived yet."""
        roots = tuple(include_roots)
        return cls(root, roots, KernelMemo(root, roots))


class Snapshot:
    """Every document of the workspace at one moment.

    `library` holds the documents that are read for what they define but are not the user's to
    mend, such as the headers of an installed torch: nothing is reported about them.
    """

    def __init__(
        self,
        sources: Mapping[Uri, Source],
        workspace: Workspace,
        library: frozenset[Uri] = frozenset(),
    ) -> None:
        """Hold `sources`, sorted by URI."""
        self.sources = sources
        self.library = library
        self._workspace = workspace

    @classmethod
    def of(
        cls,
        sources: Iterable[Source],
        workspace: Workspace | None = None,
        library: frozenset[Uri] = frozenset(),
    ) -> "Snapshot":
        """Build the snapshot of `sources`, whatever their order."""
        by_uri = {source.document.uri: source for source in sources}
        ordered = {uri: by_uri[uri] for uri in sorted(by_uri)}
        return cls(ordered, workspace or Workspace.of(Uri("file:///")), library)

    @property
    def root(self) -> Uri:
        """The workspace's folder."""
        return self._workspace.root

    def facts(self, kind: type[F]) -> dict[Uri, F]:
        """Return the facts of every document of one language."""
        return {
            uri: source.facts
            for uri, source in self.sources.items()
            if isinstance(source.facts, kind)
        }

    @cached_property
    def operators(self) -> OperatorIndex:
        """The rows of `native_functions.yaml`, and how each resolves for MPS."""
        return operator_index(
            self.facts(NativeFunctionsFacts), self.facts(TorchgenFacts), self.host.library_impls
        )

    @cached_property
    def kernels(self) -> KernelIndex:
        """The kernels that the host can ask for, by host name."""
        return kernel_index(self.facts(MetalFacts), memo=self._workspace.kernel_memo)

    @cached_property
    def host(self) -> HostIndex:
        """Host functions, stubs and kernel lookups."""
        return host_index(self.facts(HostFacts), self.facts(CppFacts))
