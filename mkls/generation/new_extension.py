"""A new kernel outside of PyTorch: for `torch.mps.compile_shader`, or for a C++ extension."""

from collections.abc import Mapping
from typing import Final

from mkls.generation.dtypes import FLOATING
from mkls.generation.new_operator import (
    NewOperator,
    mind_name,
    mind_new,
    spelt,
    spelt_in_float,
)
from mkls.generation.new_sources import uri_below
from mkls.generation.plan import NewFile, Plan, Refusal, RefusedError, Step
from mkls.index.snapshot import Snapshot

EXTENSIONS: Final = ("compile_shader", "torch_library")
_OPERANDS: Final = {
    "unary": ("input",),
    "binary": ("input", "other"),
    "ternary": ("input", "other", "third"),
    "custom": ("input",),
}
_METAL: Final = """\
#include <metal_stdlib>
using namespace metal;

template <typename T>
kernel void {name}(
    device T* output [[buffer(0)]],
{parameters}    uint index [[thread_position_in_grid]]) {{
{todo}{loads}  output[index] = static_cast<T>({expression});
}}

{registrations}"""
_REGISTRATION: Final = """\
// mkls-run: threads=1000
{arguments}// mkls-arg: output = zeros(1000, dtype={dtype})
// mkls-expect: output == {expected}   (rtol=1e-2, atol=1e-2)
template [[host_name("{name}_{dtype}")]] kernel void {name}<{dtype}>(
    device {dtype}* output [[buffer(0)]],
{parameters}    uint index [[thread_position_in_grid]]);
"""
_PYTHON: Final = """\
\"\"\"`{name}` on MPS, compiled when it is first called.\"\"\"

from functools import cache
from pathlib import Path

import torch

_NAMES = {{
    torch.float32: "{name}_float",
    torch.float16: "{name}_half",
    torch.bfloat16: "{name}_bfloat",
}}


@cache
def _library():
    source = Path(__file__).with_name("{name}.metal").read_text(encoding="utf-8")
    return torch.mps.compile_shader(source)


def {name}({signature}):
    \"\"\"Return {name} of tensors on MPS that have one shape and one floating dtype.\"\"\"
    {operands} = ({contiguous})
    output = torch.empty_like({first})
    if output.numel():
        getattr(_library(), _NAMES[output.dtype])(output, {operands_plain})
    return output
"""
_PYTHON_TEST: Final = """\
import pytest
import torch

from {module} import {name}


@pytest.mark.skipif(not torch.backends.mps.is_available(), reason="runs on a Mac's GPU")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_{name}(dtype):
    {operands} = [torch.randn(5, 7, device="mps", dtype=dtype) for _ in range({count})]

    torch.testing.assert_close({call}({operands_plain}), {expression})
"""
_HOST: Final = """\
#include <ATen/native/mps/OperationUtils.h>
#include <torch/extension.h>

using namespace at::native::mps;

static DynamicMetalShaderLibrary& library() {{
  static DynamicMetalShaderLibrary lib({upper}_SOURCE);
  return lib;
}}

static at::Tensor {name}_mps({cpp_signature}) {{
  TORCH_CHECK({checks}"{name} expects tensors of one shape and dtype on MPS");
{contiguous_cpp}  auto output = at::empty_like({first});
  if (output.numel() == 0) {{
    return output;
  }}
  auto& lib = library();
  auto stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {{
    @autoreleasepool {{
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc("{name}_" + scalarToMetalTypeString(output));
      [encoder setComputePipelineState:pipeline];
      mtl_setArgs(encoder, output, {bound});
      mtl_dispatch1DJob(encoder, pipeline, output.numel());
    }}
  }});
  return output;
}}

TORCH_LIBRARY({name}_ops, m) {{
  m.def("{name}({schema}) -> Tensor");
}}

TORCH_LIBRARY_IMPL({name}_ops, MPS, m) {{
  m.impl("{name}", &{name}_mps);
}}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{}}
"""
_SETUP: Final = """\
\"\"\"Build the extension: `pip install --no-build-isolation .`\"\"\"

from pathlib import Path

from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

HERE = Path(__file__).parent
SOURCE = (HERE / "{name}.metal").read_text(encoding="utf-8")
(HERE / "{name}_source.h").write_text(
    f'static const char* {upper}_SOURCE = R"MSL({{SOURCE}})MSL";\\n', encoding="utf-8"
)

setup(
    name="{name}_ops",
    ext_modules=[
        CppExtension(
            "{name}_ops",
            ["{name}.mm"],
            extra_compile_args=["-include", str(HERE / "{name}_source.h")],
        )
    ],
    cmdclass={{"build_ext": BuildExtension}},
)
"""


def plan_extension(snapshot: Snapshot, wanted: NewOperator, extension: str) -> Plan | Refusal:
    """Return the files of a new extension in the folder `NAME` below the root.

    `extension` is one of `EXTENSIONS`.
    """
    try:
        mind_name(wanted)
        files = tuple(
            NewFile(uri_below(snapshot, f"{wanted.name}/{path}"), text)
            for path, text in _texts(wanted, extension).items()
        )
        mind_new(snapshot, files)
    except RefusedError as error:
        return error.refusal
    steps = tuple(Step(f"Write {it.uri.rpartition('/')[2]}", files=(it,)) for it in files)
    left = f"say what `{wanted.name}` computes: as yet it is `{wanted.computed}`"
    return Plan(f"Start `{wanted.name}`", steps, () if wanted.expression else (left,))


def _texts(wanted: NewOperator, extension: str) -> Mapping[str, str]:
    values = _values(wanted)
    name = wanted.name
    if extension == "compile_shader":
        test = values | {"module": name, "call": name}
        return {
            f"{name}.metal": _metal(wanted),
            f"{name}.py": _PYTHON.format(**values),
            f"test_{name}.py": _PYTHON_TEST.format(**test),
        }
    test = values | {"call": f"torch.ops.{name}_ops.{name}"}
    text = _PYTHON_TEST.replace("from {module} import {name}", "import {name}_ops  # noqa: F401")
    return {
        f"{name}.metal": _metal(wanted),
        f"{name}.mm": _HOST.format(**values),
        "setup.py": _SETUP.format(**values),
        f"test_{name}.py": text.format(**test),
    }


def _values(wanted: NewOperator) -> dict[str, str | int]:
    names = _OPERANDS[wanted.kind]
    first = names[0]
    checks = "".join(
        f"{it}.sizes() == {first}.sizes() && {it}.scalar_type() == {first}.scalar_type() && "
        for it in names[1:]
    )
    return {
        "name": wanted.name,
        "upper": wanted.name.upper(),
        "count": len(names),
        "first": first,
        "signature": ", ".join(names),
        "operands": ", ".join(names) + ("," if len(names) == 1 else ""),
        "operands_plain": ", ".join(names),
        "contiguous": ", ".join(f"{it}.contiguous()" for it in names)
        + ("," if len(names) == 1 else ""),
        "expression": spelt(wanted.computed, names),
        "cpp_signature": ", ".join(f"const at::Tensor& {it}" for it in names),
        "checks": f"{checks}{first}.is_mps(), ",
        "contiguous_cpp": "".join(f"  const auto {it}_ = {it}.contiguous();\n" for it in names),
        "bound": ", ".join(f"{it}_" for it in names),
        "schema": ", ".join(f"Tensor {it}" for it in names),
    }


def _metal(wanted: NewOperator) -> str:
    names = _OPERANDS[wanted.kind]
    letters = "abc"[: len(names)]
    loads = "".join(
        f"  const float {letter} = static_cast<float>({name}[index]);\n"
        for letter, name in zip(letters, names, strict=True)
    )
    todo = "" if wanted.expression else f"  // TODO: compute the result of `{wanted.name}`.\n"
    return _METAL.format(
        name=wanted.name,
        parameters=_parameters(names, "T"),
        todo=todo,
        loads=loads,
        expression=wanted.computed,
        registrations="\n".join(_registration(wanted, names, it) for it in FLOATING),
    )


def _parameters(names: tuple[str, ...], dtype: str) -> str:
    return "".join(
        f"    constant {dtype}* {name} [[buffer({index})]],\n"
        for index, name in enumerate(names, 1)
    )


def _registration(wanted: NewOperator, names: tuple[str, ...], dtype: str) -> str:
    arguments = "".join(f"// mkls-arg: {it} = randn(1000, dtype={dtype})\n" for it in names)
    return _REGISTRATION.format(
        name=wanted.name,
        dtype=dtype,
        arguments=arguments,
        expected=spelt_in_float(wanted.computed, names),
        parameters=_parameters(names, dtype),
    )
