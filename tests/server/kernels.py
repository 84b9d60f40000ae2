"""Kernels that run on the emulator, and what a client does with them."""

from pathlib import Path

from tests.support.lsp_client import Json, LspClient

SHADER = "kernels/Twice.metal"
TWICE = """\
#include <metal_stdlib>
using namespace metal;

inline float doubled(float x) { return x * 2; }

// mkls-arg: input = arange(8.0)
// mkls-arg: out = zeros(8)
// mkls-expect: out == input * 2
kernel void twice(device float* out [[buffer(0)]], constant float* input [[buffer(1)]],
                  uint tid [[thread_position_in_grid]]) {
  out[tid] = doubled(input[tid]);
}

kernel void thrice(device float* out [[buffer(0)]], uint tid [[thread_position_in_grid]]) {
  out[tid] = 3;
}
"""
THRICE = TWICE.replace("x * 2", "x * 3")
BROKEN = TWICE.replace("doubled(input", "dubled(input")
HEADER = "inline float doubled(float x) { return x * 2; }\n"
INCLUDING = TWICE.replace(HEADER, '#include "doubled.h"\n')
HOPELESS = TWICE.replace(
    "  out[tid] = doubled", "  while (out) out[tid] += 1;\n  out[tid] = doubled"
)

RUN = "workspace/executeCommand"
RICH: Json = {
    "textDocument": {"publishDiagnostics": {"versionSupport": True, "relatedInformation": True}},
    "workspace": {"codeLens": {"refreshSupport": True}},
    "window": {"workDoneProgress": True},
}


def command(name: str, argument: Json | None = None, **more: object) -> Json:
    """Return the parameters of a request for a command."""
    return {"command": f"mkls.{name}", "arguments": [argument] if argument else [], **more}


class ShaderEditor:
    """A client with one shader open."""

    def __init__(self, client: LspClient, root: Path, text: str = TWICE) -> None:
        """Write the shader below `root`, which becomes the workspace, and open it."""
        path = root / SHADER
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.client = client
        self.uri = path.as_uri()
        self.version = 1
        self.capabilities = client.initialize(root)
        client.open(self.uri, text, "metal")

    def edit(self, change: Json) -> list[Json]:
        """Change the text; return what is published about it then."""
        self.version += 1
        self.client.change(self.uri, self.version, change)
        return self.client.diagnostics(self.uri, lambda it: it["version"] == self.version)

    def write(self, text: str) -> None:
        """Replace the text."""
        self.edit({"text": text})

    def run(self, kernel: str = "twice", **more: object) -> Json:
        """Run a kernel and return the report."""
        return self.client.call(RUN, self.command(kernel, **more))

    def command(self, kernel: str = "twice", **more: object) -> Json:
        """Return the parameters of a request to run a kernel."""
        return command("runKernel", {"uri": self.uri, "kernel": kernel, **more})

    def lenses(self) -> list[tuple[int, str]]:
        """Return line and title of every lens."""
        found = self.client.call("textDocument/codeLens", {"textDocument": {"uri": self.uri}})
        return [(it["range"]["start"]["line"], it["command"]["title"]) for it in found]

    def ran(self) -> list[Json]:
        """Wait for diagnostics of a run, and return them."""
        return ran(self.client.diagnostics(self.uri, lambda it: bool(ran(it["diagnostics"]))))


def ran(diagnostics: list[Json]) -> list[Json]:
    """Return what runs have shown."""
    return [it for it in diagnostics if it["source"] == "mkls run"]
