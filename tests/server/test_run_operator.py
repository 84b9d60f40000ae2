"""The kernels of an operator, and what macros stand for."""

from tests.server.kernels import RICH, RUN, ShaderEditor, command, ran
from tests.support.lsp_client import replacement

EXP = """\
#include <metal_stdlib>
using namespace metal;
#define REGISTER_UNARY(NAME, T) \\
  kernel void NAME##_##T##_##T(device T* output [[buffer(0)]], constant T* input [[buffer(1)]], \\
                               uint index [[thread_position_in_grid]]) { \\
    output[index] = precise::NAME(input[index]); \\
  }

REGISTER_UNARY(exp, float);
"""

PLANTED = """\
#include <metal_stdlib>
using namespace metal;

struct neg_functor {
  float operator()(float x) { return x + 1; }
};
template <typename F>
[[kernel]] void unary(device float* output [[buffer(0)]], constant float* input [[buffer(1)]],
                      uint index [[thread_position_in_grid]]) { output[index] = F()(input[index]); }

template [[host_name("neg_float_float")]] kernel void unary<neg_functor>(
    device float* output [[buffer(0)]], constant float* input [[buffer(1)]],
    uint index [[thread_position_in_grid]]);
"""


def test_the_kernels_of_an_operator_are_run_wherever_they_are_registered(start, tmp_path):
    editor = ShaderEditor(start(), tmp_path, EXP)

    report = editor.client.call(RUN, command("runOperator", {"operator": "exp"}))

    assert {it["kernel"] for it in report["runs"]} == {"exp_float_float"}
    assert {it["outcome"] for it in report["runs"]} == {"passed"}
    ((line, title),) = editor.lenses()
    assert line == 8
    assert title.startswith("✓")


def test_a_misspelt_operator_is_refused_with_the_nearest_name(start, tmp_path):
    editor = ShaderEditor(start(), tmp_path, EXP)

    error = editor.client.error(RUN, command("runOperator", {"operator": "expp"}))

    assert error["message"].endswith("for `expp`; did you mean exp?")


def test_an_invocation_is_shown_in_full(start, tmp_path):
    editor = ShaderEditor(start(), tmp_path, EXP)

    def shown(line):
        place = {"uri": editor.uri, "position": {"line": line, "character": 3}}
        return editor.client.call(RUN, command("showExpansion", place))

    assert shown(8)["host_names"] == ["exp_float_float"]
    assert shown(8)["macros"] == ["REGISTER_UNARY"]
    assert shown(8)["text"].startswith("kernel void exp_float_float(")
    assert shown(0) is None


def test_a_lens_is_resolved_to_what_its_kernels_came_to(start, tmp_path):
    editor = ShaderEditor(start(), tmp_path, EXP)
    assert editor.capabilities["codeLensProvider"] == {"resolveProvider": True}
    about = {"textDocument": {"uri": editor.uri}}
    (lens,) = editor.client.call("textDocument/codeLens", about)
    run = lens.pop("command")
    assert run["command"] in editor.capabilities["executeCommandProvider"]["commands"]

    editor.client.call(RUN, {"command": run["command"], "arguments": run["arguments"]})

    resolved = editor.client.call("codeLens/resolve", lens)["command"]
    assert resolved["title"].startswith("✓")
    assert resolved["arguments"] == run["arguments"]


def test_a_mismatch_is_on_the_functor_and_tells_where_the_kernel_is_registered(start, tmp_path):
    editor = ShaderEditor(start(RICH), tmp_path, PLANTED)

    editor.client.call(RUN, command("runOperator", {"operator": "neg"}))

    (found,) = editor.ran()
    assert found["code"] == "mismatched"
    assert "[" in found["message"]
    assert found["range"]["start"] == {"line": 3, "character": 7}
    (related,) = found["relatedInformation"]
    assert related["message"] == "`neg_float_float` is registered here"
    assert related["location"]["range"]["start"]["line"] == 10
    assert ran(editor.edit(replacement((4, 30), (4, 31), "-"))) == []
