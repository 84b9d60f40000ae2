"""The functions that headers of a checkout declare, as they are written there."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec

from mkls.index.snapshot import Snapshot
from mkls.syntax.lexemes import LexemeKind, lexemes

_HEADERS = (
    "/native/mps/MetalShaderLibrary.h",
    "/native/mps/OperationUtils.h",
    "/ATen/mps/MPSStream.h",
    "/ATen/native/DispatchStub.h",
)
_HEAD = re.compile(r"(?s)(.*?)([~A-Za-z_]\w*)\s*\(")
_NO_RETURN = frozenset(
    ("return", "if", "for", "while", "switch", "else", "using", "typedef", "explicit")
)
_SPECIFIERS = re.compile(
    r"\A(?:template\s*<.*>\s*)?(?:(?:static|inline|virtual|constexpr|[A-Z]+_API)\s+)*"
)
_ENDS = re.compile(r"[;{}()]")


class Declared(msgspec.Struct, frozen=True):
    """A function's declaration: `returns name(parameters)`, and the comment above it."""

    name: str
    returns: str
    parameters: tuple[str, ...]
    comment: str = ""

    @property
    def signature(self) -> str:
        """The declaration on one line."""
        return f"{self.returns} {self.name}({', '.join(self.parameters)})".strip()


def declared(snapshot: Snapshot, name: str) -> tuple[Declared, ...]:
    """Return what the headers of Metal's host code declare under `name`."""
    return snapshot.once(all_declared).get(name, ())


def all_declared(snapshot: Snapshot) -> Mapping[str, tuple[Declared, ...]]:
    """Return everything that the headers of Metal's host code declare, by name."""
    found: dict[str, tuple[Declared, ...]] = {}
    for uri, source in snapshot.sources.items():
        if uri.endswith(_HEADERS):
            for it in declarations_in(source.document.text):
                known = found.get(it.name, ())
                found[it.name] = known if it in known else (*known, it)
    return found


@lru_cache(maxsize=16)
def declarations_in(text: str) -> tuple[Declared, ...]:
    """Return the functions that `text` declares or defines, in order."""
    return tuple(_declarations(text, _without_comments(text)))


def _without_comments(text: str) -> str:
    """Return `text` with comments, strings and directives as blanks, at equal length."""
    parts: list[str] = []
    end = 0
    for it in lexemes(text):
        stop = it.end
        if it.kind is LexemeKind.DIRECTIVE:
            stop = _line_end(text, it.end)
        elif it.kind not in (LexemeKind.COMMENT, LexemeKind.STRING, LexemeKind.RAW_STRING):
            continue
        if it.start >= end:
            parts += (text[end : it.start], re.sub(r"[^\n]", " ", text[it.start : stop]))
            end = stop
    return "".join((*parts, text[end:]))


def _line_end(text: str, at: int) -> int:
    while True:
        end = text.find("\n", at)
        if end < 0:
            return len(text)
        if text[end - 1] != "\\":
            return end
        at = end + 1


def _declarations(text: str, clean: str) -> Iterator[Declared]:
    start = depth = 0
    at = 0
    while match := _ENDS.search(clean, at):
        at = match.end()
        depth += (match[0] == "(") - (match[0] == ")")
        if depth > 0 or match[0] in "()":
            depth = max(depth, 0)
            continue
        found = _declaration(text, clean, start, match.start())
        if found:
            yield found
            if match[0] == "{":
                at = _closing(clean, at)
        start = at


def _closing(clean: str, at: int) -> int:
    """Return the offset after the brace that closes the one before `at`."""
    depth = 1
    for match in re.compile(r"[{}]").finditer(clean, at):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end()
    return len(clean)


def _declaration(text: str, clean: str, start: int, end: int) -> Declared | None:
    head = clean[start:end]
    match = _HEAD.match(head)
    closing = head.rfind(")")
    if match is None or closing < match.end():
        return None
    returns = " ".join(re.sub(r"\b(?:public|private|protected):", "", match[1]).split())
    returns = _SPECIFIERS.sub("", returns)
    if not re.match(r"[A-Za-z:]", returns) or "=" in returns or returns.endswith("::"):
        return None
    if returns.split()[0] in _NO_RETURN or match[2] in _NO_RETURN or match[2][0] == "~":
        return None
    parameters = tuple(split_parameters(head[match.end() : closing]))
    return Declared(match[2], returns, parameters, _comment_before(text, start, start + len(head)))


def split_parameters(text: str) -> Iterator[str]:
    """Yield the parts of `text` between top-level commas, each on one line."""
    depth, begin = 0, 0
    for at, character in enumerate(text):
        depth += (character in "(<[{") - (character in ")>]}")
        if character == "," and depth == 0:
            yield " ".join(text[begin:at].split())
            begin = at + 1
    if last := " ".join(text[begin:].split()):
        yield last


def _comment_before(text: str, start: int, end: int) -> str:
    """Return the lines of `//` that stand directly before the code between two offsets."""
    lines: list[str] = []
    for line in text[start:end].split("\n"):
        stripped = line.strip()
        if stripped.startswith("//"):
            lines.append(stripped.lstrip("/ "))
        elif stripped and not stripped.startswith("#"):
            break
        else:
            lines = []
    return " ".join(lines)
