"""Dispatch stubs: declared, defined, registered, and reached from operators' bodies."""

import pytest

from tests.index.host_workspace import index_of

HEADER = """#pragma once
namespace at::native {
using unary_fn = void (*)(TensorIteratorBase&);
DECLARE_DISPATCH(unary_fn, sin_stub)
DECLARE_DISPATCH(void(*)(TensorIteratorBase&, const Scalar& alpha), add_clamp_stub);
DECLARE_DISPATCH(
    void (*)(Tensor&, std::optional<Generator>),
    GeluKernel);
} // namespace at::native
"""


def test_a_stub_is_declared_with_its_function_type() -> None:
    stubs = index_of({"UnaryOps.h": HEADER}).stubs.by_name
    assert {name: stub.type for name, stub in stubs.items()} == {
        "GeluKernel": "void (*)(Tensor&, std::optional<Generator>)",
        "add_clamp_stub": "void(*)(TensorIteratorBase&, const Scalar& alpha)",
        "sin_stub": "unary_fn",
    }
    assert all(len(stub.declared) == 1 and not stub.defined for stub in stubs.values())


def test_stubs_are_read_alike_from_a_metal_header() -> None:
    metal = "#include <ATen/native/mps/MetalShaderLibrary.h>\n" + HEADER
    stubs = index_of({"UnaryOps.h": metal}).stubs.by_name
    plain = index_of({"UnaryOps.h": HEADER}).stubs.by_name
    assert [(it.name, it.type) for it in stubs.values()] == [
        (it.name, it.type) for it in plain.values()
    ]


@pytest.mark.parametrize(
    ("path", "line", "registered"),
    [
        ("a.mm", "REGISTER_DISPATCH(sin_stub, &sin_kernel_mps)", True),
        ("a.mm", "REGISTER_DISPATCH(sin_stub, &mps::sin_kernel_mps);", True),
        ("a.mm", "REGISTER_MPS_DISPATCH(sin_stub, sin_kernel_mps);", True),
        ("a.cpp", "REGISTER_MPS_DISPATCH(sin_stub, &sin_kernel_mps);", True),
        ("a.cpp", "REGISTER_DISPATCH(sin_stub, &sin_kernel);", False),
        ("a.cpp", "REGISTER_NO_CPU_DISPATCH(sin_stub);", False),
        ("a.mm", "REGISTER_CUDA_DISPATCH(sin_stub, &sin_kernel);", False),
        ("a.cpp", "// REGISTER_MPS_DISPATCH(sin_stub, &sin_kernel);", False),
        ("a.cpp", "#define R(name) REGISTER_MPS_DISPATCH(sin_stub, &sin_kernel)", False),
    ],
)
def test_registration(path: str, line: str, registered: bool) -> None:
    stub = index_of({"U.h": HEADER, path: f"namespace at {{\n{line}\n}}\n"}).stubs.by_name[
        "sin_stub"
    ]
    assert bool(stub.registered) is registered


OPERATORS = """
namespace at::native {

#define CREATE_UNARY(func_out, func_stub)                                  \\
TORCH_IMPL_FUNC(func_out) (const Tensor& self, const Tensor& result) {     \\
  func_stub(device_type(), *this);                                         \\
}

CREATE_UNARY(sin_out, sin_stub)
CREATE_UNARY(cos_out, cos_stub)

TORCH_IMPL_FUNC(pow_out)(const Tensor& self, const Tensor& out) {
  if (self.dim()) {
    pow_stub(iter.device_type(), iter);
  }
}

Tensor& gelu_(Tensor& self) {
  GeluKernel(self.device().type(), iter);
  // nothing_stub(self.device().type());
  return self;
}

template <typename T>
static void scatter_impl(const Tensor& self, T& stub) {
  stub(self.device().type(), self);
}

TORCH_IMPL_FUNC(scatter_out)(const Tensor& self) {
  scatter_impl(self, scatter_stub);
}

template<typename RNG>
struct CauchyStub {
  void operator()(TensorIteratorBase& iter) {
    cauchy_stub(iter.device_type(), iter);
  }
};

Tensor& cauchy_(Tensor& self) {
  return at::native::templates::cauchy_impl_<CauchyStub, Generator>(self);
}

static Tensor& norm_helper(Tensor& self) {
  norm_stub(kCPU, iter);
  norm_stub(self.device().type(), iter);
  return self;
}

static Tensor& between(Tensor& self) { return norm_helper(self); }

Tensor& norm_out(Tensor& self) {
  return between(self);
}

Tensor generic(const Tensor& self) {
  return at::empty(self.device().type());
}
DEFINE_DISPATCH(GeluKernel);
DEFINE_DISPATCH(pow_stub);
DEFINE_DISPATCH(sin_stub); DEFINE_DISPATCH(cos_stub); DEFINE_DISPATCH(scatter_stub);
DEFINE_DISPATCH(cauchy_stub); DEFINE_DISPATCH(norm_stub); DEFINE_DISPATCH(nothing_stub);
} // namespace at::native
"""


@pytest.mark.parametrize(
    ("function", "stubs"),
    [
        ("sin_out", ["sin_stub"]),
        ("cos_out", ["cos_stub"]),
        ("pow_out", ["pow_stub"]),
        ("gelu_", ["GeluKernel"]),
        ("scatter_out", ["scatter_stub"]),
        ("cauchy_", ["cauchy_stub"]),
        ("norm_out", ["norm_stub"]),
        ("generic", []),
        ("absent", []),
    ],
)
def test_a_body_reaches_its_stub(function: str, stubs: list[str]) -> None:
    index = index_of({"Ops.cpp": OPERATORS})
    assert [reach.stub for reach in index.reaches(function)] == stubs


def test_the_way_to_a_stub_is_kept() -> None:
    index = index_of({"Ops.cpp": OPERATORS})
    (reach,) = index.reaches("norm_out")
    assert [function.name.text for function in reach.path] == ["norm_out", "between", "norm_helper"]
    assert reach.place.span.of(OPERATORS) == "norm_stub"
    (made,) = index.reaches("cos_out")
    assert made.place.span.of(OPERATORS) == "cos_stub"
    assert made.path[0].name_place.span.of(OPERATORS) == "cos_out"
    assert made.path[0].place.span.of(OPERATORS) == "CREATE_UNARY(cos_out, cos_stub)"
