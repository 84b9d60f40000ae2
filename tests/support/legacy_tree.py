"""A small PyTorch in the style of 2.13 whose operators still run on MPSGraph."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from shutil import copytree
from typing import NamedTuple

from tests.support.pytorch import package_folder
from tests.support.trees import WRITTEN

NATIVE = "aten/src/ATen/native"
YAML = f"{NATIVE}/native_functions.yaml"
_SEEDS = (
    ("UnaryKernel", "negate", "-a"),
    ("BinaryKernel", "product", "a * b"),
    ("TernaryKernel", "fused", "a * b + c"),
)
_METAL = """\
#include <c10/metal/indexing.h>
#include <c10/metal/utils.h>
#include <metal_stdlib>

using namespace metal;
using namespace c10::metal;

struct {name}_functor {{
  template <typename T>
  inline T operator()({parameters}) {{
    return static_cast<T>({computed});
  }}
}};

#define REGISTER_FLOAT_{kind}_OP(NAME) \\
  {macro}(NAME, float, float);         \\
  {macro}(NAME, half, half);           \\
  {macro}(NAME, bfloat, bfloat)

REGISTER_FLOAT_{kind}_OP({name});
"""
_HOST = """\
#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/Seeds.h>
#include <ATen/native/mps/OperationUtils.h>

namespace at::native {{

using namespace mps;

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/{stem}_metallib.h>
#endif

static void {name}_mps_kernel(TensorIteratorBase& iter) {{
  lib.exec_{kind}_kernel(iter, "{name}");
}}

REGISTER_DISPATCH({name}_stub, &{name}_mps_kernel)

}} // namespace at::native
"""
_SEED_HEADER = """\
#pragma once

#include <ATen/native/DispatchStub.h>

namespace at::native {{

using seed_fn = void (*)(TensorIteratorBase&);

{declared}
}} // namespace at::native
"""


class Legacy(NamedTuple):
    """An operator to write: its arguments, the parameters of its stub beside the iterator.

    `names_scalar` is what its schema calls the parameter, "" without one.
    """

    name: str
    arity: int
    stub: str = ""
    scalar: str = ""
    names_scalar: str = ""

    @property
    def stub_name(self) -> str:
        """The name of its stub."""
        return self.stub or f"{self.name}_stub"


def legacy_files(operators: Iterable[Legacy], has_mps: bool = True) -> dict[str, str]:
    """Return the files of a tree in which MPS has a function of its own for each operator.

    Without `has_mps` they have nothing for MPS. Unary, binary and ternary kernels have files
    already, each with one operator.
    """
    listed = list(operators)
    files = {
        f"{NATIVE}/Legacy.h": _header(listed),
        f"{NATIVE}/Legacy.cpp": _source(listed),
        YAML: "\n".join(_rows(it, has_mps) for it in listed),
    }
    if has_mps:
        files[f"{NATIVE}/mps/operations/Legacy.mm"] = _legacy(listed)
    return files | _seeds()


def write_tree(root: Path, files: Mapping[str, str]) -> None:
    """Write `files` below `root`, with the headers that PyTorch installs beside them."""
    include = package_folder("torch") / "include"
    copytree(include / "c10/metal", root / "c10/metal")
    copytree(include / "ATen/native/mps/kernels", root / f"{NATIVE}/mps/kernels")
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode("utf-8"))


def _seeds() -> dict[str, str]:
    """One operator of each arity that has moved already, in the files of its kind."""
    mps = f"{NATIVE}/mps"
    operation_utils = f"{mps}/OperationUtils.mm"
    files = {operation_utils: (WRITTEN / operation_utils).read_text(encoding="utf-8")}
    for stem, name, computed in _SEEDS:
        kind = stem.removesuffix("Kernel")
        arity = {"Unary": 1, "Binary": 2, "Ternary": 3}[kind]
        parameters = ", ".join(f"const T {it}" for it in "abc"[:arity])
        macro = f"REGISTER_{kind.upper()}_OP"
        files[f"{mps}/kernels/{stem}.metal"] = _METAL.format(
            name=name, parameters=parameters, computed=computed, kind=kind.upper(), macro=macro
        )
        files[f"{mps}/operations/{stem}.mm"] = _HOST.format(stem=stem, name=name, kind=kind.lower())
    declared = "".join(f"DECLARE_DISPATCH(seed_fn, {name}_stub)\n" for _, name, _ in _SEEDS)
    files[f"{NATIVE}/Seeds.h"] = _SEED_HEADER.format(declared=declared)
    return files


def _tensors(it: Legacy) -> list[str]:
    return ["self", "other", "third"][: it.arity]


def _rows(it: Legacy, has_mps: bool) -> str:
    inputs = ", ".join(f"Tensor {name}" for name in _tensors(it))
    if it.names_scalar:
        inputs += f", Scalar {it.names_scalar}=1"
    name = it.name
    mps = f"    MPS: {name}_out_mps\n" if has_mps else ""
    return (
        f"- func: {name}({inputs}) -> Tensor\n  structured_delegate: {name}.out\n"
        f"  tags: pointwise\n\n"
        f"- func: {name}_({inputs.replace('Tensor self', 'Tensor(a!) self')}) -> Tensor(a!)\n"
        f"  structured_delegate: {name}.out\n  tags: pointwise\n\n"
        f"- func: {name}.out({inputs}, *, Tensor(a!) out) -> Tensor(a!)\n"
        f"  structured: True\n  structured_inherits: TensorIteratorBase\n"
        f"  dispatch:\n    CPU, CUDA: {name}_out\n{mps}  tags: pointwise\n"
    )


def _header(operators: list[Legacy]) -> str:
    lines = [
        f"DECLARE_DISPATCH(void (*)(TensorIteratorBase&{f', {it.scalar}' if it.scalar else ''}), "
        f"{it.stub_name})\n"
        for it in operators
    ]
    return (
        "#pragma once\n\n#include <ATen/native/DispatchStub.h>\n\nnamespace at::native {\n\n"
        f"{''.join(lines)}\n}} // namespace at::native\n"
    )


def _parameters(it: Legacy) -> str:
    names = [f"const Tensor& {name}" for name in _tensors(it)]
    if it.names_scalar:
        names.append(f"const Scalar& {it.names_scalar}")
    return ", ".join([*names, "const Tensor& result"])


def _source(operators: list[Legacy]) -> str:
    lines: list[str] = []
    for it in operators:
        scalar = f", {it.names_scalar}" if it.scalar else ""
        lines.append(
            f"DEFINE_DISPATCH({it.stub_name});\n\n"
            f"TORCH_IMPL_FUNC({it.name}_out)\n({_parameters(it)}) {{\n"
            f"  {it.stub_name}(device_type(), *this{scalar});\n}}\n"
        )
    body = "\n".join(lines)
    return f"#include <ATen/native/Legacy.h>\n\nnamespace at::native {{\n\n{body}\n}}\n"


def _legacy(operators: list[Legacy]) -> str:
    includes = "".join(f"#include <ATen/ops/{it.name}_native.h>\n" for it in operators)
    functions = "\n".join(
        f"TORCH_IMPL_FUNC({it.name}_out_mps)\n({_parameters(it)}) {{\n"
        f"  mps::run_graph({', '.join(_tensors(it))}, result);\n}}\n"
        for it in operators
    )
    return (
        "#include <ATen/native/mps/OperationUtils.h>\n\n#ifndef AT_PER_OPERATOR_HEADERS\n"
        f"#include <ATen/NativeFunctions.h>\n#else\n{includes}#endif\n\n"
        "namespace at::native {\nnamespace mps {\n\n"
        "template <typename... T>\nstatic void run_graph(const T&... tensors) {\n"
        "  (void)sizeof...(tensors);\n}\n\n} // namespace mps\n\n"
        f"{functions}\n}} // namespace at::native\n"
    )
