const vscode = require("vscode");

/** Wait until `look` returns something true. */
exports.until = async function (look, what, patience = 30_000) {
  const end = Date.now() + patience;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

exports.open = async function (name, root = 0) {
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[root].uri, name);
  const document = await vscode.workspace.openTextDocument(uri);
  return vscode.window.showTextDocument(document, { preview: false });
};

exports.diagnostics = (uri, code) =>
  vscode.languages.getDiagnostics(uri).filter((it) => (it.code?.value ?? it.code) === code);

exports.api = async () => (await vscode.extensions.getExtension("mkls.mkls").activate());

exports.replace = async function (editor, from, to) {
  const { document } = editor;
  const start = document.getText().indexOf(from);
  if (start < 0) throw new Error(`no ${JSON.stringify(from)} in ${document.fileName}`);
  const range = new vscode.Range(document.positionAt(start), document.positionAt(start + from.length));
  await editor.edit((it) => it.replace(range, to));
};

exports.putCursor = function (editor, text) {
  const place = editor.document.positionAt(editor.document.getText().indexOf(text));
  editor.selection = new vscode.Selection(place, place);
  return place;
};
