"""An immutable view of every document, with the links between them.

Invariant: a snapshot is a pure function of its documents. Equal documents give equal snapshots,
however many edits led to them. Guard: tests/test_properties.py.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TypeVar, cast

import msgspec

from mkls.facts.extract import Facts
from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import HostFacts
from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.facts.model.python import PythonFacts
from mkls.facts.model.torchgen import TorchgenFacts
from mkls.index.host import HostIndex, HostMemo, host_index
from mkls.index.inline_shaders import InlineShader, inline_shaders
from mkls.index.kernels import KernelIndex, KernelMemo, kernel_index
from mkls.index.name_patterns import HostNames, host_names
from mkls.index.operators import OperatorIndex, operator_index
from mkls.text.document import Document, Language, Uri

F = TypeVar("F")
T = TypeVar("T")


class Source:
    """A document with what it states."""

    __slots__ = ("document", "facts")

    def __init__(self, document: Document, facts: Facts) -> None:
        """Pair `document` with its own `facts`."""
        self.document = document
        self.facts = facts


class Workspace(msgspec.Struct, frozen=True):
    """What stays the same from one snapshot of a workspace to the next.

    `root` is the workspace's folder. The memos keep what was derived from facts that have not
    changed: they make the next snapshot cheap and have no say in what it holds. `baseline` are the
    documents as they were before the user began to change them (see `mkls.index.changes`); it
    holds only some, and is empty where nothing is known of that.
    """

    root: Uri
    kernel_memo: KernelMemo
    inline_memo: KernelMemo
    python_memo: KernelMemo
    host_memo: HostMemo
    baseline_memo: KernelMemo
    baseline: Mapping[Uri, Source] = {}

    @classmethod
    def of(cls, root: Uri, include_roots: Iterable[Uri] = ()) -> "Workspace":
        """Start a workspace in which nothing was derived yet.

        `include_roots` are folders of headers outside of `root`, such as an installed torch's.
        """
        roots = tuple(include_roots)
        kernels, inline, python, before = (KernelMemo(root, roots) for _ in range(4))
        return cls(root, kernels, inline, python, HostMemo(), before)

    def compared_with(self, baseline: Iterable[Source]) -> "Workspace":
        """Return this workspace with another baseline."""
        by_uri = {source.document.uri: source for source in baseline}
        return msgspec.structs.replace(self, baseline=by_uri)


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
        self._answers: dict[object, object] = {}

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

    def replacing(self, sources: Iterable[Source]) -> "Snapshot":
        """Return the snapshot in which `sources` stand in place of those of the same URIs."""
        changed = {source.document.uri: source for source in sources}
        return Snapshot({**self.sources, **changed}, self._workspace, self.library)

    def once(self, query: Callable[["Snapshot"], T]) -> T:
        """Return what `query` says about this snapshot; it is asked once."""
        if query not in self._answers:
            self._answers[query] = query(self)
        return cast("T", self._answers[query])

    @property
    def root(self) -> Uri:
        """The workspace's folder."""
        return self._workspace.root

    @property
    def baseline(self) -> Mapping[Uri, Source]:
        """Documents as they were before the user began to change them; see `Workspace`."""
        return self._workspace.baseline

    @property
    def baseline_memo(self) -> KernelMemo:
        """What keeps the index of the baseline's kernels cheap."""
        return self._workspace.baseline_memo

    def facts(self, kind: type[F]) -> Mapping[Uri, F]:
        """Return the facts of every document of one language."""
        return cast("Mapping[Uri, F]", self._facts.get(cast("type[Facts]", kind), {}))

    @cached_property
    def _facts(self) -> Mapping[type[Facts], Mapping[Uri, Facts]]:
        found: dict[type[Facts], dict[Uri, Facts]] = {}
        for uri, source in self.sources.items():
            found.setdefault(type(source.facts), {})[uri] = source.facts
        return found

    @cached_property
    def operators(self) -> OperatorIndex:
        """The rows of `native_functions.yaml`, and how each resolves for MPS."""
        return operator_index(
            self.facts(NativeFunctionsFacts), self.facts(TorchgenFacts), self.host.library_impls
        )

    @cached_property
    def kernels(self) -> KernelIndex:
        """The kernels of the Metal sources, by host name."""
        return kernel_index(self.facts(MetalFacts), memo=self._workspace.kernel_memo)

    @cached_property
    def host(self) -> HostIndex:
        """Host functions, stubs and kernel lookups."""
        return host_index(self.facts(HostFacts), self.facts(CppFacts), self._workspace.host_memo)

    @cached_property
    def inline_shaders(self) -> Mapping[Uri, InlineShader]:
        """The Metal sources in strings of host code and Python, by URIs of their own."""
        return inline_shaders(
            self.host, self.facts(PythonFacts), lambda uri: self.sources[uri].document.text
        )

    @cached_property
    def inline_kernels(self) -> KernelIndex:
        """The kernels of Metal sources in strings of host code.

        See `real_place` for where they are.
        """
        return self._strings(of_python=False).kernels

    @cached_property
    def python_kernels(self) -> KernelIndex:
        """The kernels of Metal sources in strings of Python, which host code cannot ask for."""
        return self._strings(of_python=True).kernels

    def kernels_of_shader(self, shader: InlineShader) -> KernelIndex:
        """Return the index that holds the kernels of `shader`."""
        known = shader.uri in self.python_kernels.units
        return self.python_kernels if known else self.inline_kernels

    def within_strings(self, uri: Uri) -> "Snapshot":
        """Return a snapshot in which the Metal sources in strings of `uri` are documents.

        It holds those of all documents in the same language, and the headers; nothing else.
        """
        source = self.sources.get(uri)
        return self._strings(of_python=source is not None and _is_python(source))

    def _strings(self, *, of_python: bool) -> "Snapshot":
        name = ("strings", of_python)
        if name not in self._answers:
            self._answers[name] = self._made_of_strings(of_python=of_python)
        return cast("Snapshot", self._answers[name])

    def _made_of_strings(self, *, of_python: bool) -> "Snapshot":
        headers = [self.sources[uri] for uri in self.facts(MetalFacts) if uri.endswith(".h")]
        shaders = [
            Source(Document(it.uri, Language.METAL, it.text), it.facts)
            for it in self.inline_shaders.values()
            if _is_python(self.sources[it.host]) == of_python
        ]
        memo = self._workspace.python_memo if of_python else self._workspace.inline_memo
        workspace = msgspec.structs.replace(self._workspace, kernel_memo=memo, baseline={})
        library = frozenset(it.document.uri for it in headers)
        return Snapshot.of([*headers, *shaders], workspace, library)

    @cached_property
    def host_names(self) -> HostNames:
        """Every name by which the host can ask for a kernel."""
        own, inline = self.kernels.by_host_name, self.inline_kernels.by_host_name
        return host_names(frozenset((*own, *inline)))

    @cached_property
    def knows_all_kernels(self) -> bool:
        """Whether no kernel can be missing from `host_names`: every include was found."""
        return self.kernels.complete and self.inline_kernels.complete


def _is_python(source: Source) -> bool:
    return source.document.language is Language.PYTHON
