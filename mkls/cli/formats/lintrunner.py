"""`--output-format lintrunner`: one LintMessage as JSON per line (tools/linter in PyTorch)."""

import json

from mkls.cli.report import Report, Reported

_SEVERITIES = {"error": "error", "warning": "warning", "information": "advice", "hint": "advice"}


def render(report: Report) -> str:
    """Return one JSON object per finding and line."""
    return "".join(f"{_message(it, report)}\n" for it in report.findings)


def _message(found: Reported, report: Report) -> str:
    return json.dumps(
        {
            "path": str(report.root / found.place.path),
            "line": found.place.line,
            "char": found.place.column,
            "code": "MKLS",
            "severity": _SEVERITIES[found.severity],
            "name": found.code,
            "original": None,
            "replacement": None,
            "description": f"{found.message}\n{found.url}",
        }
    )
