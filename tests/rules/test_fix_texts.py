"""Fixes keep a document's line ends, and applied once more they have nothing to do."""

from pathlib import Path

import pytest

from mkls.diagnostics.model import Finding, Fix
from tests.support.checks import after, reports
from tests.support.fixture import Fixture, of_files
from tests.support.pages import sections

PAGES = sorted(Path(__file__).parent.glob("*.md"))


def documents(fixture: Fixture) -> dict[str, str]:
    """The texts of a workspace, by path."""
    root = fixture.snapshot.root.rstrip("/")
    sources = fixture.snapshot.sources
    return {
        uri.removeprefix(f"{root}/").lstrip("/"): it.document.text for uri, it in sources.items()
    }


def with_fixes(fixture: Fixture) -> list[Finding]:
    return [found for found in reports(fixture) if found.diagnostic.fixes]


def first_fixes(fixture: Fixture) -> list[Fix]:
    return [found.diagnostic.fixes[0] for found in with_fixes(fixture)]


each_page_with_fixes = pytest.mark.parametrize(
    "workspace",
    [
        pytest.param(workspace, id=f"{page.stem}: {title}")
        for page in PAGES
        for title, workspace in sections(page.read_text(encoding="utf-8")).items()
        if with_fixes(workspace)
    ],
)


@each_page_with_fixes
def test_fixes_keep_line_ends(workspace):
    texts = {path: text.replace("\n", "\r\n") for path, text in documents(workspace).items()}
    dos, unix = of_files(texts), of_files(documents(workspace))

    assert len(first_fixes(dos)) == len(first_fixes(unix))
    for plain, fix in zip(first_fixes(unix), first_fixes(dos), strict=True):
        fixed = documents(after(dos, fix))
        assert fix.title == plain.title
        assert all("\n" not in text.replace("\r\n", "") for text in fixed.values()), fix.title
        expected = documents(after(unix, plain))
        assert {it: text.replace("\r\n", "\n") for it, text in fixed.items()} == expected


@each_page_with_fixes
def test_a_fix_is_not_offered_again(workspace):
    for found in with_fixes(workspace):
        fix = found.diagnostic.fixes[0]
        again = after(workspace, fix)
        titles = [it.diagnostic.fixes[0].title for it in with_fixes(again) if it.rule == found.rule]
        before = [it.title for it in first_fixes(workspace)]
        assert titles.count(fix.title) < max(before.count(fix.title), 1)
