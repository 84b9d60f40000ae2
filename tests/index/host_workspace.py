"""Host indexes of small workspaces and of the real tree."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from mkls.facts.cpp import cpp_facts
from mkls.facts.host import host_facts
from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import HostFacts
from mkls.index.host import HostIndex, HostMemo, host_index
from mkls.index.lookups import LinkedLookup, Request
from mkls.text.document import Uri, uri_of

Texts = Mapping[str, str]


def index_of(files: Texts, memo: HostMemo | None = None) -> HostIndex:
    """Return the index of files by their paths."""
    return host_index(*facts_of(files), memo)


def facts_of(files: Texts) -> tuple[dict[Uri, HostFacts], dict[Uri, CppFacts]]:
    """Return the facts of Objective-C++ files, and those of the others."""
    uris = {uri_of("/" + path): text for path, text in files.items()}
    hosts = {uri: host_facts(text) for uri, text in uris.items() if uri.endswith(".mm")}
    cpps = {uri: cpp_facts(text) for uri, text in uris.items() if not uri.endswith(".mm")}
    return hosts, cpps


def requested(files: Texts | str) -> list[str]:
    """Return the names that each request of each lookup asks for, in order."""
    index = index_of({"a.mm": files} if isinstance(files, str) else files)
    return [request.names.text for linked in index.lookups for request in linked.requests]


def written(files: Texts, request: Request) -> str:
    """Return the text that a request is placed on."""
    by_uri: dict[Uri, str] = {uri_of("/" + path): text for path, text in files.items()}
    return request.place.span.of(by_uri[request.place.uri])


@cache
def tree_texts(root: Path) -> Mapping[str, str]:
    """Return the host files of a PyTorch tree, by their paths below `root`."""
    aten = root / "aten/src/ATen"
    paths = [*aten.glob("native/**/*.cpp"), *aten.glob("native/**/*.h"), *aten.glob("mps/*.h")]
    paths += [path for path in aten.glob("**/*.mm") if "mps" in path.parts]
    return {
        path.relative_to(root).as_posix(): path.read_text("utf-8", "replace")
        for path in sorted(paths)
    }


@cache
def _tree_facts(root: Path) -> tuple[dict[Uri, HostFacts], dict[Uri, CppFacts]]:
    return facts_of(tree_texts(root))


@cache
def tree_index(root: Path) -> HostIndex:
    """Return the index of a PyTorch tree."""
    return host_index(*_tree_facts(root))


def tree_index_with(root: Path, path: str, text: str) -> HostIndex:
    """Return the index of a PyTorch tree in which the Objective-C++ file at `path` is `text`."""
    hosts, cpps = _tree_facts(root)
    return host_index({**hosts, uri_of("/" + path): host_facts(text)}, cpps)


def summary(linked: LinkedLookup) -> str:
    """Return a line that says how far a lookup is known."""
    state = "known" if linked.is_known else "partly" if linked.is_partly_known else "unknown"
    file = linked.function.uri.rpartition("/")[2]
    return f"{file} {linked.function.name.text}: {state}"
