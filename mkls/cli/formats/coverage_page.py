"""The coverage report as one page of HTML that needs no network."""

import json
from collections.abc import Mapping
from importlib.resources import files

_DATA = "/*DATA*/"


def coverage_page(report: Mapping[str, object]) -> str:
    """Return the page for `report`, which it holds as JSON."""
    template = (files("mkls.cli.formats") / "coverage.html").read_text(encoding="utf-8")
    # Nothing in the data may end the script that holds it.
    data = json.dumps(report, separators=(",", ":")).replace("<", "\\u003c")
    return template.replace(_DATA, data)
