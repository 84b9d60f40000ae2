"""PyTorch 2.6.0's own host code: every dispatch name, stub and lookup."""

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from mkls.index.host import HostIndex
from mkls.index.name_patterns import HostNames, Satisfaction
from tests.index.host_workspace import summary, tree_index, tree_index_with, tree_texts
from tests.syntax.metal.gcc import preprocessed_metal

HOST_NAME = re.compile(r"host_name\(\s*((?:\"[^\"]*\"\s*)+)\)")
KERNEL = re.compile(r"\bkernel\s+void\s+(\w+)")
PLAIN_KERNEL = re.compile(r"[;}]\s*kernel\s+void\s+(\w+)\s*\(")


@pytest.fixture(scope="module")
def index(pytorch_tree: Path) -> HostIndex:
    return tree_index(pytorch_tree)


@cache
def dispatch_names(root: Path) -> frozenset[str]:
    """Return the C++ names that rows of `native_functions.yaml` dispatch to for MPS."""
    text = (root / "aten/src/ATen/native/native_functions.yaml").read_text("utf-8")
    return frozenset(
        function.rpartition("::")[2]
        for row in yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        for keys, function in row.get("dispatch", {}).items()
        if "MPS" in [key.strip() for key in keys.split(",")]
    )


def test_every_dispatch_name_is_defined(index: HostIndex, pytorch_tree: Path) -> None:
    names = dispatch_names(pytorch_tree)
    assert len(names) == 394  # of the 417 rows with MPS, some share a C++ name
    assert [name for name in sorted(names) if not index.functions(name)] == []


def test_a_definition_is_placed_on_its_name(index: HostIndex, pytorch_tree: Path) -> None:
    texts = tree_texts(pytorch_tree)
    for name in dispatch_names(pytorch_tree):
        for function in index.functions(name):
            text = texts[function.uri.removeprefix("file:///")]
            written = function.name_place.span.of(text)
            assert written == name or (function.macro and written in name), (name, function.uri)


def test_some_functions_exist_through_macros_alone(index: HostIndex, pytorch_tree: Path) -> None:
    made = [
        {function.macro for function in index.functions(name)}
        for name in dispatch_names(pytorch_tree)
        if all(function.macro for function in index.functions(name))
    ]
    assert len(made) == 46
    assert {macro for macros in made for macro in macros} == {
        "CREATE_BINARY_TORCH_IMPL_FUNC",
        "CREATE_MPS_BINARY_COMPARISON_OP_FUNC",
        "CREATE_MPS_STRUCTURED_BINARY_OP_FUNC",
        "CREATE_MPS_STRUCTURED_BOOLEAN_OP_FUNC",
        "CREATE_MPS_STRUCTURED_UNARY_ROUNDING_TORCH_IMPL_FUNC",
        "CREATE_MPS_STRUCTURED_UNARY_TORCH_IMPL_FUNC",
        "CREATE_UNARY_TORCH_IMPL_FUNC",
    }


def test_every_mps_implementation_has_a_row(index: HostIndex, pytorch_tree: Path) -> None:
    named = dispatch_names(pytorch_tree)
    uris = [document.uri for document in index.documents if document.uri.endswith(".mm")]
    assert [orphan.name.text for uri in uris for orphan in index.orphans_in(uri, named)] == []


def test_stubs(index: HostIndex) -> None:
    stubs = index.stubs.by_name.values()
    registered = [stub for stub in stubs if stub.registered]
    assert len(registered) == 19
    assert [stub.name for stub in registered if not stub.declared or not stub.defined] == []
    assert [stub.name for stub in stubs if not stub.declared] == []
    assert sum(len(stub.registered) for stub in registered) == 19


def test_every_stub_is_found(index: HostIndex, pytorch_tree: Path) -> None:
    found = {True: set[str](), False: set[str]()}
    comments = re.compile(r"//[^\n]*|^[ \t]*#(?:[^\n\\]|\\.)*", re.MULTILINE | re.DOTALL)
    for path, text in tree_texts(pytorch_tree).items():
        if "_DISPATCH" in text and "/native/" in path:
            code = comments.sub("", text)
            found[True].update(re.findall(r"DEFINE_DISPATCH\(\s*(\w+)\s*\)", code))
            for start in re.finditer(r"DECLARE_DISPATCH\(", code):
                end = re.compile(r"(\w+)\s*\)\s*;?[ \t]*(?:\n|$)").search(code, start.end())
                assert end
                found[False].add(end[1])
    stubs = index.stubs.by_name.values()
    # RNN.cpp's macro ONE_HIDDEN_RNN(NAME, …) defines four stubs for each of its names.
    kinds = ("cudnn", "miopen", "packed_cudnn", "packed_miopen")
    made = {f"{name}_{it}_stub" for name in ("gru", "rnn_tanh", "rnn_relu") for it in kinds}
    assert {stub.name for stub in stubs if stub.defined} == found[True] | made
    assert {stub.name for stub in stubs if stub.declared} == found[False]


SHARED_ROWS_WITHOUT_STUBS = frozenset(
    [
        "_reshape_alias",
        "hardtanh",
        "hardtanh_",
        "hardtanh_out",
        "histogram",
        "histogram_histc",
        "histogramdd_bin_edges",
        "is_set_to",
        "isnan",
        "remainder",
        "roll",
        "set_",
        "set_tensor_",
        "unfold",
        "view",
        "view_as_complex",
        "view_as_real",
        "where",
    ]
)


def test_shared_rows_reach_a_stub_that_is_registered_for_mps(
    index: HostIndex, pytorch_tree: Path
) -> None:
    shared = {name for name in dispatch_names(pytorch_tree) if "mps" not in name}
    stubs = index.stubs.by_name
    reached = {name: [stubs[reach.stub] for reach in index.reaches(name)] for name in shared}
    assert {name for name, found in reached.items() if not found} == SHARED_ROWS_WITHOUT_STUBS
    assert [
        name for name, found in reached.items() if found and not any(s.registered for s in found)
    ] == []


def test_what_is_known_of_the_lookups(index: HostIndex) -> None:
    lines = [summary(linked) for linked in index.lookups]
    assert [line for line in lines if not line.endswith(": known")] == [
        "Quantized.mm _weight_int4pack_mm_mps: unknown",  # the width of a group is a number
        "View.mm getPipelineState: unknown",  # so is the number of dimensions
    ]
    assert len(lines) == 27


@pytest.fixture(scope="module")
def host_names(
    index: HostIndex, pytorch_tree: Path, tmp_path_factory: pytest.TempPathFactory
) -> HostNames:
    stubs = tmp_path_factory.mktemp("metal")
    folder = pytorch_tree / "aten/src/ATen/native/mps/kernels"
    names: set[str] = set()
    for path in folder.glob("*.metal"):
        text = preprocessed_metal(path, 310, stubs)
        names.update(PLAIN_KERNEL.findall(text))
        for match in HOST_NAME.finditer(text):
            names.add("".join(re.findall(r'"([^"]*)"', match[1])))
    assert len(names) == 196
    texts = tree_texts(pytorch_tree)
    for document in index.documents:
        for stated, shader in document.shaders():
            text = texts[document.uri.removeprefix("file:///")]
            names |= set(KERNEL.findall(stated.place(shader.span).span.of(text)))
    return HostNames(names)


def test_every_known_name_is_that_of_a_kernel(index: HostIndex, host_names: HostNames) -> None:
    asked = [request for linked in index.lookups for request in linked.requests]
    answers = [request.satisfied_by(host_names) for request in asked]
    assert answers.count(Satisfaction.YES) > 60
    assert answers.count(Satisfaction.UNKNOWN) == 3
    assert [(linked.place, linked.unsatisfied(host_names)) for linked in index.lookups] == [
        (linked.place, []) for linked in index.lookups
    ]
    # `exec_unary_kernel` has a branch for complex numbers, which erfinv never takes.
    assert [it.names.text for it in asked if not it.names.kernels(host_names)] == [
        "erfinv_complex_kernel"
    ]


def test_the_dtypes_are_those_of_2_6(index: HostIndex) -> None:
    assert index.dtypes == frozenset(
        [
            "float",
            "half",
            "bfloat",
            "int",
            "long",
            "short",
            "char",
            "uchar",
            "bool",
            "float2",
            "half2",
        ]
    )


@pytest.mark.parametrize(
    ("file", "right", "wrong", "asked"),
    [
        ("BinaryKernel.mm", '(iter, "fmax")', '(iter, "fmx")', "fmx_{dtype}"),
        (
            "Bucketization.mm",
            '"searchsorted_"',
            '"search_sorted_"',
            "search_sorted_{dtype}_{dtype}",
        ),
        ("Indexing.mm", '"kernel_index_offsets_32"', '"index_offsets_32"', "index_offsets_32"),
        ("Gamma.mm", '"trigamma"', '"tri_gamma"', "tri_gamma"),
        ("UnaryKernel.mm", 'output_, "exp")', 'output_, "exq")', "exq_complex_kernel"),
        ("FusedSgdKernel.mm", '"fused_sgd_momentum_"', '"fused_sgd_mom_"', "fused_sgd_mom_{dtype}"),
    ],
)
def test_a_wrong_name_is_found_where_it_is_written(
    pytorch_tree: Path, host_names: HostNames, file: str, right: str, wrong: str, asked: str
) -> None:
    texts = tree_texts(pytorch_tree)
    (path,) = (path for path in texts if path.endswith("/" + file))
    assert right in texts[path]
    text = texts[path].replace(right, wrong)
    index = tree_index_with(pytorch_tree, path, text)
    unsatisfied = [request for it in index.lookups for request in it.unsatisfied(host_names)]
    assert asked in {request.names.text for request in unsatisfied}
    written = wrong.partition('"')[2].partition('"')[0]
    assert {request.place.span.of(text) for request in unsatisfied} == {written}
