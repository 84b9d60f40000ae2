"""One text, under the name by which the editor knows it."""

from enum import Enum
from functools import cached_property
from typing import NewType
from urllib.parse import quote, unquote, urlsplit

from mkls.text.line_ends import with_newlines
from mkls.text.line_index import LineIndex

Uri = NewType("Uri", str)


class Language(Enum):
    """A language that mkls reads."""

    NATIVE_FUNCTIONS = "native_functions"
    METAL = "metal"
    HOST = "host"
    CPP = "cpp"
    TORCHGEN = "torchgen"
    DERIVATIVES = "derivatives"
    PYTHON = "python"


_ENDINGS = {
    ".metal": Language.METAL,
    ".mm": Language.HOST,
    ".cpp": Language.CPP,
    ".h": Language.CPP,
    ".py": Language.PYTHON,
}
_TESTS = ("/testing/_internal/common_mps.py", "/test/test_mps.py")
_PYTHON_MARKS = (
    "compile_shader",
    "torch.library",
    "XFAILLIST",
    "SKIPLIST",
    "SUPPORTED_COMPLEX_OPS",
)
_METAL_HEADER_FOLDERS = ("/c10/metal/", "/mps/kernels/")
_METAL_MARKS = (
    "#include <metal_",
    "#import <metal_",
    "using namespace metal;",
    "[[host_name(",
    "[[kernel]]",
    "[[buffer(",
    "[[thread_position_in_",
    "\nkernel void ",
)
_NATIVE_FUNCTIONS = "/ATen/native/native_functions.yaml"


def language_of(uri: Uri) -> Language | None:
    """Return the language of `uri` by its name, or None for a file that mkls does not read.

    A header under `c10/metal/` or `mps/kernels/` is Metal; what any other one is, its text must
    tell (`language_of_text`), and C++ is the guess. So must that of a Python file tell whether
    there is anything to read.
    """
    if uri.endswith("/native_functions.yaml"):
        return Language.NATIVE_FUNCTIONS
    if uri.endswith(("/torchgen/model.py", "/native/tags.yaml")):
        return Language.TORCHGEN
    if uri.endswith("/autograd/derivatives.yaml"):
        return Language.DERIVATIVES
    if uri.endswith(".h") and any(folder in uri for folder in _METAL_HEADER_FOLDERS):
        return Language.METAL
    return _ENDINGS.get(uri[uri.rfind(".") :]) if "." in uri else None


def language_of_text(uri: Uri, text: str) -> Language | None:
    """Return the language of a document by its name and, where that is no proof, by what it says.

    That goes for headers, for a `native_functions.yaml` outside of PyTorch's layout, as other
    projects keep other things under that name, and for Python files.
    """
    language = language_of(uri)
    if language is Language.PYTHON and not lists_operators(uri):
        return language if any(mark in text for mark in _PYTHON_MARKS) else None
    text = with_newlines(text)
    if language is Language.NATIVE_FUNCTIONS and not uri.endswith(_NATIVE_FUNCTIONS):
        return language if text.startswith("- func") or "\n- func" in text else None
    if language is not Language.CPP or not uri.endswith(".h"):
        return language
    # MSL in a string makes no Metal header: such a header belongs to the host.
    is_metal = any(mark in text for mark in _METAL_MARKS) and 'R"' not in text
    return Language.METAL if is_metal else Language.CPP


def lists_operators(uri: Uri) -> bool:
    """Whether `uri` is by its name a file in which PyTorch lists what is special on MPS."""
    return uri.endswith(_TESTS)


def uri_of(path: str) -> Uri:
    """Return the `file:` URI of an absolute path (RFC 8089).

    Bytes of a file's name that are no UTF-8, which Python shows as lone surrogates, are escaped.
    """
    slashes = path.replace("\\", "/")
    rooted = slashes if slashes.startswith("/") else "/" + slashes
    return Uri("file://" + quote(rooted, errors="surrogateescape"))


def path_of(uri: Uri) -> str:
    """Return the path of a `file:` URI, or the URI itself for any other scheme."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return uri
    path = unquote(parts.path, errors="surrogateescape")
    windows_drive = len(path) > 2 and path[0] == "/" and path[2] == ":"
    return path[1:] if windows_drive else path


class Document:
    """An immutable text that mkls reads."""

    def __init__(self, uri: Uri, language: Language, text: str, version: int | None = None) -> None:
        """Hold `text`; `version` is the editor's, None when the text is the disk's."""
        self.uri = uri
        self.language = language
        self.text = text
        self.version = version

    @cached_property
    def lines(self) -> LineIndex:
        """Where each line starts."""
        return LineIndex(self.text)
