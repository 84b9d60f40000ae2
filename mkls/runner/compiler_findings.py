"""What the compiler's front end says, as findings in a workspace's texts (client side, pure)."""

import re
from collections.abc import Iterator, Sequence

from mkls.diagnostics.compiler import MSL_ERROR, MSL_UNCHECKED, MSL_WARNING
from mkls.diagnostics.model import Diagnostic, Finding, Related, Rule
from mkls.diagnostics.suppression import Suppressions
from mkls.index.snapshot import Snapshot
from mkls.runner.examination import Examination
from mkls.runner.report import CompileProblem, Place
from mkls.text.document import Uri, path_of, uri_of
from mkls.text.line_index import Position
from mkls.text.span import Span

_WORD = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\S")
_MOST_RELATED = 6


def compiler_findings(snapshot: Snapshot, unit: Uri, examined: Examination) -> list[Finding]:
    """Return what `examined`, about `unit`, shows in the documents of `snapshot`.

    A problem in a header that is not the workspace's counts where a note leads into the workspace;
    one without such a note is not the user's, and the file is then not judged at all.
    """
    found = [_finding(snapshot, it) for it in examined.problems]
    kept = [it for it in found if it is not None]
    strange = len(found) - len(kept)
    if strange and not any(it.rule is MSL_ERROR for it in kept):
        kept.append(_unchecked(unit, "a header from outside of the workspace does not compile"))
    kept += [it for it in (_gap(snapshot, gap) for gap in examined.gaps) if it]
    return [it for it in kept if not _is_silenced(snapshot, it)]


def _is_silenced(snapshot: Snapshot, found: Finding) -> bool:
    document = snapshot.sources[found.uri].document
    return Suppressions(document).silence(found.rule, found.diagnostic.span)


def _finding(snapshot: Snapshot, problem: CompileProblem) -> Finding | None:
    rule = MSL_ERROR if problem.severity == "error" else MSL_WARNING
    own = Place(problem.path, problem.line, problem.column, "")
    places = [own, *problem.notes]
    at_hand = [it for it in places if _owns(snapshot, uri_of(it.path))]
    if not at_hand or (rule is MSL_WARNING and at_hand[0] is not own):
        return None
    home = at_hand[0]
    message = problem.message if home is own else f"{_name(problem.path)}: {problem.message}"
    return _at(snapshot, rule, home, message, [it for it in problem.notes if it is not home])


def _gap(snapshot: Snapshot, gap: CompileProblem) -> Finding | None:
    place = Place(gap.path, gap.line, gap.column, "")
    inclusions = [place, *gap.notes]
    home = next((it for it in inclusions if _owns(snapshot, uri_of(it.path))), None)
    return _at(snapshot, MSL_UNCHECKED, home, f"not checked: {gap.message}", ()) if home else None


def _unchecked(unit: Uri, reason: str) -> Finding:
    return Finding(unit, MSL_UNCHECKED, Diagnostic(Span(0, 0), f"not checked: {reason}"))


def _at(
    snapshot: Snapshot, rule: Rule, home: Place, message: str, notes: Sequence[Place]
) -> Finding:
    related = tuple(_related(snapshot, notes))[:_MOST_RELATED]
    diagnostic = Diagnostic(_token(snapshot, home), message, related=related)
    return Finding(uri_of(home.path), rule, diagnostic)


def _related(snapshot: Snapshot, notes: Sequence[Place]) -> Iterator[Related]:
    for it in notes:
        uri = uri_of(it.path)
        if uri in snapshot.sources:
            yield Related(uri, _token(snapshot, it), it.message)


def _owns(snapshot: Snapshot, uri: Uri) -> bool:
    return uri in snapshot.sources and uri not in snapshot.library


def _token(snapshot: Snapshot, place: Place) -> Span:
    document = snapshot.sources[uri_of(place.path)].document
    offset = document.lines.offset(Position(place.line - 1, max(place.column - 1, 0)))
    match = _WORD.match(document.text, offset)
    return Span(offset, match.end() if match else offset)


def _name(path: str) -> str:
    return path_of(uri_of(path)).rpartition("/")[2]
