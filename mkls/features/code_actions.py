"""What an editor offers to do about findings."""

from collections.abc import Iterable

import msgspec

from mkls.diagnostics.model import FileEdit, Finding, Fix


class Action(msgspec.Struct, frozen=True):
    """Edits to offer, under an order as title.

    `finding` is what a quick fix is about, None for an action about all of them. A `preferred`
    one is what the editor does when the user asks to mend the mistake without choosing.
    """

    title: str
    edits: tuple[FileEdit, ...]
    safe: bool = True
    preferred: bool = False
    finding: Finding | None = None


def quick_fixes(findings: Iterable[Finding]) -> list[Action]:
    """Return every fix of `findings`; the first safe one of each is preferred."""
    return [action for found in findings for action in _quick_fixes(found)]


def _quick_fixes(found: Finding) -> list[Action]:
    fixes = found.diagnostic.fixes
    first = next((fix for fix in fixes if fix.safe), None)
    return [Action(it.title, it.edits, it.safe, it is first, found) for it in fixes]


def fix_all(findings: Iterable[Finding]) -> Action | None:
    """Return the safe fixes of `findings` in one action, None when there is none.

    Where two would change the same place, the first is taken.
    """
    taken = compatible_fixes(findings)
    if not taken:
        return None
    several = f"all {len(taken)} safe fixes" if len(taken) > 1 else "the safe fix"
    return Action(f"Apply {several}", tuple(edit for fix in taken for edit in fix.edits))


def compatible_fixes(findings: Iterable[Finding], unsafe: bool = False) -> list[Fix]:
    """Return the first safe fix of each finding, less those that would touch an earlier one."""
    taken: list[Fix] = []
    for found in findings:
        fix = next((it for it in found.diagnostic.fixes if it.safe or unsafe), None)
        if fix and fix not in taken and not any(_collide(fix, other) for other in taken):
            taken.append(fix)
    return taken


def _collide(one: Fix, other: Fix) -> bool:
    return any(_touch(mine, theirs) for mine in one.edits for theirs in other.edits)


def _touch(one: FileEdit, other: FileEdit) -> bool:
    # Two insertions at one place collide as well: their order would be a guess.
    mine, theirs = one.edit.span, other.edit.span
    return one.uri == other.uri and mine.start <= theirs.end and theirs.start <= mine.end
