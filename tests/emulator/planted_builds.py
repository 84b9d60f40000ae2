"""The planted bugs and their repaired twins, compiled, and what their runs show."""

from functools import lru_cache
from pathlib import Path

import torch

from mkls.emulator.findings import Finding
from mkls.emulator.library import Library, compile_source
from mkls.emulator.settings import EmulatorSettings
from tests.emulator.planted_cases import Case, planted_files, values

FILES = {file.kind: file for file in planted_files()}
ALSO_TRUE = {"integer-overflow": {"out-of-bounds-read"}}
"""What a bug of one kind leads to: an index that wrapped may be no index either."""


class Builds:
    """The two libraries of each file, compiled once."""

    def __init__(self, settings: EmulatorSettings, include: Path) -> None:
        self._settings = settings
        self._include = include
        self.library = lru_cache(maxsize=None)(self._library)

    def _library(self, kind: str, *, repaired: bool) -> Library:
        file = FILES[kind]
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


def is_found(case: Case, found: tuple[Finding, ...]) -> bool:
    """Whether `found` names the bug's kind, line and argument."""
    right = [f for f in found if f.kind == case.kind and case.line in _lines_of(f)]
    return bool(right) and case.argument in (None, *(f.argument for f in right))


def others(case: Case, found: tuple[Finding, ...]) -> set[str]:
    """The kinds of findings that the bug does not lead to."""
    return {f.kind for f in found} - {case.kind} - ALSO_TRUE.get(case.kind, set())


def _lines_of(finding: Finding) -> set[int]:
    return {finding.line, *(related.line for related in finding.related)}
