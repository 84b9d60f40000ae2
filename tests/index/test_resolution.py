"""What each row runs on an MPS tensor; the dispatcher of torch 2.13 is the oracle."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from mkls.facts.native_functions import native_functions_facts
from mkls.index.operators import operator_index
from mkls.index.resolution import ResolutionKind, has_native_kernel, resolution
from mkls.text.document import Uri

PROGRAM = Path(__file__).with_name("dispatch_tables.py")
URI = Uri("file:///aten/src/ATen/native/native_functions.yaml")
OUT = """\
- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU, CUDA{key}: f_out
"""
DELEGATE = """\
- func: f(Tensor self) -> Tensor
  structured_delegate: f.out
"""


def index_of(text, library_impls=None):
    return operator_index({URI: native_functions_facts(text)}, {}, library_impls)


def index_of_file(path):
    return index_of(path.read_text(encoding="utf-8"))


def resolved(text, name="f", key="MPS", library_impls=None):
    index = index_of(text, library_impls)
    return resolution(index, index.row(name), key)


def row(dispatch):
    return f"- func: f(Tensor self) -> Tensor\n  dispatch:\n    {dispatch}\n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (row("MPS: f_mps"), ResolutionKind.EXPLICIT),
        (row("CPU, CUDA, MPS: f"), ResolutionKind.EXPLICIT),
        (row("CPU: f"), ResolutionKind.NOTHING),
        (row("CompositeImplicitAutograd: f\n    MPS: f_mps"), ResolutionKind.EXPLICIT),
        (row("CPU: f\n    CompositeExplicitAutograd: g"), ResolutionKind.COMPOSITE_EXPLICIT),
        (row("CompositeImplicitAutograd: f_symint"), ResolutionKind.COMPOSITE_IMPLICIT),
        ("- func: f(Tensor self) -> Tensor\n", ResolutionKind.COMPOSITE_IMPLICIT),
        (DELEGATE + OUT.format(key=", MPS"), ResolutionKind.DELEGATE),
        (DELEGATE + OUT.format(key=""), ResolutionKind.COMPOSITE_EXPLICIT_NON_FUNCTIONAL),
        (
            row("CPU: f\n    CompositeExplicitAutogradNonFunctional: g"),
            ResolutionKind.COMPOSITE_EXPLICIT_NON_FUNCTIONAL,
        ),
        (row("CompositeImplicitAutogradNestedTensor: f"), ResolutionKind.NOTHING),
    ],
)
def test_the_kind_of_a_resolution(text, kind):
    assert resolved(text).kind is kind


def test_a_library_block_is_an_implementation():
    found = resolved(row("CPU: f"), library_impls={"f": object()})

    assert found.kind is ResolutionKind.LIBRARY
    assert not found.is_native, "it may be the fallback to the CPU"


def test_a_delegate_resolves_to_the_function_of_the_out_row():
    found = resolved(DELEGATE + OUT.format(key=", MPS"))

    assert (found.row.name, found.function.text, found.is_shared) == ("f.out", "f_out", True)


def test_a_delegate_without_mps_names_the_out_row_that_the_error_will_name():
    found = resolved(DELEGATE + OUT.format(key=""))

    assert (found.row.name, found.is_native) == ("f.out", False)


def test_sparse_tensors_get_neither_the_delegate_nor_non_functional_kernels():
    delegate = DELEGATE + OUT.format(key=", MPS")
    non_functional = row("CPU: f\n    CompositeExplicitAutogradNonFunctional: g")

    assert resolved(delegate, key="SparseMPS").kind is ResolutionKind.NOTHING
    assert resolved(non_functional, key="SparseMPS").kind is ResolutionKind.NOTHING
    assert resolved(row("SparseMPS: f"), key="SparseMPS").kind is ResolutionKind.EXPLICIT


def test_rows_of_2_13_by_kind(native_functions_2_13):
    index = index_of_file(native_functions_2_13)

    assert Counter(resolution(index, it).kind for it in index.rows) == {
        ResolutionKind.EXPLICIT: 533,
        ResolutionKind.DELEGATE: 357,
        ResolutionKind.COMPOSITE_IMPLICIT: 738,
        ResolutionKind.COMPOSITE_EXPLICIT: 535,
        ResolutionKind.COMPOSITE_EXPLICIT_NON_FUNCTIONAL: 83,
        ResolutionKind.NOTHING: 338,
    }


def test_rows_of_2_6_by_kind(pytorch_tree):
    index = index_of_file(pytorch_tree / "aten/src/ATen/native/native_functions.yaml")
    kinds = Counter(resolution(index, it).kind for it in index.rows)

    assert kinds[ResolutionKind.EXPLICIT] == 417
    assert kinds[ResolutionKind.DELEGATE] == 290
    assert sum(it.is_own_line() for it in index.rows) == 369
    assert sum(it.is_shared_line() for it in index.rows) == 48
    native = [it for it in index.rows if has_native_kernel(index, it)]
    assert len(native) == 417 + 290


EXPECTED = {
    ResolutionKind.COMPOSITE_IMPLICIT: "CompositeImplicitAutograd",
    ResolutionKind.COMPOSITE_EXPLICIT: "CompositeExplicitAutograd",
    ResolutionKind.COMPOSITE_EXPLICIT_NON_FUNCTIONAL: "CompositeExplicitAutogradNonFunctional",
    # The wheel lacks the MPS kernel: the one for delegating rows shows instead.
    ResolutionKind.DELEGATE: "CompositeExplicitAutogradNonFunctional",
    ResolutionKind.NOTHING: None,
}
PYTHON_ONLY = {"linalg_lu_solve.out"}
"""torch/_refs/linalg registers it from Python, for every backend."""


@pytest.mark.parametrize("key", ["MPS", "SparseMPS"])
def test_every_row_of_2_13_resolves_as_the_dispatcher_does(key, native_functions_2_13):
    index = index_of_file(native_functions_2_13)
    run = subprocess.run(
        [sys.executable, str(PROGRAM)],
        input=json.dumps([it.name for it in index.rows]),
        capture_output=True,
        text=True,
        check=True,
    )
    tables = json.loads(run.stdout)
    explicit, differing = 0, []
    for it in index.rows:
        found, kernel = resolution(index, it, key).kind, tables[it.name].get(key)
        if found is ResolutionKind.EXPLICIT:
            explicit += 1
        elif kernel != EXPECTED[found]:
            differing.append((it.name, found, kernel))

    assert explicit == {"MPS": 533, "SparseMPS": 160}[key]
    assert {name for name, _, kernel in differing if kernel == "python"} <= PYTHON_ONLY
    assert [it for it in differing if it[0] not in PYTHON_ONLY] == []
