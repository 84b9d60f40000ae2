import pytest

from mkls.diagnostics.model import Group, Rule, Severity
from mkls.diagnostics.selection import Selection, unknown_names


def rule(code: str, group: Group, default: bool = True) -> Rule:
    return Rule(code, group, Severity.ERROR, frozenset(), lambda *_: iter(()), "", default)


RULES = (
    rule("one", Group.DISPATCH),
    rule("two", Group.STUB),
    rule("shy", Group.STUB, default=False),
)


@pytest.mark.parametrize(
    ("selection", "codes"),
    [
        (Selection(), ["one", "two"]),
        (Selection(select=("dispatch",)), ["one"]),
        (Selection(select=("stub",)), ["two"]),
        (Selection(select=("shy",)), ["shy"]),
        (Selection(select=("all",)), ["one", "two", "shy"]),
        (Selection(select=()), []),
        (Selection(ignore=("stub",)), ["one"]),
        (Selection(ignore=("stub",), extend_select=("two",)), ["one", "two"]),
        (Selection(ignore=("two",), extend_select=("stub",)), ["one"]),
        (Selection(extend_select=("shy",)), ["one", "two", "shy"]),
        (Selection(ignore=("all",)), []),
    ],
)
def test_which_rules_run(selection, codes):
    assert [it.code for it in selection.rules(RULES)] == codes


def test_a_glob_ignores_rules_in_some_files():
    selection = Selection(per_file_ignores={"kernels/*": ("dispatch",)})

    assert selection.ignored_in(RULES[0], "kernels/a.metal")
    assert not selection.ignored_in(RULES[1], "kernels/a.metal")
    assert not selection.ignored_in(RULES[0], "operations/a.mm")


def test_unknown_names():
    assert unknown_names(["one", "stub", "all", "oops"], RULES) == ["oops"]
