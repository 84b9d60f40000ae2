"""The workspaces and clients of these tests."""

from tests.support.lsp_client import Json

METAL, HOST = "kernels/Cross.metal", "operations/Cross.mm"
CROSS = {
    METAL: "kernel void cross_float(device float* out [[buffer(0)]]) {}\n",
    HOST: (
        "void cross(const Tensor& out) {\n"
        '  auto pso = lib.getPipelineStateForFunc("cross_float");\n'
        "}\n"
    ),
}
"""A kernel and the host code that asks for it; nothing is wrong."""

OTHER = "kernels/Other.metal"
OTHERS = {OTHER: "kernel void other_float(device float* out [[buffer(0)]]) {}\n"}
"""Without any kernel at hand, nothing is known to be missing."""

BROKEN_HOST = CROSS[HOST].replace("cross_float", "cros_float")

YAML = "aten/src/ATen/native/native_functions.yaml"
TWICE = """\
- func: twice(Tensor self) -> Tensor
  structured_delegate: twice.ouut

- func: twice.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True

- func: thrice(Tensor self) -> Tensor
  structured_delegate: thrice.ouut

- func: thrice.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
"""
"""Two rows that delegate to rows that do not exist; both mistakes have a safe fix."""

SIBLINGS = """\
- func: rise(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA: rise

- func: rise.by(Tensor self, int by) -> Tensor
  dispatch:
    CompositeExplicitAutograd: rise
    MPS: rise_mps
"""

PULLING: Json = {
    "textDocument": {"diagnostic": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}
VERSIONED: Json = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}
WATCHING: Json = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}


def merged(*capabilities: Json) -> Json:
    """Return all of `capabilities`."""
    result: Json = {}
    for each in capabilities:
        for key, value in each.items():
            known = result.get(key)
            both = isinstance(known, dict) and isinstance(value, dict)
            result[key] = merged(known, value) if both else value
    return result


def codes(diagnostics: list[Json]) -> list[str]:
    """Return the codes of diagnostics."""
    return [it["code"] for it in diagnostics]
