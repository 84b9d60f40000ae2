"""How many mistakes of extension authors mkls notices: all that can be made in the sample."""

import pytest

from mkls.features.diagnostics import DEFAULT_RULES
from tests.mutation.kinds import EXTENSION_KINDS
from tests.support.mutation import Mutation, Subject, describe
from tests.support.trees import EXTENSION

SHARE = 0.95


@pytest.fixture(scope="module")
def subject():
    return Subject(EXTENSION, DEFAULT_RULES)


def test_the_sample_is_clean(subject):
    assert subject.findings == []


@pytest.mark.parametrize("kind", EXTENSION_KINDS, ids=lambda kind: kind.name)
def test_mistakes_are_noticed(subject, kind):
    made = [
        Mutation(kind, site, text)
        for site in kind.sites(subject.tree)
        for text in site.replacements
    ]
    verdicts = [subject.judge(it) for it in made]
    missed = [describe(it, subject.tree) for it in verdicts if not it.caught]

    assert len(made) > 1
    assert len(missed) <= (1 - SHARE) * len(made), "\n".join(missed)
