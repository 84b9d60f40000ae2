"""How many mistakes mkls notices, in the real 2.6.0 tree and in the sample tree.

Here are a few mistakes of each kind, for every change of the code; `python -m tests.mutation` draws
as many as wanted. The thresholds are those of the issue that asked for the rules.
"""

import shutil

from mkls.features.diagnostics import ALL_RULES
from tests.mutation.kinds import BY_NAME, KINDS
from tests.support.mutation import Subject, Verdict, describe, draw, recall_table

SEED = 20_261_201
OF_EACH_KIND = 3

AFRESH = 8
"""A session of its own looks at one kind in so many."""

EXACT_GROUPS = frozenset(("dispatch", "stub"))
"""The groups of which next to nothing may be missed."""


def verdicts(subject: Subject) -> list[Verdict]:
    drawn = draw(KINDS, subject.tree, SEED, OF_EACH_KIND * len(KINDS), OF_EACH_KIND)
    return [subject.judge(it) for it in drawn]


def share(verdicts: list[Verdict]) -> float:
    return sum(verdict.caught for verdict in verdicts) / len(verdicts)


def too_low(verdicts: list[Verdict]) -> list[str]:
    """Return the kinds of which too many are missed."""
    kinds = {verdict.mutation.kind for verdict in verdicts}
    of_kind = {kind: [it for it in verdicts if it.mutation.kind == kind] for kind in kinds}
    wanted = {kind: 0.99 if kind.group in EXACT_GROUPS else 0.9 for kind in kinds}
    return sorted(kind.name for kind in kinds if share(of_kind[kind]) < wanted[kind])


# One test draws and judges all: what takes time is done once.
def test_mistakes_are_noticed(pytorch_tree, new_style_tree):
    found: list[Verdict] = []
    missed: list[str] = []
    for root in (pytorch_tree, new_style_tree):
        subject = Subject(root)
        own = verdicts(subject)
        missed += [describe(it, subject.tree) for it in own if not it.caught]
        found += own
    report = "\n".join([recall_table(found), *missed])

    assert share(found) >= 0.95, report
    assert too_low(found) == [], report


def test_a_session_that_edits_knows_what_a_fresh_one_knows(new_style_tree, tmp_path):
    subject = Subject(new_style_tree, ALL_RULES)
    for number, mutation in enumerate(draw(KINDS, subject.tree, SEED, len(KINDS))[::AFRESH]):
        root = tmp_path / str(number)
        shutil.copytree(new_style_tree, root)
        path = root / mutation.site.path
        path.write_text(mutation.applied(path.read_text("utf-8")), encoding="utf-8")

        edited = subject.places_with(mutation)

        assert edited == Subject(root, ALL_RULES).places, mutation.kind.name


def test_a_mistake_that_is_mended_leaves_nothing(new_style_tree):
    subject = Subject(new_style_tree)
    (mutation,) = draw([BY_NAME["key-misspelt"]], subject.tree, SEED, 1)

    first, second = subject.judge(mutation), subject.judge(mutation)

    assert first.new
    assert first == second
