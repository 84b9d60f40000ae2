"""Which edits are offered, and which go together."""

from mkls.diagnostics.model import Diagnostic, FileEdit, Finding, Fix
from mkls.features.code_actions import compatible_fixes, fix_all, quick_fixes
from mkls.rules import RULES
from mkls.text.document import Uri
from mkls.text.edit import Edit
from mkls.text.span import Span

URI, OTHER = Uri("file:///a"), Uri("file:///b")


def fix(title: str, start: int, end: int, safe: bool = True, uri: Uri = URI) -> Fix:
    return Fix(title, (FileEdit(uri, Edit(Span(start, end), title)),), safe)


def finding(*fixes: Fix) -> Finding:
    return Finding(URI, RULES[0], Diagnostic(Span(0, 1), "wrong", fixes=fixes))


def test_every_fix_is_offered_and_the_first_safe_one_preferred():
    found = finding(fix("a", 0, 1, safe=False), fix("b", 0, 1), fix("c", 0, 1))

    offered = [(it.title, it.safe, it.preferred) for it in quick_fixes([found])]

    assert offered == [("a", False, False), ("b", True, True), ("c", True, False)]


def test_all_safe_fixes_are_one_action():
    action = fix_all([finding(fix("a", 0, 1)), finding(fix("b", 5, 6, uri=OTHER)), finding()])

    assert action is not None
    assert action.title == "Apply all 2 safe fixes"
    assert [(it.uri, it.edit.new_text) for it in action.edits] == [(URI, "a"), (OTHER, "b")]


def test_without_a_safe_fix_there_is_no_such_action():
    assert fix_all([finding(fix("a", 0, 1, safe=False)), finding()]) is None


def test_of_fixes_at_one_place_the_first_is_taken():
    apart = fix("c", 5, 6)
    found = [finding(fix("a", 0, 2)), finding(fix("b", 1, 3)), finding(apart)]

    assert [it.title for it in compatible_fixes(found)] == ["a", "c"]


def test_insertions_at_one_place_exclude_each_other():
    found = [finding(fix("a", 2, 2)), finding(fix("b", 2, 2)), finding(fix("c", 2, 2, uri=OTHER))]

    assert [it.title for it in compatible_fixes(found)] == ["a", "c"]


def test_one_fix_of_two_findings_is_applied_once():
    shared = fix("a", 0, 1)

    assert compatible_fixes([finding(shared), finding(shared)]) == [shared]


def test_unsafe_fixes_are_taken_on_request():
    unsafe = fix("a", 0, 1, safe=False)

    assert compatible_fixes([finding(unsafe)], unsafe=True) == [unsafe]
