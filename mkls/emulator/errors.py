"""What the compiler says, in the user's terms: file, line and column of the text they wrote."""

import re
from collections.abc import Callable, Iterator

import msgspec

from mkls.emulator.positions import Position

_DIAGNOSTIC = re.compile(
    r"(?P<path>.*?):(?P<row>\d+):(?P<column>\d+): "
    r"(?P<severity>fatal error|error|warning|note): (?P<message>.*)\Z"
)
_QUOTED = re.compile(r"'[^']*'")
_MAX_PROBLEMS = 100

Locate = Callable[[str, int, int], Position | None]


class Note(msgspec.Struct, frozen=True):
    """A remark that belongs to a problem."""

    path: str
    line: int
    column: int
    message: str


class Problem(msgspec.Struct, frozen=True):
    """One error or warning of the compiler; `severity` is `error` or `warning`."""

    path: str
    line: int
    column: int
    severity: str
    message: str
    notes: tuple[Note, ...] = ()


class CompileError(SyntaxError):
    """The source does not compile. Line and column are those of the first problem."""

    def __init__(self, problems: tuple[Problem, ...], source: str, filename: str) -> None:
        """Describe `problems` of `source`."""
        self.problems = problems
        first = problems[0]
        lines = source.split("\n")
        text = ""
        if first.path == filename and first.line <= len(lines):
            text = lines[first.line - 1]
        super().__init__(_summary(problems), (first.path, first.line, first.column, text))


def _summary(problems: tuple[Problem, ...]) -> str:
    lines: list[str] = []
    for problem in problems:
        lines.append(_line(problem, f"{problem.severity}: {problem.message}"))
        lines += [_line(note, f"note: {note.message}") for note in problem.notes]
    return "\n".join(lines)


def _line(place: Problem | Note, text: str) -> str:
    return f"{place.path}:{place.line}:{place.column}: {text}"


class _Raw(msgspec.Struct):
    position: Position | None
    severity: str
    message: str
    notes: list[tuple[Position | None, str]]


def _raw_diagnostics(output: str, locate: Locate) -> Iterator[_Raw]:
    current: _Raw | None = None
    for line in output.splitlines():
        match = _DIAGNOSTIC.match(line)
        if match is None:
            continue
        position = locate(match["path"], int(match["row"]), int(match["column"]))
        if match["severity"] == "note":
            if current:
                current.notes.append((position, match["message"]))
            continue
        if current:
            yield current
        severity = "warning" if match["severity"] == "warning" else "error"
        current = _Raw(position, severity, match["message"], [])
    if current:
        yield current


def problems_of_compiler(
    output: str, locate: Locate, fallback: str, failed: bool = True
) -> tuple[Problem, ...]:
    """The problems in a compiler's `output`, each once however many instantiations have it.

    `locate` returns None for places that are not the user's; a problem there moves to the first
    note that is. `fallback` names the file of problems without any place. A compiler that `failed`
    has said at least one error.
    """
    found: dict[tuple[object, ...], Problem] = {}
    for raw in _raw_diagnostics(output, locate):
        problem = _problem(raw, fallback)
        key = (problem.path, problem.line, problem.column, _QUOTED.sub("''", problem.message))
        found.setdefault(key, problem)
        if len(found) >= _MAX_PROBLEMS:
            break
    if failed and not any(problem.severity == "error" for problem in found.values()):
        text = output.strip().splitlines()
        message = text[-1] if text else "the compiler failed without a message"
        return (*found.values(), Problem(fallback, 1, 1, "error", message))
    return tuple(found.values())


def _problem(raw: _Raw, fallback: str) -> Problem:
    notes = [(p, _readable(m)) for p, m in raw.notes if p is not None]
    position = raw.position
    if position is None and notes:
        position = notes.pop(0)[0]
    position = position or Position(fallback, 1, 1)
    kept = dict.fromkeys((p.path, p.line, p.column, m) for p, m in notes)
    return Problem(
        position.path,
        position.line,
        position.column,
        raw.severity,
        _readable(raw.message),
        tuple(Note(*note) for note in kept),
    )


def _readable(message: str) -> str:
    """Without the names that the rewriting brought in."""
    message = re.sub(
        r"address of overloaded function '([^']*)' does not match required type '[^']*'",
        r"no kernel `\1` has the parameters of this instantiation",
        message,
    )
    message = re.sub(
        r"variable 'mkls_callee' with type .* has incompatible initializer.*",
        "no kernel template has the arguments of this instantiation",
        message,
    )
    message = re.sub(r"\bmkls_type_(\w+)", r"\1", message)
    return re.sub(r" \(aka '[^']*mkls[^']*'\)", "", message)


def problems_of_preprocessor(output: str, filename: str) -> tuple[Problem, ...]:
    """The problems of a preprocessor run; its positions are the user's already."""

    def locate(path: str, row: int, column: int) -> Position | None:
        return Position(path, row, column)

    return problems_of_compiler(output, locate, filename)
