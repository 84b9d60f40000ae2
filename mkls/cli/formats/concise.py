"""`--output-format concise`: one line per finding."""

from mkls.cli.places import shown_path
from mkls.cli.report import Report
from mkls.cli.style import Style


def render(report: Report, style: Style) -> str:
    """Return the lines, and a summary where there are findings."""
    lines = [
        f"{style.bold(shown_path(it.place.path, report.root))}:{it.place.line}:{it.place.column}: "
        f"{style.severity(it.severity, f'{it.severity}[{it.code}]')} {it.message}"
        + ("  [fixable]" if any(fix.safe for fix in it.fixes) else "")
        for it in report.findings
    ]
    return "".join(f"{line}\n" for line in lines)
