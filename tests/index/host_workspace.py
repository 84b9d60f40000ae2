"""Host indexes of small workspaces and of the real tree."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from mkls.facts.cpp import cpp_facts
from mkls.facts.host import host_facts
from mkls.index.host import HostIndex, HostMemo, host_index
from mkls.index.lookups import LinkedLookup, Request
from mkls.text.document import Uri, uri_of

Texts = Mapping[str, str]


def index_of(files: Texts, memo: HostMemo | None = None) -> HostIndex:
    """Return the index of files by their paths."""
    uris = {uri_of("/" + path): text for path, text in files.items()}
    hosts = {uri: host_facts(text) for uri, text in uris.items() if uri.endswith(".mm")}
    cpps = {uri: cpp_facts(text) for uri, text in uris.items() if not uri.endswith(".mm")}
    return host_index(hosts, cpps, memo)


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
def tree_index(root: Path) -> HostIndex:
    """Return the index of a PyTorch tree."""
    return index_of(tree_texts(root))


def summary(linked: LinkedLookup) -> str:
    """Return a line that says how far a lookup is known."""
    state = "known" if linked.is_known else "partly" if linked.is_partly_known else "unknown"
    file = linked.function.uri.rpartition("/")[2]
    return f"{file} {linked.function.name.text}: {state}"
