"""What every plan keeps, on real trees: nothing breaks, nothing overlaps, all can be undone."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
import ruamel.yaml

from mkls.generation.plan import Plan, Reason, Refusal, changed_texts
from mkls.index.operators import OperatorIndex, Row
from mkls.index.snapshot import Snapshot
from mkls.text.edit import Edit, apply_edits, overlapping
from mkls.text.span import Span
from tests.generation.workspaces import (
    PLANNERS,
    Case,
    Workshop,
    claims,
    new_style_workshop,
    read,
    workshop_at,
)

# Each plan costs a whole check; `python -m tests.generation.sweep` carries out all of them.
EVERY = 12


@pytest.fixture(scope="module")
def old(pytorch_tree) -> Workshop:
    """PyTorch 2.6."""
    return workshop_at(pytorch_tree)


@pytest.fixture(scope="module")
def new(tmp_path_factory, pytorch_tree, native_functions_2_13) -> Workshop:
    """The rows of 2.13."""
    folder = tmp_path_factory.mktemp("new_style")
    return new_style_workshop(folder, pytorch_tree, native_functions_2_13)


@pytest.fixture(scope="module", params=["old", "new"])
def workshop(request) -> Workshop:
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def cases(workshop) -> list[Case]:
    return list(workshop.cases())


def plans(cases: list[Case]) -> list[tuple[Case, Plan]]:
    return [(it, it.answer) for it in cases if isinstance(it.answer, Plan)]


def test_hundreds_of_plans_are_offered(cases, workshop, old):
    number = len(plans(cases))

    assert number > (250 if workshop is old else 120)


def test_every_refusal_says_why(cases):
    refusals = [it.answer for it in cases if isinstance(it.answer, Refusal)]

    assert all(it.message for it in refusals)
    assert {it.reason for it in refusals} >= {
        Reason.UFUNC, Reason.BACKENDS_DIFFER, Reason.NOT_ELEMENTWISE, Reason.NOTHING_TO_DO,
    }  # fmt: skip


def test_edits_do_not_overlap(cases):
    for case, plan in plans(cases):
        by_uri: dict[str, list[Edit]] = {}
        for it in plan.edits:
            by_uri.setdefault(it.uri, []).append(it.edit)
        assert not any(overlapping(edits) for edits in by_uri.values()), case.operator


def inverse(text: str, edits: list[Edit]) -> list[Edit]:
    """The edits that take `edits` back."""
    found: list[Edit] = []
    moved = 0
    for it in sorted(edits, key=lambda it: it.span):
        start = it.span.start + moved
        found.append(Edit(Span(start, start + len(it.new_text)), it.span.of(text)))
        moved += len(it.new_text) - (it.span.end - it.span.start)
    return found


def test_every_plan_can_be_undone(cases, workshop):
    for case, plan in plans(cases):
        texts = changed_texts(workshop.snapshot, plan)
        for uri in {it.uri for it in plan.edits}:
            before = workshop.snapshot.sources[uri].document.text
            edits = [it.edit for it in plan.edits if it.uri == uri]
            assert apply_edits(texts[uri], inverse(before, edits)) == before, case.operator


def test_nothing_is_found_that_was_not_there_before_and_nothing_is_offered_twice(cases, workshop):
    before = claims(workshop.snapshot)
    for case, plan in plans(cases)[::EVERY]:
        after = workshop.after(plan)

        assert claims(after) - before == {}, case.operator
        again = PLANNERS[case.planner](after, case.operator, workshop.cpu_sources)
        assert isinstance(again, Refusal), case.operator


def rows_after(workshop: Workshop, plan: Plan) -> list[tuple[Row, Row]]:
    """The rows that `plan` changes, before and after."""
    texts = changed_texts(workshop.snapshot, plan)
    uri = next(iter(workshop.snapshot.operators.rows_in))
    if uri not in texts:
        return []
    changed: OperatorIndex = Snapshot.of([read(uri, texts[uri])]).operators
    known = workshop.snapshot.operators.by_name
    return [(known[row.name], row) for row in changed.rows if known[row.name].entry != row.entry]


def yaml_of(workshop: Workshop, plan: Plan | None) -> str:
    uri = next(iter(workshop.snapshot.operators.rows_in))
    text = workshop.snapshot.sources[uri].document.text
    return changed_texts(workshop.snapshot, plan).get(uri, text) if plan else text


def entry_text(text: str, row: Row) -> str:
    return text[row.start : row.start + row.entry.end]


def test_only_the_dispatch_of_rows_changes(cases, workshop):
    loader = ruamel.yaml.YAML()  # round trip: comments and quotes are part of what it reads
    before_text = yaml_of(workshop, None)
    for case, plan in plans(cases)[::3]:
        after_text = yaml_of(workshop, plan)
        for before, after in rows_after(workshop, plan):
            old_entry = loader.load(entry_text(before_text, before))[0]
            new_entry = loader.load(entry_text(after_text, after))[0]
            new_dispatch = dict(new_entry.pop("dispatch"))
            old_dispatch = dict(old_entry.pop("dispatch"))
            assert dumped(loader, new_entry) == dumped(loader, old_entry), case.operator
            assert flat(new_dispatch) == flat(old_dispatch) | mps_of(new_dispatch), case.operator


def dumped(loader: ruamel.yaml.YAML, entry: object) -> str:
    stream = io.StringIO()
    loader.dump(entry, stream)
    return stream.getvalue()


def flat(dispatch: dict[str, str]) -> dict[str, str]:
    return {key.strip(): function for keys, function in dispatch.items() for key in keys.split(",")}


def mps_of(dispatch: dict[str, str]) -> dict[str, str]:
    return {"MPS": flat(dispatch)["MPS"]}


PARSE = """
import json, sys
from torchgen.gen import parse_native_yaml
tags, *paths = json.load(sys.stdin)
import torchgen.gen as gen
for path in paths:
    gen._GLOBAL_PARSE_NATIVE_YAML_CACHE.clear()
    parse_native_yaml(path, tags)
print(len(paths))
"""


def merged_texts(workshop: Workshop, chosen: list[Plan]) -> str:
    uri = next(iter(workshop.snapshot.operators.rows_in))
    text = workshop.snapshot.sources[uri].document.text
    edits = [it.edit for plan in chosen for it in plan.edits if it.uri == uri]
    return apply_edits(text, edits)


def test_torchgen_of_that_version_takes_every_row(cases, workshop, old, pytorch_tree, tmp_path):
    """Operators have rows of their own, so that many plans can be parsed at once."""
    if workshop is old:
        place, tags = pytorch_tree, pytorch_tree / "aten/src/ATen/native/tags.yaml"
    else:
        place = None
        import torchgen  # noqa: PLC0415  (the installed one, of 2.13)

        tags = Path(torchgen.__file__).parent / "packaged/ATen/native/tags.yaml"
    paths = []
    for planner in PLANNERS:
        chosen = [plan for case, plan in plans(cases) if case.planner == planner]
        path = tmp_path / f"{planner}.yaml"
        path.write_text(merged_texts(workshop, chosen), encoding="utf-8")
        paths.append(str(path))

    parsed = subprocess.run(
        [sys.executable, "-c", PARSE],
        input=json.dumps([str(tags), *paths]),
        cwd=place or tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert parsed.stderr == ""
    assert parsed.stdout == "2\n"


def test_the_five_known_gaps_of_2_13_are_offered(new):
    for name in ("logit_", "max.unary_out", "min.unary_out", "std.correction_out",
                 "var.correction_out"):  # fmt: skip
        answer = PLANNERS["add-mps"](new.snapshot, name, new.cpu_sources)
        assert isinstance(answer, Plan), name
        row = new.snapshot.operators.row(name)
        after = new.after(answer).operators.row(name)
        assert row.function("MPS") is None
        assert after.function("MPS") is not None
        assert claims(new.after(answer)) - claims(new.snapshot) == {}


def shares(row: Row) -> bool:
    cuda = row.function("CUDA")
    return cuda is not None and cuda.text == row.function("CPU").text


def test_every_migration_candidate_of_2_13_is_offered_or_refused_with_a_reason(new):
    rows = new.snapshot.operators.rows
    candidates = [it for it in rows if it.is_own_line() and it.function("CPU") and shares(it)]
    answers = [PLANNERS["migrate"](new.snapshot, it.name, ()) for it in candidates]

    assert len(candidates) == 76
    assert sum(isinstance(it, Plan) for it in answers) > 25
    reasons = {it.reason for it in answers if isinstance(it, Refusal)}
    assert reasons <= {
        Reason.NOT_ELEMENTWISE, Reason.NO_STUB, Reason.PARAMETERS, Reason.SPECIAL_RESULT,
        Reason.STUB_UNKNOWN, Reason.STILL_USED,
    }  # fmt: skip
