"""Which file of the workspace Python code reads, by the usual ways to write its path."""

from collections.abc import Sequence

from mkls.facts.python_values import FilePath, FileText, Value
from mkls.text.source_text import SourceText

_SAME = frozenset(("absolute", "resolve", "as_posix", "expanduser", "__fspath__"))
_WRAPPERS = frozenset(
    ("pathlib.Path", "pathlib.PurePath", "str", "os.fspath", "os.path.abspath", "os.path.realpath",
     "pathlib.PosixPath", "os.path.normpath")
)  # fmt: skip
_OPENERS = frozenset(("open", "io.open", "codecs.open"))


def path_of_call(origin: str, arguments: Sequence[Value]) -> Value:
    """Return the path, or open file, that a function called `origin` returns."""
    first = arguments[0] if arguments else None
    if origin in _OPENERS or origin in _WRAPPERS:
        if isinstance(first, FilePath):
            return first
        if not isinstance(first, SourceText) or origin == "str":
            return None
        return FilePath(_plain(first.text), beside=False)
    if origin == "os.path.dirname" and isinstance(first, FilePath):
        return path_method(first, "parent", [])
    if origin == "os.path.join" and isinstance(first, FilePath):
        return path_method(first, "joinpath", arguments[1:])
    if origin == "importlib.resources.files" and isinstance(first, SourceText):
        return FilePath(first.text.replace(".", "/"), beside=False)
    if origin == "importlib.resources.read_text" and len(arguments) == 2:
        name = arguments[1]
        if isinstance(first, SourceText) and isinstance(name, SourceText):
            return FileText(FilePath(f"{first.text.replace('.', '/')}/{name.text}", beside=False))
    return None


def path_method(path: FilePath, method: str, arguments: Sequence[Value]) -> Value:
    """Return what a method or attribute of `path` is: a path, or the text of the file."""
    texts = [it.text for it in arguments if isinstance(it, SourceText)]
    match method:
        case "read_text" | "read":
            return FileText(path) if path.path and not path.is_own else None
        case "open":
            return path
        case "parent":
            return _parent(path)
        case "/" | "joinpath":
            return _below(path, texts) if len(texts) == len(arguments) else None
        case "with_name" if len(texts) == 1:
            parent = _parent(path)
            return _below(parent, texts) if isinstance(parent, FilePath) else None
        case _:
            return path if method in _SAME else None


def _parent(path: FilePath) -> FilePath | None:
    if path.is_own:
        return FilePath("", beside=True)
    head, _, name = path.path.rpartition("/")
    if path.beside and name in ("", ".."):
        return FilePath(f"{path.path}/..".lstrip("/"), beside=True)
    return FilePath(head, path.beside) if name else None


def _below(path: FilePath, parts: Sequence[str]) -> FilePath | None:
    if path.is_own or any(it.startswith("/") for it in parts):
        return None
    return FilePath(_plain("/".join((path.path, *parts)).lstrip("/")), path.beside)


def _plain(path: str) -> str:
    """Return `path` with slashes, and without what says `here` or goes back up."""
    parts: list[str] = []
    for part in path.replace("\\", "/").split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
