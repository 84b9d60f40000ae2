"""Every planted bug is found with kind, line and argument, and its repaired twin is clean."""

from pathlib import Path

import pytest

from mkls.emulator import checked_launch
from mkls.emulator.findings import Finding
from mkls.emulator.settings import EmulatorSettings
from tests.emulator.planted_builds import FILES, Builds, is_found, others
from tests.emulator.planted_cases import Case

CASES = [
    pytest.param(case, id=f"{case.file}-{case.name}") for f in FILES.values() for case in f.cases
]


@pytest.fixture(scope="session")
def builds(emulator_settings: EmulatorSettings, torch_include: Path) -> Builds:
    """Compiled planted bugs."""
    return Builds(emulator_settings, torch_include)


def assert_found(case: Case, found: tuple[Finding, ...]) -> None:
    assert is_found(case, found), found
    assert others(case, found) == set()


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
