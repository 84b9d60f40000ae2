"""`--output-format sarif`: SARIF 2.1.0 (OASIS), for code scanning services."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mkls import __version__
from mkls.cli.places import Place
from mkls.cli.report import Report, Reported, ReportedFix
from mkls.diagnostics.model import HOMEPAGE
from mkls.rules import KNOWN_RULES

_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}


def render(report: Report) -> str:
    """Return the log file's text."""
    log = {
        "version": "2.1.0",
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
        "sarif-schema-2.1.0.json",
        "runs": [
            {
                "tool": {"driver": _driver()},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"ROOT": {"uri": report.root.as_uri().rstrip("/") + "/"}},
                "results": [_result(it) for it in report.findings],
            }
        ],
    }
    return json.dumps(log, indent=2) + "\n"


def _driver() -> dict[str, Any]:
    return {
        "name": "mkls",
        "version": __version__,
        "informationUri": HOMEPAGE,
        "rules": [
            {
                "id": rule.code,
                "shortDescription": {"text": rule.summary},
                "fullDescription": {"text": rule.page, "markdown": rule.page},
                "helpUri": rule.url,
                "defaultConfiguration": {"level": _LEVELS[rule.severity.value]},
            }
            for rule in KNOWN_RULES
        ],
    }


def _result(found: Reported) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": found.code,
        "level": _LEVELS[found.severity],
        "message": {"text": found.message},
        "locations": [_location(found.place)],
    }
    if found.related:
        result["relatedLocations"] = [
            {**_location(it.place), "id": number, "message": {"text": it.message}}
            for number, it in enumerate(found.related)
        ]
    if found.fixes:
        result["fixes"] = [_fix(it) for it in found.fixes]
    return result


def _fix(fix: ReportedFix) -> dict[str, Any]:
    by_path: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        replacement = {
            "deletedRegion": _region(edit.place),
            "insertedContent": {"text": edit.text},
        }
        by_path.setdefault(edit.place.path, []).append(replacement)
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {"artifactLocation": _artifact(path), "replacements": replacements}
            for path, replacements in by_path.items()
        ],
    }


def _location(place: Place) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(place.path),
            "region": _region(place),
        }
    }


def _artifact(path: str) -> dict[str, str]:
    if Path(path).is_absolute():  # outside of the root
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(path, errors="surrogateescape"), "uriBaseId": "ROOT"}


def _region(place: Place) -> dict[str, int]:
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
