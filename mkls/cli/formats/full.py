"""`--output-format full`: each finding with its source line, for people at a terminal."""

from unicodedata import combining, east_asian_width

from mkls.cli.places import Place, shown_path
from mkls.cli.report import Report, Reported
from mkls.cli.style import Style

_TAB = "    "


def render(report: Report, style: Style) -> str:
    """Return the text of all findings."""
    return "".join(f"{_finding(it, report, style)}\n" for it in report.findings)


def _finding(found: Reported, report: Report, style: Style) -> str:
    head = style.severity(found.severity, f"{found.severity}[{found.code}]")
    lines = [f"{head}: {style.bold(found.message)}", *_excerpt(found, report, style)]
    for related in found.related:
        where = _where(related.place, report)
        lines.append(f"  {style.dim('=')} note: {related.message}: {where}")
    for fix in found.fixes[:1]:
        unsafe = "" if fix.safe else " (may change behaviour)"
        lines.append(f"  {style.dim('=')} help: {fix.title}{unsafe}")
    return "\n".join(lines) + "\n"


def _excerpt(found: Reported, report: Report, style: Style) -> list[str]:
    place = found.place
    number = str(place.line)
    gutter = " " * len(number)
    text = found.line_text
    before = _cells(text[: place.column - 1])
    end = place.end_column - 1 if place.end_line == place.line else len(text)
    width = max(1, _cells(text[place.column - 1 : end]))
    carets = style.severity(found.severity, "^" * width)
    return [
        f"{gutter} {style.dim('-->')} {_where(place, report)}",
        f"{gutter} {style.dim('|')}",
        f"{style.dim(number)} {style.dim('|')} {text.replace(chr(9), _TAB)}".rstrip(),
        f"{gutter} {style.dim('|')} {' ' * before}{carets}",
    ]


def _cells(text: str) -> int:
    """Return how many terminal cells `text` takes; East Asian wide characters take two."""
    if text.isascii():
        return len(text.replace("\t", _TAB))
    return sum(
        0 if combining(it) else 2 if east_asian_width(it) in "WF" else len(it.replace("\t", _TAB))
        for it in text
    )


def _where(place: Place, report: Report) -> str:
    return f"{shown_path(place.path, report.root)}:{place.line}:{place.column}"
