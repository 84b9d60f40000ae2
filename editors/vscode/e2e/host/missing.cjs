// No server anywhere: the editor stays usable, and what follows from a setting is told.
const assert = require("node:assert");
const vscode = require("vscode");
const { api, open, until } = require("./support.cjs");

const UNARY = "aten/src/ATen/native/mps/kernels/UnaryKernel.metal";

module.exports = {
  async "stays quiet and usable"() {
    const { document } = await open(UNARY);
    const { server } = await api();
    assert.equal(document.languageId, "metal");
    assert.equal(server.running, false);
    await assert.rejects(server.execute("mkls.runKernel", [{}]), /not running/);
  },

  async "starts as soon as a setting names a server"() {
    const { server } = await api();
    const section = vscode.workspace.getConfiguration("mkls");
    await section.update("server.path", process.env.MKLS_SERVER, vscode.ConfigurationTarget.Global);
    await until(() => server.running, "the server");
  },
};
