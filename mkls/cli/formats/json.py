"""`--output-format json`: an array, sorted by path and position."""

import json
from typing import Any

from mkls.cli.places import Place
from mkls.cli.report import Report, Reported


def render(report: Report) -> str:
    """Return the JSON text."""
    return json.dumps([_finding(it) for it in report.findings], indent=2) + "\n"


def _finding(found: Reported) -> dict[str, Any]:
    return {
        "code": found.code,
        "severity": found.severity,
        "message": found.message,
        **_place(found.place),
        "related": [{**_place(it.place), "message": it.message} for it in found.related],
        "fixes": [
            {
                "title": fix.title,
                "safe": fix.safe,
                "edits": [{**_place(it.place), "text": it.text} for it in fix.edits],
            }
            for fix in found.fixes
        ],
        "url": found.url,
    }


def _place(place: Place) -> dict[str, Any]:
    return {
        "path": place.path,
        "start": {"line": place.line, "column": place.column},
        "end": {"line": place.end_line, "column": place.end_column},
    }
