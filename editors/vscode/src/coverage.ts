import * as vscode from "vscode";
import { run } from "./processes";
import type { Server } from "./server";
import { siblingCall } from "./serverCommand";

/** Show the report of MPS coverage, a page that stands alone.
 *
 * @throws Error when there is no server or the report cannot be made.
 */
export async function showCoverage(server: Server): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!server.command || !folder) throw new Error("Coverage needs a folder and the mkls server.");
  const [program = "", ...args] = siblingCall(server.command, "coverage", "--output-format", "html");
  const ended = await run(program, args, folder.uri.fsPath);
  if (ended.status !== 0) throw new Error(ended.error.trim() || "mkls coverage failed");
  const options = { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] };
  const panel = vscode.window.createWebviewPanel("mkls.coverage", "MPS Coverage", vscode.ViewColumn.Active, options);
  panel.webview.html = ended.output;
}
