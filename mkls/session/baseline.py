"""Read documents as the last commit has them, so that rules can tell what the user changed.

Without git, outside a repository and in one without a commit, nothing is known and nothing is said.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from mkls.facts.model.python import PythonFacts
from mkls.index.snapshot import Source
from mkls.session.cache import NO_CACHE, FactsCache
from mkls.text.document import Document, Language, Uri, path_of

_LANGUAGES = frozenset((Language.NATIVE_FUNCTIONS, Language.METAL, Language.PYTHON))
_SECONDS = 10.0


def baseline(
    root: Path, sources: Mapping[Uri, Source], cache: FactsCache = NO_CACHE
) -> list[Source]:
    """Return those of `sources` that rules compare, as the last commit of `root` has them.

    A source that has not changed is returned itself; one that the commit does not hold is left
    out. Where no list of expected failures is at hand, nothing would be compared.
    """
    lists = any(isinstance(it.facts, PythonFacts) and it.facts.lists for it in sources.values())
    if not lists or not _is_repository(root):
        return []
    wanted = {
        Path(path_of(uri)).relative_to(root).as_posix(): source
        for uri, source in sources.items()
        if source.document.language in _LANGUAGES and Path(path_of(uri)).is_relative_to(root)
    }
    texts = committed_texts(root, wanted)
    return [_before(wanted[name], text, cache) for name, text in texts.items()]


def changed_since_commit(root: Path, documents: Iterable[Document]) -> set[Uri]:
    """Return those of `documents` that the last commit of `root` has otherwise, or not at all."""
    below = {
        Path(path_of(it.uri)).relative_to(root).as_posix(): it
        for it in documents
        if Path(path_of(it.uri)).is_relative_to(root)
    }
    if not below or not _is_repository(root):
        return set()
    texts = committed_texts(root, below)
    if not texts and not _has_commit(root):
        return set()
    return {it.uri for name, it in below.items() if texts.get(name) != it.text}


def _has_commit(root: Path) -> bool:
    import subprocess  # noqa: PLC0415  (9 ms that a tree without git should not cost)

    command = ["git", "rev-parse", "--verify", "--quiet", "HEAD"]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _is_repository(root: Path) -> bool:
    return any((folder / ".git").exists() for folder in (root, *root.parents))


def _before(source: Source, text: str, cache: FactsCache) -> Source:
    now = source.document
    if text == now.text:
        return source
    document = Document(now.uri, now.language, text)
    return Source(document, cache.facts_of(document))


def committed_texts(root: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the texts of the files called `names` below `root` in its last commit."""
    import subprocess  # noqa: PLC0415  (9 ms that a tree without git should not cost)

    listed = [name for name in names if "\n" not in name]
    asked = "".join(f"HEAD:./{name}\n" for name in listed)
    try:
        answer = subprocess.run(
            ["git", "cat-file", "--batch"],
            cwd=root,
            input=asked.encode("utf-8", "surrogateescape"),
            capture_output=True,
            timeout=_SECONDS,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    contents = zip(listed, _contents(answer), strict=False)
    return {name: text for name, text in contents if text is not None}


def _contents(answer: bytes) -> Iterator[str | None]:
    """Yield what `git cat-file --batch` answers to each line: a file, or that it is missing."""
    at = 0
    while at < len(answer):
        end = answer.index(b"\n", at)
        header = answer[at:end]
        if header.endswith((b" missing", b" ambiguous")):
            yield None
            at = end + 1
            continue
        size = int(header.rpartition(b" ")[2])
        content = answer[end + 1 : end + 1 + size]
        yield content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
        at = end + size + 2
