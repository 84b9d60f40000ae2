import json
import sys
from types import SimpleNamespace

import pytest

from mkls.cli import doctor
from mkls.cli.main import run
from mkls.rules import KNOWN_RULES as RULES


def test_rules_lists_each_rule_with_its_summary(capsys):
    assert run(["rules"]) == 0

    out = capsys.readouterr().out
    for rule in RULES:
        assert rule.code in out
        assert rule.summary in out


def test_rules_as_json(capsys):
    run(["rules", "--output-format", "json"])

    assert [it["code"] for it in json.loads(capsys.readouterr().out)] == [it.code for it in RULES]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_explain_prints_the_page(rule, capsys):
    assert run(["explain", rule.code]) == 0

    assert rule.page in capsys.readouterr().out


def test_explain_proposes_what_may_have_been_meant(capsys):
    assert run(["explain", "mising-sibling-dispatch"]) == 2

    assert "did you mean `missing-sibling-dispatch`?" in capsys.readouterr().err


def test_without_a_command_the_help_is_shown(capsys):
    assert run([]) == 2

    out = capsys.readouterr().out
    assert "check" in out
    assert "doctor" in out


def test_doctor_tells_versions_and_never_fails(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    assert run(["doctor"]) == 0

    out = capsys.readouterr().out
    assert "✓ mkls" in out
    assert "no PyTorch checkout" in out


@pytest.mark.parametrize(
    ("platform", "said"), [("linux", ""), ("darwin", "tried on a Mac"), ("win32", "this system")]
)
def test_doctor_says_where_kernels_have_not_been_tried(
    platform, said, capsys, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(doctor, "sys", SimpleNamespace(**{**vars(sys), "platform": platform}))

    assert run(["doctor"]) == 0

    out = capsys.readouterr().out
    assert said in out
    assert ("untried" in out) == bool(said)
