"""The untouched PyTorch 2.6.0 tree: every finding with its verdict."""

import pytest

from mkls.diagnostics.model import Severity
from mkls.features.diagnostics import all_findings
from mkls.index.snapshot import Snapshot
from mkls.session.config import Config
from mkls.session.loading import load_workspace

TRUE = "true"
LOUD = (Severity.ERROR, Severity.WARNING)

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
    ("missing-dtype-registration", "histogramdd_bfloat"): (TRUE, "no kernel; the host says no"),
    ("argument-size-mismatch", "uint32_t"): (TRUE, "numIters is int64; little-endian luck"),
    ("short-vector-argument", "sizes"): (TRUE, "3 x uint32_t for a uint3 of 16 bytes"),
    ("encoder-outside-queue", "commandEncoder()"): (TRUE, "RenormKernel.mm and LinearAlgebra.mm"),
    ("argument-mismatch", "repeat_interleave_int32_t"): (TRUE, "`size` goes to no buffer"),
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


def test_few_findings_are_loud(snapshot):
    loud = [it for it in all_findings(snapshot, snapshot.sources) if it.severity in LOUD]

    assert len(loud) <= 15


def test_no_mps_dispatch_name_is_undefined(snapshot):
    names = [row.function("MPS") for row in snapshot.operators.rows if row.function("MPS")]
    undefined = [it.text for it in names if it and not snapshot.host.functions(it.symbol)]

    assert len(names) == 417
    assert undefined == []
