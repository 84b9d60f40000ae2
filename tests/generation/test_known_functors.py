"""The table of functors against torch's CPU operators, dtype by dtype."""

from collections.abc import Callable

import pytest
import torch

import mkls
from mkls.generation.dtypes import dtypes_of, result_of
from mkls.generation.kernel_work import KernelWork
from mkls.generation.known_functors import KNOWN
from mkls.generation.own_kernels import metal_source
from mkls.runner.references import reference_function
from tests.support.pytorch import package_folder

aten = torch.ops.aten
Reference = Callable[..., torch.Tensor]
REFERENCES: dict[str, Reference] = {
    "sigmoid_backward": aten.sigmoid_backward,
    "tanh_backward": aten.tanh_backward,
    "silu_backward": aten.silu_backward,
    "mish_backward": aten.mish_backward,
    "hardsigmoid_backward": aten.hardsigmoid_backward,
    "hardswish_backward": aten.hardswish_backward,
    "prelu": aten._prelu_kernel,
    "glu": lambda x, y: aten.glu(torch.stack((x, y)), 0)[0],
    "mse": lambda x, y: aten.mse_loss(x, y, 0),
    "smooth_l1": lambda x, y, beta: aten.smooth_l1_loss(x, y, 0, beta),
    "huber": lambda x, y, delta: aten.huber_loss(x, y, 0, delta),
    "leaky_relu": aten.leaky_relu,
    "leaky_relu_backward": lambda x, grad, slope: aten.leaky_relu_backward(grad, x, slope, False),
    "shrink_backward": aten.hardshrink_backward,
    "hardshrink": aten.hardshrink,
    "softshrink": aten.softshrink,
    "pow_tensor_tensor": torch.pow,
    "pow_tensor_scalar": torch.pow,
    "clamp_min_scalar": torch.clamp_min,
    "clamp_max_scalar": torch.clamp_max,
    "add": lambda x, y, alpha: torch.add(x, y, alpha=alpha),
    "sub": lambda x, y, alpha: torch.sub(x, y, alpha=alpha),
    "addcmul": lambda x, y, z, value: torch.addcmul(x, y, z, value=value),
    "addcdiv": lambda x, y, z, value: torch.addcdiv(x, y, z, value=value),
    "lerp_alpha": torch.lerp,
    "logit": torch.logit,
    "polygamma": lambda x, n: torch.polygamma(n, x),
}
TORCH = {
    "float": torch.float32,
    "half": torch.float16,
    "bfloat": torch.bfloat16,
    "long": torch.int64,
    "int": torch.int32,
    "short": torch.int16,
    "char": torch.int8,
    "uchar": torch.uint8,
    "bool": torch.bool,
    "float2": torch.complex64,
    "half2": torch.complex32,
}
PARAMETERS = {"polygamma": 2, "logit": 0.125, "hardshrink": 0.5, "softshrink": 0.5}
"""Of other functors it is 0.75, and 2 for integers: halves are exact in every dtype."""
POSITIVE = {"lgamma", "digamma", "polygamma", "igamma", "igammac", "zeta", "pow_tensor_tensor",
            "pow_tensor_scalar", "rsqrt", "log", "log2", "log10"}  # fmt: skip
HARD = {"tan": 1e-3, "digamma": 1e-3, "zeta": 1e-3, "erfinv": 1e-3}
DTYPES = ("float", "int", "uchar", "bool", "float2")
"""Those of one kind share an overload; sizes and signs differ where they matter."""
COUNT = 300


def reference(name: str) -> Reference:
    return REFERENCES.get(name) or reference_function(name) or pytest.fail(name)


def operands(name: str, dtype: str) -> list[torch.Tensor]:
    torch.manual_seed(7)
    arity = KNOWN[name].arity
    if dtype == "bool":
        return [torch.rand(COUNT) > 0.5 for _ in range(arity)]
    if dtype in ("int", "uchar"):
        low = 1 if dtype == "uchar" or name in POSITIVE else -9
        drawn = [torch.randint(low, 10, (COUNT,)) for _ in range(arity)]
        return [torch.where(it == 0, 1, it).to(TORCH[dtype]) for it in drawn]
    if dtype == "float2":
        return [torch.randn(COUNT, dtype=torch.complex64) for _ in range(arity)]
    drawn = [torch.randn(COUNT) * 3 for _ in range(arity)]
    if name in POSITIVE:
        drawn = [it.abs() + 1.1 for it in drawn]
    if "polynomial" in name:
        drawn[1] = torch.randint(0, 6, (COUNT,)).float()
    if name in ("atanh", "acos", "asin", "erfinv"):
        drawn = [torch.tanh(it) for it in drawn]
    return drawn


def parameters(name: str, dtype: str) -> list[float]:
    known = KNOWN[name]
    if not known.alpha:
        return []
    if name in PARAMETERS:
        return [PARAMETERS[name]]
    return [2] if dtype in ("int", "uchar") and known.alpha == "T" else [0.75]


def casts(name: str, dtype: str) -> dict[int, str] | None:
    """How an integral parameter is passed, where it is not as torch passes it."""
    known = KNOWN[name]
    if known.alpha != "T" or dtype not in ("int", "uchar"):
        return None
    return {known.arity + 1: {"int": "int32", "uchar": "uint8"}[dtype]}


@pytest.fixture(scope="module")
def library():
    works = [KernelWork(name, known, dtypes_of(known), True) for name, known in KNOWN.items()]
    headers = "".join(
        f"#include <c10/metal/{it}.h>\n" for it in ("igamma", "special_math", "utils")
    )
    source = headers + metal_source(works)
    include = package_folder("torch") / "include"
    return mkls.compile_shader(source, backend="emulator", include_dirs=(include,))


@pytest.mark.parametrize("name", KNOWN)
def test_a_functor_computes_what_torch_computes(library, name):
    known = KNOWN[name]
    tried = [it for it in DTYPES if it in dtypes_of(known)]
    assert tried
    for dtype in tried:
        if dtype == "bool" and known.alpha == "T":
            continue  # whether a bool may be scaled is the host's business
        inputs, values = operands(name, dtype), parameters(name, dtype)
        out = torch.zeros(COUNT, dtype=TORCH[result_of(known, dtype)])
        kernel = getattr(library, f"{name}_{dtype}_{result_of(known, dtype)}")

        kernel(out, *inputs, *values, arg_casts=casts(name, dtype))

        wide = [it.double() if it.dtype == torch.float32 else it for it in inputs]
        wanted = reference(name)(*wide, *values)
        rtol = HARD.get(name, 2e-4)
        torch.testing.assert_close(out, wanted.to(out.dtype), rtol=rtol, atol=1e-4, equal_nan=True)
