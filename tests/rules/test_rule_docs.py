"""The documentation of every rule is true."""

import pytest

from mkls.rules import RULES
from tests.support.checks import after, fixes, reports, texts
from tests.support.pages import sections

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
with_fix = pytest.mark.parametrize(
    "rule", [rule for rule in RULES if "## Fix safety" in rule.doc], ids=lambda rule: rule.code
)


@each_rule
def test_the_example_breaks_this_rule_alone(rule):
    example = sections(rule.page)["Example"]

    assert {found.rule.code for found in reports(example)} == {rule.code}


@each_rule
def test_use_instead_breaks_no_rule(rule):
    better = sections(rule.page)["Use instead"]

    assert reports(better) == []


@with_fix
def test_the_first_fix_turns_the_example_into_use_instead(rule):
    example, better = (sections(rule.page)[title] for title in ("Example", "Use instead"))

    assert texts(after(example, fixes(example)[0])) == texts(better)


@each_rule
def test_only_rules_that_offer_fixes_speak_of_their_safety(rule):
    example = sections(rule.page)["Example"]

    assert bool(fixes(example)) == ("## Fix safety" in rule.page)


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES if rule.default], ids=lambda rule: rule.code
)
def test_a_rule_cures_its_example_or_says_why_not(rule):
    assert ("## Fix safety" in rule.page) is not ("## Why no fix" in rule.page)
