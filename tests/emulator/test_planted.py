"""Every planted bug is found with kind, line and argument, and its repaired twin is clean."""

from functools import lru_cache
from pathlib import Path

import pytest
import torch

from mkls.emulator import checked_launch
from mkls.emulator.findings import Finding
from mkls.emulator.library import Library, compile_source
from mkls.emulator.settings import EmulatorSettings
from tests.emulator.planted_cases import Case, PlantedFile, planted_files, values

FILES = {file.kind: file for file in planted_files()}
CASES = [
    pytest.param(case, id=f"{case.file}-{case.name}") for f in FILES.values() for case in f.cases
]
ALSO_TRUE = {"integer-overflow": {"out-of-bounds-read"}}
"""What a bug of one kind leads to: an index that wrapped may be no index either."""


class Builds:
    """The two libraries of each file, compiled once."""

    def __init__(self, settings: EmulatorSettings, include: Path) -> None:
        self._settings = settings
        self._include = include
        self.library = lru_cache(maxsize=None)(self._library)

    def _library(self, kind: str, *, repaired: bool) -> Library:
        file: PlantedFile = FILES[kind]
        finite = kind == "not-finite"
        settings = EmulatorSettings(cache_directory=self._settings.cache_directory, finite=finite)
        text = file.repaired if repaired else file.buggy
        return compile_source(text, checked=True, include_dirs=[self._include], settings=settings)

    def findings(self, case: Case, *, repaired: bool) -> tuple[Finding, ...]:
        """What a run of `case` shows."""
        torch.manual_seed(0)
        kernel = self.library(case.file, repaired=repaired).kernel(case.kernel)
        outcome = kernel.run(*values(case), threads=case.threads, group_size=case.group_size)
        assert outcome.status == "completed", outcome.message
        return outcome.findings


@pytest.fixture(scope="session")
def builds(emulator_settings: EmulatorSettings, torch_include: Path) -> Builds:
    """Compiled planted bugs."""
    return Builds(emulator_settings, torch_include)


def lines_of(finding: Finding) -> set[int]:
    return {finding.line, *(related.line for related in finding.related)}


def assert_found(case: Case, found: tuple[Finding, ...]) -> None:
    right = [f for f in found if f.kind == case.kind and case.line in lines_of(f)]
    assert right, found
    assert case.argument in (None, *(f.argument for f in right))
    assert {f.kind for f in found} - ALSO_TRUE.get(case.kind, set()) == {case.kind}


@pytest.mark.parametrize("case", CASES)
def test_the_planted_bug_is_found(builds: Builds, case: Case) -> None:
    assert_found(case, builds.findings(case, repaired=False))


@pytest.mark.parametrize("case", CASES)
def test_the_repaired_twin_is_clean(builds: Builds, case: Case) -> None:
    assert builds.findings(case, repaired=True) == ()


@pytest.mark.parametrize("case", CASES)
def test_large_launches_find_it_too(
    builds: Builds, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checked_launch, "LARGE", 0)
    assert_found(case, builds.findings(case, repaired=False))


@pytest.mark.parametrize("case", CASES)
def test_large_launches_find_nothing_else(
    builds: Builds, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checked_launch, "LARGE", 0)
    assert builds.findings(case, repaired=True) == ()


@pytest.mark.parametrize("kind", FILES)
def test_a_kind_has_eight_variants(kind: str) -> None:
    assert len({case.kernel for case in FILES[kind].cases}) >= 8


@pytest.mark.parametrize("kind", FILES)
def test_findings_are_the_same_in_every_repetition(builds: Builds, kind: str) -> None:
    case = FILES[kind].cases[0]
    assert builds.findings(case, repaired=False) == builds.findings(case, repaired=False)
