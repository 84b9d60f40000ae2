"""Every fix on every page takes its diagnostic away, and the first one brings no other."""

import re
from pathlib import Path

import pytest

from mkls.diagnostics.model import Finding
from tests.support.checks import after, reports
from tests.support.fixture import Fixture, of_files
from tests.support.pages import sections

PAGES = sorted(Path(__file__).parent.glob("*.md"))
YAML = "aten/src/ATen/native/native_functions.yaml"


def claim(found: Finding) -> tuple[str, str]:
    """The rule and the name that its message begins with."""
    return found.rule.code, "`".join(found.diagnostic.message.split("`")[:2])


def claims(fixture: Fixture) -> list[tuple[str, str]]:
    return sorted(map(claim, reports(fixture)))


def check_fixes(fixture: Fixture, found: Finding) -> None:
    others = claims(fixture)
    others.remove(claim(found))
    for index, fix in enumerate(found.diagnostic.fixes):
        left = claims(after(fixture, fix))
        assert left.count(claim(found)) == others.count(claim(found)), fix.title
        assert index > 0 or left == others, fix.title


@pytest.mark.parametrize(
    "workspace",
    [
        pytest.param(workspace, id=f"{page.stem}: {title}")
        for page in PAGES
        for title, workspace in sections(page.read_text(encoding="utf-8")).items()
        if any(it.diagnostic.fixes for it in reports(workspace))
    ],
)
def test_a_fix_takes_its_diagnostic_away(workspace):
    for found in reports(workspace):
        check_fixes(workspace, found)


def without_mps(text: str, row: str) -> str:
    """`text` without the MPS line of `row`."""
    head, separator, tail = text.partition(f"- func: {row}(")
    assert separator
    return head + separator + re.sub(r"\n    MPS: \S+", "", tail, count=1)


@pytest.mark.parametrize("row", ["logit", "logit.out", "max", "fill_.Scalar", "ge.Scalar_out"])
def test_a_deleted_mps_line_of_pytorch_comes_back(row, pytorch_tree):
    text = (pytorch_tree / YAML).read_text(encoding="utf-8")
    before = claims(of_files({YAML: text}))
    broken = of_files({YAML: without_mps(text, row)})

    [found] = [it for it in reports(broken) if claim(it) not in before]
    document = broken.snapshot.sources[found.uri].document
    line = document.lines.position(found.diagnostic.span.start).line
    assert document.lines.content(line).startswith(f"- func: {row}(")
    check_fixes(broken, found)
