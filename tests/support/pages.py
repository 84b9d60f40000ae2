"""Rule pages: Markdown whose fenced blocks are files and whose sections are tests."""

import re

from tests.support.fixture import Fixture, of_files

_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_BLOCK = re.compile(r"^```\S+ (?P<path>\S+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def sections(page: str) -> dict[str, Fixture]:
    """Return each section that holds files, as a workspace."""
    _, *parts = _SECTION.split(page)
    bodies = zip(parts[::2], parts[1::2], strict=True)
    return {title: _workspace(body) for title, body in bodies if _BLOCK.search(body)}


def _workspace(section: str) -> Fixture:
    return of_files({block["path"]: block["body"] for block in _BLOCK.finditer(section)})
