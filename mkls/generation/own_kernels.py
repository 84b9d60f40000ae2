"""Stubs and kernels for trees without `exec_*` functions (torch 2.6 and before).

One Objective-C++ file holds a function that runs any elementwise kernel, one Metal source the
kernels. Both are made when they are first needed. Kernels are called as the tree's own are: after
the operator, the dtype that they read and the one that they write.
"""

from collections.abc import Sequence
from typing import Final

from mkls.diagnostics.model import FileEdit
from mkls.generation.dtypes import result_of
from mkls.generation.functor_text import continued, functor_text
from mkls.generation.host_site import end_of_namespace
from mkls.generation.host_text import base_of_stub, dtype_guard, stub_function, todo_check
from mkls.generation.kernel_work import KernelWork
from mkls.generation.new_sources import MPS_FOLDER, uri_below
from mkls.generation.plan import NewFile, Step
from mkls.generation.source_edits import (
    editable,
    include_edit,
    include_path,
    inserted,
    mind_balance,
)
from mkls.generation.stub_calls import StubCall
from mkls.index.snapshot import Snapshot

_STEM: Final = "ElementwiseKernel"
_RUN: Final = """\
#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/mps/MPSProfiler.h>
{headers}#include <ATen/native/TensorIterator.h>
#include <ATen/native/mps/OperationUtils.h>
#include <c10/util/irange.h>
#include <fmt/format.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/Functions.h>
#else
#include <ATen/ops/empty.h>
#include <ATen/ops/scalar_tensor.h>
#endif

namespace at::native {{

using namespace mps;

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/{stem}_metallib.h>
#endif

// Casts and broadcasts what `iter` reads, and stores the result as its output wants it. A number is
// the last argument: of a tensor without dimensions on the CPU, `mtl_setBuffer` binds the bytes.
static void exec_elementwise_kernel(TensorIteratorBase& iter,
                                    const std::string& name,
                                    std::optional<ScalarType> result_type = std::nullopt,
                                    std::optional<Scalar> alpha = std::nullopt,
                                    std::optional<ScalarType> alpha_type = std::nullopt) {{
  if (iter.numel() == 0) {{
    return;
  }}
  const auto dtype = iter.ninputs() == 1 ? iter.input(0).scalar_type() : iter.common_dtype();
  TORCH_CHECK(dtype != kDouble, "float64 is not supported on MPS");
  const auto& output = iter.output();
  std::vector<Tensor> inputs;
  for (const auto index : c10::irange(iter.ninputs())) {{
    inputs.push_back(iter.input(index).to(output.device(), dtype).expand_as(output).contiguous());
  }}
  if (alpha) {{
    inputs.push_back(at::scalar_tensor(*alpha, at::device(kCPU).dtype(alpha_type.value_or(dtype))));
  }}
  auto result = at::empty(output.sizes(), output.options().dtype(result_type.value_or(dtype)));
  const auto kernel = fmt::format(
      "{{}}_{{}}_{{}}", name, scalarToMetalTypeString(inputs[0]), scalarToMetalTypeString(result));
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {{
    @autoreleasepool {{
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc(kernel);
      getMPSProfiler().beginProfileKernel(pipeline, kernel, inputs);
      [encoder setComputePipelineState:pipeline];
      mtl_setBuffer(encoder, result, 0);
      for (const auto index : c10::irange(inputs.size())) {{
        mtl_setBuffer(encoder, inputs[index], index + 1);
      }}
      mtl_dispatch1DJob(encoder, pipeline, result.numel());
      getMPSProfiler().endProfileKernel(pipeline);
    }}
  }});
  iter.output().copy_(result);
}}

{functions}
{registrations}
}} // namespace at::native
"""
_METAL_HEAD: Final = "#include <metal_stdlib>\nusing namespace metal;\n"
_NAMES: Final = {1: "unary", 2: "binary", 3: "ternary"}
_SCALAR_TYPES: Final = {"float": "kFloat", "long": "kLong", "T": ""}
_BFLOAT: Final = "#if __METAL_VERSION__ >= 310\n{}#endif\n"

NeededKernel = tuple[StubCall, KernelWork]


def own_steps(snapshot: Snapshot, needed: Sequence[NeededKernel]) -> list[Step]:
    """Return the steps that write the kernels of `needed` and register them for their stubs.

    Raises:
        RefusedError: A file cannot be edited.
    """
    works = [work for _, work in needed]
    names = ", ".join(f"`{it.stem}`" for it in works)
    doubt = "" if all(it.written for it in works) else f"The body of {names} is left to write"
    stubs = ", ".join(f"`{call.stub.name}`" for call, _ in needed)
    metal = _metal(snapshot, works)
    host = _host(snapshot, needed)
    return [
        _step(f"Write the kernel of {names} in {_STEM}.metal", metal, doubt),
        _step(f"Register {stubs} in {_STEM}.mm", host, ""),
    ]


def _step(title: str, change: NewFile | list[FileEdit], doubt: str) -> Step:
    if isinstance(change, NewFile):
        return Step(title, files=(change,), doubt=doubt)
    return Step(title, tuple(change), doubt=doubt)


# Metal


def _metal(snapshot: Snapshot, works: Sequence[KernelWork]) -> NewFile | list[FileEdit]:
    uri = uri_below(snapshot, f"{MPS_FOLDER}/kernels/{_STEM}.metal")
    if uri not in snapshot.sources:
        return NewFile(uri, metal_source(works))
    text = editable(snapshot, uri)
    mind_balance(uri, text)
    lines = _metal_lines(text, works)
    return [inserted(uri, text, len(text), lines)] if lines else []


def metal_source(works: Sequence[KernelWork]) -> str:
    """Return a Metal source that holds the kernels of `works` and nothing else."""
    return _METAL_HEAD + _metal_lines("", works)


def _metal_lines(text: str, works: Sequence[KernelWork]) -> str:
    """Return what `works` need and `text` has not: template, macro, functor, registrations."""
    parts: list[str] = []
    have = text
    for work in works:
        for part in _parts(work):
            first = next(line for line in part.splitlines() if line and "typename" not in line)
            if first not in have:
                parts.append(part)
                have += part
    return "".join(f"\n{part}" for part in parts)


def _parts(work: KernelWork) -> list[str]:
    functor = functor_text(work.stem, work.known, work.dtypes, has_c10=False, written=work.written)
    return [_template(work), _macro(work), functor, _registrations(work)]


def _kind(work: KernelWork) -> str:
    return _NAMES[work.known.arity] + ("_alpha" if work.known.alpha else "")


def _kernel_parameters(work: KernelWork, out: str, given: str, alpha: str) -> list[str]:
    names = ("input", "other", "third")[: work.known.arity]
    parameters = [f"device {out}* output [[buffer(0)]]"]
    parameters += [
        f"constant {given}* {name} [[buffer({index})]]" for index, name in enumerate(names, 1)
    ]
    if work.known.alpha:
        parameters.append(f"constant {alpha}& alpha [[buffer({work.known.arity + 1})]]")
    return [*parameters, "uint index [[thread_position_in_grid]]"]


def _template(work: KernelWork) -> str:
    names = ("input", "other", "third")[: work.known.arity]
    given = [f"{name}[index]" for name in names] + (["alpha"] if work.known.alpha else [])
    parameters = ",\n    ".join(_kernel_parameters(work, "TO", "TI", "TA"))
    types = "typename TO, typename TI, typename TA, typename F"
    if not work.known.alpha:
        types = types.replace("typename TA, ", "")
    return (
        f"template <{types}>\n"
        f"kernel void {_kind(work)}_elementwise(\n    {parameters}) {{\n"
        f"  F functor;\n  output[index] = functor({', '.join(given)});\n}}\n"
    )


def _macro(work: KernelWork) -> str:
    alpha = work.known.alpha
    values = "NAME, IN, ALPHA, OUT" if alpha else "NAME, IN, OUT"
    types = "OUT, IN, ALPHA, NAME##_functor" if alpha else "OUT, IN, NAME##_functor"
    lines = [
        f"#define {_macro_name(work)}({values})",
        '  template [[host_name(#NAME "_" #IN "_" #OUT)]] kernel void',
        f"  {_kind(work)}_elementwise<{types}>(",
        *(f"      {it}," for it in _kernel_parameters(work, "OUT", "IN", "ALPHA")),
    ]
    lines[-1] = lines[-1].removesuffix(",") + ")"
    return continued(lines)


def _macro_name(work: KernelWork) -> str:
    return f"REGISTER_{_kind(work).upper()}_ELEMENTWISE"


def _registrations(work: KernelWork) -> str:
    bfloat = [it for it in work.dtypes if it == "bfloat"]
    others = [it for it in work.dtypes if it != "bfloat"]
    text = "".join(_registration(work, it) for it in others)
    guarded = "".join(_registration(work, it) for it in bfloat)
    return text + (_BFLOAT.format(guarded) if guarded else "")


def _registration(work: KernelWork, dtype: str) -> str:
    alpha = dtype if work.known.alpha == "T" else work.known.alpha
    values = [work.stem, dtype, *([alpha] if alpha else []), result_of(work.known, dtype)]
    return f"{_macro_name(work)}({', '.join(values)});\n"


# Host


def _host(snapshot: Snapshot, needed: Sequence[NeededKernel]) -> NewFile | list[FileEdit]:
    uri = uri_below(snapshot, f"{MPS_FOLDER}/operations/{_STEM}.mm")
    headers = sorted({_header(snapshot, call) for call, _ in needed})
    functions = "".join(f"{_function(call, work)}\n" for call, work in needed).removesuffix("\n")
    registrations = "".join(_registration_of_stub(call) for call, _ in needed)
    if uri not in snapshot.sources:
        included = "".join(f"#include <{it}>\n" for it in headers)
        text = _RUN.format(
            headers=included, stem=_STEM, functions=functions, registrations=registrations
        )
        return NewFile(uri, text)
    text = editable(snapshot, uri)
    mind_balance(uri, text)
    edits = [it for header in headers if (it := include_edit(uri, text, header)) is not None]
    lines = f"{functions}\n{registrations}\n"
    return [*edits, inserted(uri, text, end_of_namespace(text), lines)]


def _header(snapshot: Snapshot, call: StubCall) -> str:
    return include_path(call.stub.declared[0].uri, snapshot.root)


def _function_name(call: StubCall) -> str:
    return f"{base_of_stub(call.stub.name)}_mps_kernel"


def _registration_of_stub(call: StubCall) -> str:
    return f"REGISTER_DISPATCH({call.stub.name}, &{_function_name(call)})\n"


def _function(call: StubCall, work: KernelWork) -> str:
    arguments = ["iter", f'"{work.stem}"', *_more_arguments(call, work)]
    run = f"exec_elementwise_kernel({', '.join(arguments)});"
    statements = [*todo_check(work), *dtype_guard(call, work), *_result_type(work), run]
    return stub_function(_function_name(call), call, statements)


def _result_type(work: KernelWork) -> list[str]:
    if not work.known.to_float:
        return []
    dtype = "iter.dtype(1)" if work.known.arity == 1 else "iter.common_dtype()"
    return [
        f"const auto dtype = {dtype};",
        "const auto result_type = isIntegralType(dtype, /*includeBool=*/true) ? kFloat : dtype;",
    ]


def _more_arguments(call: StubCall, work: KernelWork) -> list[str]:
    result = (
        "kBool" if work.known.result == "bool" else "result_type" if work.known.to_float else ""
    )
    if not call.scalar:
        return [result] if result else []
    is_scalar = call.scalar_kind == "Scalar"
    value = call.scalar_name if is_scalar else f"Scalar({call.scalar_name})"
    dtype = _SCALAR_TYPES[work.known.alpha]
    return [result or "std::nullopt", value, *([dtype] if dtype else [])]
