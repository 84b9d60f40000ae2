"""The untouched PyTorch 2.6.0 tree: every finding with its verdict."""

import pytest

from mkls.features.diagnostics import all_findings
from mkls.index.snapshot import Snapshot
from mkls.session.config import Config
from mkls.session.loading import load_workspace

TRUE = "true"

# (code, what it is about) -> (verdict, why)
VERDICTS = {
    ("missing-sibling-dispatch", "isin.Tensor_Scalar_out"): (TRUE, "2.13 lists MPS here"),
    ("missing-sibling-dispatch", "isin.Scalar_Tensor_out"): (TRUE, "2.13 lists MPS here"),
    ("missing-sibling-dispatch", "round.decimals_out"): (TRUE, "2.13 lists MPS here"),
    ("missing-sibling-dispatch", "logit_"): (TRUE, "still missing in 2.13"),
    ("missing-sibling-dispatch", "std.correction_out"): (TRUE, "still missing in 2.13"),
    ("missing-sibling-dispatch", "var.correction_out"): (TRUE, "still missing in 2.13"),
    ("missing-sibling-dispatch", "min.unary_out"): (TRUE, "still missing in 2.13"),
    ("missing-sibling-dispatch", "max.unary_out"): (TRUE, "still missing in 2.13"),
}


@pytest.fixture(scope="module")
def snapshot(pytorch_tree) -> Snapshot:
    return load_workspace(pytorch_tree, Config()).snapshot()


def test_every_finding_has_a_verdict(snapshot):
    found = {
        (it.rule.code, it.diagnostic.message.split("`")[1])
        for it in all_findings(snapshot, snapshot.sources)
    }

    assert found == VERDICTS.keys()
    assert len(found) <= 15


def test_no_mps_dispatch_name_is_undefined(snapshot):
    names = [row.function("MPS") for row in snapshot.operators.rows if row.function("MPS")]
    undefined = [it.text for it in names if it and not snapshot.host.functions(it.symbol)]

    assert len(names) == 417
    assert undefined == []
