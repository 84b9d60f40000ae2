"""Every mistake on these pages is found at the right token, and its mended tree is clean.

A section waits as long as it expects the code of a rule that is still to be written. The
registration macros come from the installed torch.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from mkls.features.diagnostics import findings, rule_table
from mkls.index.snapshot import Snapshot, Source
from mkls.rules import RULES
from mkls.text.document import Uri
from tests.support.fixture import annotate, of_files, source_of
from tests.support.pytorch import package_folder

PAGES = sorted(Path(__file__).parent.glob("*.md"))
MENDED = ": mended"
CODES = {rule.code for rule in RULES}

_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_BLOCK = re.compile(r"^```\S+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"^[ \t]*(?://|#)[ \t<]*\^+ (\S+)\n", re.MULTILINE)


class Case(NamedTuple):
    """A mistake: its files with what is expected of them, and the same tree, mended."""

    title: str
    mistake: Mapping[str, str]
    mended: Mapping[str, str]

    @property
    def codes(self) -> set[str]:
        """What it expects."""
        return {code for text in self.mistake.values() for code in _MARK.findall(text)}


def cases() -> Iterator[Case]:
    """Yield each mistake of every page."""
    for page in PAGES:
        _, *parts = _SECTION.split(page.read_text(encoding="utf-8"))
        found = {
            title: dict(_BLOCK.findall(body))
            for title, body in zip(parts[::2], parts[1::2], strict=True)
        }
        for title, mistake in found.items():
            if not title.endswith(MENDED):
                clean = {path: _MARK.sub("", text) for path, text in mistake.items()}
                yield Case(f"{page.stem}: {title}", mistake, clean | found[title + MENDED])


CASES = list(cases())
each_case = pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.title) for case in CASES if case.codes <= CODES]
)


@pytest.fixture(scope="module")
def headers() -> list[Source]:
    """What the installed torch has in c10/metal."""
    folder = package_folder("torch") / "include"
    paths = {Uri(f"file:///{it.relative_to(folder)}"): it for it in folder.glob("c10/metal/*.h")}
    return [source_of(uri, path.read_text(encoding="utf-8")) for uri, path in paths.items()]


def marked(files: Mapping[str, str], headers: list[Source], codes: set[str]) -> dict[str, str]:
    """Return each file with what the default rules and those of `codes` say about it."""
    rules = rule_table(rule for rule in RULES if rule.default or rule.code in codes)
    library = frozenset(header.document.uri for header in headers)
    sources = of_files(files).snapshot.sources
    snapshot = Snapshot.of([*headers, *sources.values()], library=library)
    return {
        uri.removeprefix("file:///"): annotate(
            source.document,
            ((it.diagnostic.span, it.rule.code) for it in findings(snapshot, uri, rules)),
        )
        for uri, source in sources.items()
    }


@each_case
def test_the_mistake_is_found_at_its_token(case, headers):
    assert marked(case.mistake, headers, case.codes) == case.mistake


@each_case
def test_the_mended_tree_is_clean(case, headers):
    assert marked(case.mended, headers, case.codes) == case.mended


def test_every_mistake_expects_something_and_is_mended():
    for case in CASES:
        assert case.codes, case.title
        assert case.mended != {path: _MARK.sub("", it) for path, it in case.mistake.items()}
        assert not any(_MARK.search(text) for text in case.mended.values()), case.title
