"""What operators run on MPS, and who asks for a kernel."""

import pytest

from mkls.index.kernel_users import lookups_of_kernel, rows_of_kernel
from mkls.index.mps_state import State, mps_state
from mkls.session.config import Config
from mkls.session.loading import load_workspace
from tests.features.ripple import RIPPLE
from tests.support.fixture import parse

SEVERAL = """
//- aten/src/ATen/native/native_functions.yaml
- func: dune(Tensor self) -> Tensor
  dispatch:
    MPS: dune_mps

- func: mesa(Tensor self) -> Tensor
  dispatch:
    MPS: mesa_mps

- func: butte(Tensor self) -> Tensor
  dispatch:
    MPS: butte_mps

- func: gorge(Tensor self) -> Tensor
  dispatch:
    CPU: gorge_cpu

- func: ridge(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA, MPS: ridge

- func: cliff(Tensor self) -> Tensor

- func: cove(Tensor self) -> Tensor
  dispatch:
    MPS: cove_mps

//- aten/src/ATen/native/Ridge.cpp
DEFINE_DISPATCH(ridge_stub);
Tensor ridge(const Tensor& self) {
  ridge_stub(self.device().type(), self);
}

//- aten/src/ATen/native/mps/kernels/Dune.metal
kernel void dune_float(device float* out [[buffer(0)]]) {}
kernel void dune_half(device half* out [[buffer(0)]]) {}
kernel void mesa(device float* out [[buffer(0)]]) {}

//- aten/src/ATen/native/mps/operations/Dune.mm
static void launch(const Tensor& self, const std::string& name) {
  auto pso = lib.getPipelineStateForFunc(name);
}
Tensor dune_mps(const Tensor& self) {
  launch(self, "dune_" + scalarToMetalTypeString(self));
}
Tensor mesa_mps(const Tensor& self) {
  launch(self, "mesa");
  auto graph = LookUpOrCreateCachedGraph<MPSCachedGraph>(key, make);
}
static void build(MPSGraph* graph) {}
Tensor butte_mps(const Tensor& self) {
  build(nil);
}
Tensor cove_mps(const Tensor& self) {
  return self;
}
"""


@pytest.fixture(scope="module")
def snapshot():
    return parse(SEVERAL).snapshot


@pytest.mark.parametrize(
    ("row", "state", "kernels"),
    [
        ("dune", State.METAL, ("dune_float", "dune_half")),
        ("mesa", State.MIXED, ("mesa",)),
        ("butte", State.GRAPH, ()),
        ("cove", State.HOST, ()),
        ("gorge", State.MISSING, ()),
        ("ridge", State.UNREGISTERED, ()),
        ("cliff", State.COMPOSITE, ()),
    ],
)
def test_what_a_row_runs(snapshot, row, state, kernels):
    found = mps_state(snapshot, snapshot.operators.row(row))

    assert found.state is state
    assert found.kernels(snapshot) == kernels


def test_a_helper_s_other_callers_do_not_count(snapshot):
    """`launch` is handed names by two rows' functions: each has its own."""
    names = {
        name: [row.name for row in rows_of_kernel(snapshot, name)]
        for name in ("dune_float", "dune_half", "mesa")
    }

    assert names == {"dune_float": ["dune"], "dune_half": ["dune"], "mesa": ["mesa"]}


def test_a_stub_leads_from_a_shared_row_to_kernels_and_back():
    snapshot = parse(RIPPLE).snapshot
    found = mps_state(snapshot, snapshot.operators.row("ripple"))

    assert (found.state, found.stubs) == (State.METAL, ("ripple_stub",))
    assert found.is_migrated
    assert found.dtypes(snapshot) == ("float", "half")
    assert [row.name for row in rows_of_kernel(snapshot, "ripple_half")] == ["ripple.out"]
    (linked,) = lookups_of_kernel(snapshot, "ripple_half")
    assert linked.function.name.text == "ripple_mps_kernel"


def test_a_stub_s_function_may_be_written_with_its_namespace():
    source = RIPPLE.replace("&ripple_mps_kernel", "&mps::ripple_mps_kernel")
    snapshot = parse(source).snapshot

    assert mps_state(snapshot, snapshot.operators.row("ripple")).state is State.METAL
    assert rows_of_kernel(snapshot, "ripple_half")


def test_the_real_tree(pytorch_tree):
    snapshot = load_workspace(pytorch_tree, Config()).snapshot()
    states = {
        name: mps_state(snapshot, snapshot.operators.row(name)).state
        for name in ("fmax", "add.Tensor", "mm", "heaviside", "linalg_svd", "absolute")
    }

    assert states == {
        "fmax": State.METAL,
        "add.Tensor": State.GRAPH,
        "mm": State.MIXED,
        "heaviside": State.MISSING,
        "linalg_svd": State.LIBRARY,
        "absolute": State.COMPOSITE,
    }
    assert [row.name for row in rows_of_kernel(snapshot, "fmax_float")] == ["fmax.out"]
