// A trusted workspace of two folders, each a copy of the sample.
const assert = require("node:assert");
const { execFileSync } = require("node:child_process");
const vscode = require("vscode");
const { api, diagnostics, open, putCursor, replace, until } = require("./support.cjs");

const YAML = "aten/src/ATen/native/native_functions.yaml";
const UNARY = "aten/src/ATen/native/mps/kernels/UnaryKernel.metal";
const BINARY = "aten/src/ATen/native/mps/kernels/BinaryKernel.metal";
const HOST = "aten/src/ATen/native/mps/operations/SampleKernel.mm";

const lenses = (uri) => vscode.commands.executeCommand("vscode.executeCodeLensProvider", uri, 50);
const titles = async (uri) => (await lenses(uri)).map((it) => it.command?.title ?? "");
const ofRuns = (uri) => vscode.languages.getDiagnostics(uri).filter((it) => it.source === "mkls run");

async function revertAll() {
  for (const document of vscode.workspace.textDocuments.filter((it) => it.isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  }
}

module.exports = {
  async "activates and starts the server"() {
    const { server } = await api();
    await until(() => server.running, "the server");
    assert.equal(server.command.origin, "the setting mkls.server.path");
  },

  async "finds mistakes in all three languages"() {
    const wanted = [[YAML, "missing-sibling-dispatch"], [BINARY, "duplicate-host-name"], [HOST, "unresolved-kernel-name"]];
    for (const [name, code] of wanted) {
      const { document } = await open(name);
      const [found] = await until(() => {
        const all = diagnostics(document.uri, code);
        return all.length && all;
      }, code);
      assert.equal(found.source, "mkls");
      assert.ok(found.code.target, "a link to the rule's page");
    }
  },

  async "mends a mistake"() {
    const editor = await open(BINARY);
    const [mistake] = diagnostics(editor.document.uri, "duplicate-host-name");
    const actions = await vscode.commands.executeCommand("vscode.executeCodeActionProvider", editor.document.uri, mistake.range, undefined, 50);
    const fix = actions.find((it) => it.edit && /second registration/.test(it.title));
    assert.ok(fix, `a fix among ${actions.map((it) => it.title).join("; ")}`);
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    await until(() => !diagnostics(editor.document.uri, "duplicate-host-name").length, "the mistake to go");
  },

  async "checks both roots"() {
    const { document } = await open(YAML, 1);
    await until(() => diagnostics(document.uri, "missing-sibling-dispatch").length, "a finding in the second root");
  },

  async "takes up changed settings"() {
    const { document } = await open(YAML);
    const section = vscode.workspace.getConfiguration("mkls");
    await section.update("ignore", ["missing-sibling-dispatch"], vscode.ConfigurationTarget.Global);
    await until(() => !diagnostics(document.uri, "missing-sibling-dispatch").length, "the finding to go");
    await section.update("ignore", undefined, vscode.ConfigurationTarget.Global);
    await until(() => diagnostics(document.uri, "missing-sibling-dispatch").length, "the finding to return");
  },

  async "runs a kernel from the unsaved text and shows the outcome in place"() {
    const editor = await open(UNARY);
    const { uri } = editor.document;
    await until(async () => (await titles(uri)).some((it) => /Run/.test(it)), "a lens");
    putCursor(editor, "REGISTER_UNARY_OP(softsign, float, float)");
    await vscode.commands.executeCommand("mkls.runKernelAtCursor");
    const seen = await until(async () => {
      const shown = (await titles(uri)).filter((it) => /[✓✗]/.test(it));
      return shown.length && shown;
    }, "an outcome in a lens", 120_000);
    assert.match(seen[0], /✗ .*differ/);
  },

  async "shows what is wrong with a kernel that computes the wrong thing"() {
    const editor = await open(UNARY);
    const { uri } = editor.document;
    const [lens] = (await lenses(uri)).filter((it) => it.command?.command === "mkls.runKernel");
    const all = (await lenses(uri)).filter((it) => it.command?.command === "mkls.runKernel" && !it.command.arguments[0].check);
    const kernels = all.flatMap((it) => it.command.arguments[0].kernel);
    assert.ok(lens && kernels.length);
    const report = await vscode.commands.executeCommand("mkls.runKernel", { uri: uri.toString(), kernel: kernels });
    assert.equal(report.backend, "emulator");
    assert.ok(report.runs.length >= kernels.length);
    if (report.runs.some((it) => it.outcome === "mismatched")) {
      await until(() => ofRuns(uri).length, "a diagnostic of the run");
    }
  },

  async "shows what a registration stands for"() {
    const editor = await open(UNARY);
    putCursor(editor, "REGISTER_UNARY_OP(fade, float, float)");
    await vscode.commands.executeCommand("mkls.showExpansionAtCursor");
    const shown = vscode.window.activeTextEditor.document;
    assert.equal(shown.uri.scheme, "mkls");
    assert.match(shown.getText(), /host_name/);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  },

  async "carries a migration through the files"() {
    const editor = await open(YAML);
    const place = putCursor(editor, "- func: fade.mode_out").translate(0, 9);
    const range = new vscode.Range(place, place);
    const kind = vscode.CodeActionKind.RefactorRewrite.value;
    const actions = await vscode.commands.executeCommand("vscode.executeCodeActionProvider", editor.document.uri, range, kind, 50);
    const action = actions.find((it) => /^Migrate/.test(it.title) && it.edit);
    assert.ok(action, actions.map((it) => it.title).join("; "));
    assert.ok(await vscode.workspace.applyEdit(action.edit));
    assert.doesNotMatch(editor.document.getText(), /fade_mode_out_mps/);
    await until(() => !diagnostics(editor.document.uri, "mixed-dispatch-group").length, "the finding to go");
    await revertAll();
  },

  async "renames a kernel in all layers"() {
    const editor = await open(BINARY);
    const place = putCursor(editor, "blend, float, float");
    const edit = await vscode.commands.executeCommand("vscode.executeDocumentRenameProvider", editor.document.uri, place, "mingle");
    const files = edit.entries().map(([uri]) => uri.path.split("/").pop());
    assert.ok(files.includes("BinaryKernel.metal") && files.includes("SampleKernel.mm"), files.join(", "));
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.match(editor.document.getText(), /REGISTER_BINARY_OP\(mingle, float, float\)/);
    assert.doesNotMatch(editor.document.getText(), /\bblend\b/);
    await revertAll();
  },

  async "cancels a run"() {
    const editor = await open(UNARY);
    const { uri } = editor.document;
    const endless = "\n// mkls-run: threads=1\n// mkls-arg: output = zeros(1)\nkernel void endless(device float* output) { for (;;) { output[0] += 1; } }\n";
    await editor.edit((it) => it.insert(editor.document.positionAt(editor.document.getText().length), endless));
    const { server } = await api();
    const running = vscode.commands.executeCommand("mkls.runKernel", { uri: uri.toString(), kernel: "endless" });
    await until(async () => (await titles(uri)).some((it) => /running|…/i.test(it)), "the run to begin");
    server.cancelRuns();
    assert.equal(await running, undefined);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  },

  async "offers mkls check as a task whose lines become problems"() {
    const tasks = await vscode.tasks.fetchTasks({ type: "mkls" });
    assert.equal(tasks.length, 2, "one for each root");
    const ended = new Promise((resolve) => vscode.tasks.onDidEndTaskProcess((it) => resolve(it.exitCode)));
    await vscode.tasks.executeTask(tasks[0]);
    assert.equal(await ended, 1, "exit status: there are findings");
    // Problems of open documents come from the server; those of closed ones from the task.
    const other = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, YAML);
    await until(() => vscode.languages.getDiagnostics(other).length, "problems");
  },

  async "recovers from a crash"() {
    const { server } = await api();
    const children = execFileSync("pgrep", ["-P", String(process.pid), "-f", "mkls"], { encoding: "utf8" }).trim().split("\n");
    assert.equal(children.length, 1);
    const again = new Promise((resolve) => server.onStart(resolve));
    process.kill(Number(children[0]), "SIGKILL");
    await again;
    const editor = await open(YAML);
    await replace(editor, "structured_delegate: hush.output", "structured_delegate: hush.outputs");
    await until(() => diagnostics(editor.document.uri, "unknown-structured-delegate").some((it) => /hush\.outputs/.test(it.message)), "a finding in the edited text");
    await vscode.commands.executeCommand("workbench.action.files.revert");
  },
};
