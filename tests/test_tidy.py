"""What no single file can promise."""

import pkgutil
import re
from pathlib import Path

import mkls.rules
from mkls.diagnostics.manual import page
from mkls.rules import KNOWN_RULES, RULES
from tests.write_manual import MANUAL

ROOT = Path(__file__).parents[1]
PAGES = Path(__file__).parent / "rules"
HEADINGS = ("What it does", "Why is this bad?", "Example", "Use instead")


def test_every_rule_module_is_registered_under_its_own_name():
    modules = {
        module.name.replace("_", "-") for module in pkgutil.iter_modules(mkls.rules.__path__)
    }

    assert modules == {rule.code for rule in RULES}


def test_every_rule_has_a_page_of_tests_and_every_page_a_rule():
    assert {page.stem for page in PAGES.glob("*.md")} == {rule.code for rule in RULES}


def test_every_rule_is_documented():
    for rule in RULES:
        assert rule.summary.endswith("."), rule.code
        for heading in HEADINGS:
            assert f"\n## {heading}\n" in rule.page, (rule.code, heading)


def test_the_manual_is_what_the_rules_say():
    written = {path.stem: path.read_text(encoding="utf-8") for path in MANUAL.glob("*.md")}

    assert written == {rule.code: page(rule) for rule in KNOWN_RULES}, (
        "run: python -m tests.write_manual"
    )


def test_no_file_names_a_place_of_one_machine():
    places = re.compile(r"/(?:root|home|work|Users)/\w|(?:pypi|pythonhosted|npmjs)\.(?:org|com)")
    texts = (
        path
        for folder in ("mkls", "tests", "editors", "grammars", ".ci", ".github")
        for path in (ROOT / folder).rglob("*")
        if path.suffix
        in {".py", ".md", ".toml", ".lua", ".ts", ".json", ".yml", ".sh", ".h", ".cc"}
        and "node_modules" not in path.parts
        and path != Path(__file__)
    )

    named = [str(path) for path in texts if places.search(path.read_text(encoding="utf-8"))]

    assert named == []
