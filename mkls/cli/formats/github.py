"""`--output-format github`: workflow commands, which GitHub shows on the changed lines."""

from mkls.cli.places import shown_path
from mkls.cli.report import Report, Reported

_LEVELS = {"error": "error", "warning": "warning"}


def render(report: Report) -> str:
    """Return one workflow command per finding."""
    return "".join(f"{_command(it, report)}\n" for it in report.findings)


def _command(found: Reported, report: Report) -> str:
    place = found.place
    properties = {
        # GitHub wants paths as seen from where the job runs: the repository's top.
        "file": shown_path(place.path, report.root),
        "line": place.line,
        "col": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
        "title": f"mkls ({found.code})",
    }
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{_LEVELS.get(found.severity, 'notice')} {listed}::{_data(found.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
