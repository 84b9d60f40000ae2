"""Read what Metal's run-time compiler says, in the user's own text.

It speaks of `program_source`, the text in which headers are embedded; torch hands its words on as a
SyntaxError (2.7 and later) or inside the description of an NSError (2.6).
"""

import re

from mkls.runner.embedding import Embedded
from mkls.runner.report import CompileProblem, Place

_MESSAGE = re.compile(
    r"program_source:(?P<line>\d+):(?P<column>\d+): "
    r"(?P<severity>fatal error|error|warning|note): (?P<message>[^\n\"]*(?:\"[^\n]*?\"[^\n\"]*)*)"
)
_TAIL = re.compile(r"[\"}]*\s*(?:UserInfo=\{.*)?\Z")


def problems_of(text: str, embedded: Embedded) -> tuple[CompileProblem, ...]:
    """Return the errors and warnings in `text`, each once, errors first; never none at all."""
    problems: dict[tuple[str, int, int, str], CompileProblem] = {}
    current: tuple[str, int, int, str] | None = None
    for match in _MESSAGE.finditer(_unescaped(text)):
        path, line = embedded.origin(int(match["line"]))
        column = int(match["column"])
        message = _TAIL.sub("", match["message"]).strip()
        if match["severity"] == "note":
            if current in problems:
                note = Place(path, line, column, message)
                problems[current] = _with_note(problems[current], note)
            continue
        current = (path, line, column, message)
        severity = "warning" if match["severity"] == "warning" else "error"
        problems.setdefault(current, CompileProblem(path, line, column, severity, message))
    if not any(it.severity == "error" for it in problems.values()):
        path, line = embedded.origin(1)
        first = text.strip().splitlines() or ["the compiler failed without a message"]
        problems[(path, line, 1, first[0])] = CompileProblem(path, line, 1, "error", first[0])
    return tuple(sorted(problems.values(), key=lambda it: it.severity))


def _with_note(problem: CompileProblem, note: Place) -> CompileProblem:
    if note in problem.notes:
        return problem
    return CompileProblem(
        problem.path,
        problem.line,
        problem.column,
        problem.severity,
        problem.message,
        (*problem.notes, note),
    )


def _unescaped(text: str) -> str:
    """The description inside an NSError writes line ends and quotes with a backslash."""
    return text.replace("\\n", "\n").replace('\\"', '"').replace("\\'", "'")
