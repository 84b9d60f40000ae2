"""`exec_*`: what the library asks for, as the workspace has it or by the data of 2.13."""

from pathlib import Path

import pytest

from mkls.index.host import HostIndex
from mkls.index.lookup_formulas import DTYPES_2_13, FORMULAS
from mkls.index.name_patterns import HostNames, Satisfaction
from tests.index.host_workspace import index_of, written

LIBRARY = r"""
std::string scalarToMetalTypeString(const c10::ScalarType& scalar_type) {
  switch (scalar_type) {
    case ScalarType::Float:
      return "float";
    case ScalarType::Half:
      return "half";
    default:
      TORCH_CHECK(false, "Undefined type ", scalar_type);
      return "Undefined";
  }
}

void MetalShaderLibrary::exec_unary_kernel(TensorIteratorBase& iter,
                                           const std::string& name,
                                           std::optional<c10::Scalar> alpha) {
  if (!iter.can_use_32bit_indexing()) {
    for (auto&& part : iter.with_32bit_indexing()) {
      exec_unary_kernel(part, name, alpha);
    }
    return;
  }
  const bool tight = iter.is_contiguous();
  std::string_view shape;
  if (!tight) {
    shape = "strided";
  } else if (alpha.has_value()) {
    shape = "dense";
  } else {
    shape = "dense_scalar";
  }
  auto kernel_name = fmt::format("{}_{}_{}_{}{}",
                                 name,
                                 shape,
                                 scalarToMetalTypeString(iter.output()),
                                 scalarToMetalTypeString(iter.input()),
                                 alpha ? fmt::format("_{}", scalarToMetalTypeString(kind)) : "");
  if (!hasFunction(kernel_name)) {
    shape = tight ? "dense_castout" : "strided_castout";
    kernel_name = fmt::format("{}_{}_{}", name, shape, scalarToMetalTypeString(iter.input()));
  }
  if (bytes_only) {
    kernel_name = "inner_contiguous_copy";
  }
  @autoreleasepool {
    auto pso = getPipelineStateForFunc(kernel_name);
  }
}

void MetalShaderLibrary::exec_ternary_kernel(TensorIteratorBase& iter, const std::string& name) {
  const auto mixed = iter.dtype(1) != iter.dtype(2);
  const auto shape = iter.is_contiguous() ? "dense" WIDTH_OF_HEADER : "strided";
  const auto kernel_name = mixed
      ? fmt::format("{}_{}_cast_{}", name, shape, scalarToMetalTypeString(iter.output()))
      : fmt::format("{}_{}_{}_{}",
                    name,
                    shape,
                    scalarToMetalTypeString(iter.output()),
                    scalarToMetalTypeString(iter.input()));
  auto pso = getPipelineStateForFunc(kernel_name);
}
"""
USER = """
static auto& lib = MetalShaderLibrary::getBundledLibrary();
static void lerp_kernel(TensorIteratorBase& iter, const Scalar& weight) {
  lib.exec_unary_kernel(iter, "lerp", weight);
}
static void addcmul_kernel(TensorIteratorBase& iter) { lib.exec_ternary_kernel(iter, "addcmul"); }
"""
FILES = {"OperationUtils.mm": LIBRARY, "Unary.mm": USER}


def test_the_dtypes_are_those_of_the_workspace() -> None:
    assert index_of(FILES).dtypes == {"float", "half"}
    assert index_of({"Unary.mm": USER}).dtypes == DTYPES_2_13


def names(index: HostIndex, number: int) -> set[str]:
    (request,) = index.lookups[number].requests
    return set(request.names.text.split(" or "))


def test_a_formula_is_folded_from_the_workspaces_library() -> None:
    index = index_of(FILES)
    # Branches after the probe come on top of those before it: `shape` has five values in all.
    assert {
        "lerp_strided_{dtype}_{dtype}",
        "lerp_dense_{dtype}_{dtype}_{dtype}",
        "lerp_dense_scalar_{dtype}_{dtype}",
        "lerp_dense_castout_{dtype}",
        "lerp_strided_castout_{dtype}",
    } <= names(index, 0)
    assert all(name.startswith("lerp_") for name in names(index, 0))
    assert names(index, 1) == {
        *("addcmul_dense{…}_cast_{dtype}", "addcmul_strided_cast_{dtype}"),
        *("addcmul_dense{…}_{dtype}_{dtype}", "addcmul_strided_{dtype}_{dtype}"),
    }
    (request,) = index.lookups[1].requests
    assert request.names.satisfied_by(HostNames(["addcmul_dense4_half_half"])) is Satisfaction.YES
    assert request.names.satisfied_by(HostNames(["addcdiv_dense4_half_half"])) is Satisfaction.NO


def test_the_headers_of_2_13_hold_the_formulas_with_parameters(torch_include: Path) -> None:
    folder = torch_include / "ATen/native/mps"
    headers = {
        f"ATen/native/mps/{name}": (folder / name).read_text("utf-8")
        for name in ("OperationUtils.h", "MetalShaderLibrary.h")
    }
    use = """
void unary(TensorIteratorBase& iter) {
  const auto type = "Params_" + mps::scalarToMetalTypeString(x);
  lib.exec_unary_kernel_with_params(iter, "nan_to_num", params, type);
}
void binary(TensorIteratorBase& iter) {
  lib.exec_binary_kernel_with_params(iter, "kl", params, "Params");
}
"""
    index = index_of({**headers, "Use.mm": use})
    assert names(index, 0) == {
        f"nan_to_num_{shape}_{{dtype}}_{{dtype}}_Params_{{dtype}}" for shape in ("dense", "strided")
    }
    assert names(index, 1) == names(index_of({"Use.mm": use}), 1)


def test_a_name_without_the_stem_satisfies_nobody() -> None:
    (request,) = index_of(FILES).lookups[0].requests
    assert request.names.satisfied_by(HostNames(["inner_contiguous_copy"])) is Satisfaction.NO


def test_the_librarys_own_lookups_are_not_listed() -> None:
    functions = [linked.function.name.text for linked in index_of(FILES).lookups]
    assert functions == ["lerp_kernel", "addcmul_kernel"]


@pytest.mark.parametrize("function", sorted(FORMULAS))
def test_every_formula_of_2_13_asks_for_its_stem(function: str) -> None:
    raw, params = function.endswith("_raw"), function.endswith("_with_params")
    arguments = '"stem", buffer' if raw else 'iter, "stem"'
    arguments += ', value, "Params"' if params else ""
    index = index_of(
        {"a.mm": f"void f(TensorIteratorBase& iter) {{ lib.{function}({arguments}); }}"}
    )
    asked = names(index, 0)
    assert len(asked) > 1
    assert all(name.startswith("stem_") for name in asked)
    assert any(name.endswith("_Params") for name in asked) == params


@pytest.mark.parametrize(
    ("call", "kernels", "expected"),
    [
        ('exec_unary_kernel(iter, "exp")', ["exp_dense_castout_float"], Satisfaction.YES),
        ('exec_unary_kernel(iter, "exp")', ["exp_dense_float_half"], Satisfaction.YES),
        ('exec_unary_kernel(iter, "exp")', ["expm1_dense_float_float"], Satisfaction.NO),
        ('exec_unary_kernel(iter, "exp")', ["exp_dense_uint16_t_uint16_t"], Satisfaction.NO),
        ('exec_binary_kernel(iter, "fmax")', ["fmax_dense_ilp4_half_half"], Satisfaction.YES),
        ('exec_binary_kernel(iter, "fmx")', ["fmax_dense_half_half"], Satisfaction.NO),
        ("exec_binary_kernel(iter, stem(iter))", ["fmax_dense_half_half"], Satisfaction.UNKNOWN),
    ],
)
def test_whether_a_kernel_satisfies_a_request(
    call: str, kernels: list[str], expected: Satisfaction
) -> None:
    index = index_of({"a.mm": f"void f(TensorIteratorBase& iter) {{ lib.{call}; }}"})
    (request,) = index.lookups[0].requests
    assert request.names.satisfied_by(HostNames(kernels)) is expected


def test_the_kernels_that_may_be_meant() -> None:
    index = index_of(
        {"a.mm": 'void f(int n) { lib.getPipelineStateForFunc(fmt::format("mm_{}_k", n)); }'}
    )
    (request,) = index.lookups[0].requests
    assert request.names.kernels(HostNames(["mm_8_k", "mm_16_k", "mm_8", "other"])) == [
        *("mm_16_k", "mm_8_k")
    ]


def test_a_stem_handed_through_a_wrapper() -> None:
    files = {
        "Binary.mm": """
namespace mps {
void binary_op_kernel(const std::string func_name, const Tensor& a, const Tensor& out) {
  auto iter = make(a, out);
  lib.exec_binary_kernel(iter, func_name, alpha);
}
} // namespace mps
""",
        "Ops.mm": "void add(const Tensor& a, const Tensor& o) {"
        '  mps::binary_op_kernel(sub ? "sub" : "add", a, o); }',
    }
    (linked,) = index_of(files).lookups
    assert [written(files, request) for request in linked.requests] == ["sub", "add"]
    assert "add_dense_{dtype}_{dtype}" in linked.requests[1].names.text


def test_a_function_of_the_same_name_as_the_librarys_is_an_ordinary_helper() -> None:
    text = """
static void exec_unary_kernel(const Tensor& self, const Tensor& out, const std::string& name) {
  lib.getPipelineStateForFunc(name + "_kernel", {a, b});
}
TORCH_IMPL_FUNC(exp_out_mps)(const Tensor& self, const Tensor& out) {
  exec_unary_kernel(self, out, "exp");
}
"""
    (linked,) = index_of({"Unary.mm": text}).lookups
    assert [request.names.text for request in linked.requests] == ["exp_kernel"]
    assert linked.lookup.type_arguments == 2


def test_scans_ask_for_one_of_several_shapes() -> None:
    text = """
static void scan(const Tensor& self, int64_t dim, const std::string& op_name) {
  std::string kernel_name;
  if (self.is_contiguous()) {
    kernel_name = op_name + "_contiguous_" + (inner ? "innermost_" : "outer_") +
        scalarToMetalTypeString(self);
  } else {
    kernel_name = op_name + "_strided_" + scalarToMetalTypeString(self);
  }
  auto pso = lib.getPipelineStateForFunc(kernel_name);
}
void cummax(const Tensor& self, int64_t dim) { scan(self, dim, "cummax"); }
void cummin(const Tensor& self, int64_t dim) { scan(self, dim, "cummin"); }
"""
    index = index_of({"Scan.mm": text})
    (linked,) = index.lookups
    kernels = HostNames(["cummax_strided_float", "cumin_strided_float"])
    (request,) = linked.unsatisfied(kernels)
    assert request.names.text.split(" or ") == [
        "cummin_contiguous_innermost_{dtype}",
        "cummin_contiguous_outer_{dtype}",
        "cummin_strided_{dtype}",
    ]
