"""Which document an `#include` means, among those at hand."""

import posixpath
from collections.abc import Iterable, Sequence

from mkls.text.document import Uri

_SYSTEM = ("metal_", "metal/", "simd/", "MetalPerformancePrimitives/", "TargetConditionals")


def is_system_header(path: str) -> bool:
    """Whether `path` names a header of Apple's toolchain, which defines no kernels."""
    return path.startswith(_SYSTEM) or path == "metal"


class Includes:
    """Resolves includes: the including file's folder, the roots in order, then any suffix."""

    def __init__(self, uris: Iterable[Uri], roots: Sequence[Uri]) -> None:
        """Resolve among `uris`; `roots` are folders, without a slash at their end."""
        self.uris = frozenset(uris)
        self.roots = tuple(Uri(root.rstrip("/")) for root in roots)
        self._by_name: dict[str, list[Uri]] = {}
        for uri in sorted(self.uris, key=lambda it: (len(it), it)):
            self._by_name.setdefault(uri.rpartition("/")[2], []).append(uri)

    def resolve(self, path: str, quoted: bool, including: Uri) -> Uri | None:
        """Return the document that `path` means in `including`, None when it is not at hand."""
        folder = Uri(including.rpartition("/")[0])
        for root in (folder, *self.roots) if quoted else self.roots:
            found = _joined(root, path)
            if found in self.uris:
                return found
        suffix = "/" + posixpath.normpath(path).lstrip("./")
        named = self._by_name.get(path.rpartition("/")[2], ())
        return next((uri for uri in named if uri.endswith(suffix)), None)


def _joined(root: Uri, path: str) -> Uri:
    if "./" not in path:
        return Uri(f"{root}/{path}")
    scheme, separator, rest = root.partition("://")
    return Uri(scheme + separator + posixpath.normpath(f"{rest}/{path}"))
