// A folder that the user does not trust: it is checked, and nothing of it runs.
const assert = require("node:assert");
const vscode = require("vscode");
const { api, diagnostics, open, until } = require("./support.cjs");

const YAML = "aten/src/ATen/native/native_functions.yaml";
const UNARY = "aten/src/ATen/native/mps/kernels/UnaryKernel.metal";

module.exports = {
  async "checks"() {
    assert.equal(vscode.workspace.isTrusted, false);
    const { document } = await open(YAML);
    await until(() => diagnostics(document.uri, "missing-sibling-dispatch").length, "a finding");
  },

  async "does not run kernels, though the folder's settings ask for it"() {
    const { document } = await open(UNARY);
    const { server } = await api();
    await until(() => server.running, "the server");
    const argument = { uri: document.uri.toString(), kernel: "fade_dense_float_float" };
    await assert.rejects(server.execute("mkls.runKernel", [argument]), /switched off/);
    const lenses = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", document.uri, 50);
    assert.deepEqual(lenses.filter((it) => it.command?.command === "mkls.runKernel"), []);
  },
};
