import * as vscode from "vscode";
import { showCoverage } from "./coverage";
import type { MadeDocuments } from "./documents";
import { awaitedRunnables, runKernels, runnableAt } from "./kernels";
import { summary } from "./outcomes";
import { run } from "./processes";
import { isRunReport, type Expansion, type RunReport } from "./protocol";
import { replayCommand } from "./replay";
import type { Server } from "./server";
import { siblingCall } from "./serverCommand";

type Handler = () => Promise<unknown>;

/** What the commands of the palette do. */
export class Commands implements vscode.Disposable {
  private last: RunReport | undefined;
  private readonly subscriptions: vscode.Disposable[] = [];

  constructor(
    private readonly server: Server,
    private readonly documents: MadeDocuments,
    private readonly log: vscode.LogOutputChannel,
  ) {
    const handlers: Record<string, Handler> = {
      "mkls.runKernelAtCursor": () => this.runKernel(undefined),
      "mkls.runKernelChecked": () => this.runKernel(true),
      "mkls.runOperatorByName": () => this.runOperator(),
      "mkls.cancelRuns": () => Promise.resolve(this.server.cancelRuns()),
      "mkls.copyReplayCommand": () => this.copyReplay(),
      "mkls.showExpansionAtCursor": () => this.showExpansion(),
      "mkls.openOperatorCard": () => this.openOperator(),
      "mkls.showCoverage": () => showCoverage(this.server),
      "mkls.restartServer": () => this.server.restart(),
      "mkls.showDoctor": () => this.showDoctor(),
      "mkls.showLog": () => Promise.resolve(this.log.show()),
    };
    for (const [name, handler] of Object.entries(handlers)) {
      this.subscriptions.push(vscode.commands.registerCommand(name, () => this.told(name, handler)));
    }
    this.subscriptions.push(
      server.onReport((it) => {
        this.last = it;
      }),
    );
  }

  dispose(): void {
    for (const it of this.subscriptions) it.dispose();
  }

  private async runKernel(check: boolean | undefined): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const { uri } = editor.document;
    const place = runnableAt(await awaitedRunnables(this.server, uri), editor.selection.active);
    if (!place) throw new Error("This file makes no kernels that can be run.");
    this.tell(await runKernels(this.server, uri, place.kernels, check));
  }

  private async runOperator(): Promise<void> {
    const operator = await askForOperator("Run which operator?");
    if (operator) this.tell(await this.server.execute("mkls.runOperator", [{ operator }]));
  }

  private tell(result: unknown): void {
    if (isRunReport(result)) vscode.window.setStatusBarMessage(summary(result.runs), 10_000);
  }

  private async copyReplay(): Promise<void> {
    if (!this.last || !this.server.command) throw new Error("No kernel has been run yet.");
    await vscode.env.clipboard.writeText(replayCommand(siblingCall(this.server.command), this.last));
    vscode.window.setStatusBarMessage("Copied the command that repeats the last run", 5_000);
  }

  private async showExpansion(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const { line, character } = editor.selection.active;
    const place = { uri: editor.document.uri.toString(), position: { line, character } };
    const found = (await this.server.execute("mkls.showExpansion", [place])) as Expansion | null;
    if (!found) throw new Error("There is no registration macro at the cursor.");
    const heading = [`// ${found.invocation}`, ...found.host_names.map((it) => `//   ${it}`), ""].join("\n");
    await this.documents.show("expansion.metal", `${heading}\n${found.text}\n`);
  }

  private async openOperator(): Promise<void> {
    const operator = await askForOperator("Show which operator?");
    if (operator) await this.server.execute("mkls.showOperator", [{ operator }]);
  }

  private async showDoctor(): Promise<void> {
    if (!this.server.command) throw new Error("There is no mkls server to ask.");
    const [program = "", ...args] = siblingCall(this.server.command, "doctor");
    const ended = await run(program, args, vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);
    await this.documents.show("doctor.txt", ended.output + ended.error);
  }

  /** Run `handler`; tell the user of what it throws, unless that is that the user stopped it. */
  private async told(name: string, handler: Handler): Promise<void> {
    try {
      await handler();
    } catch (error) {
      if (error instanceof vscode.CancellationError) return;
      const message = error instanceof Error ? error.message : String(error);
      this.log.error(`${name}: ${message}`);
      void vscode.window.showErrorMessage(message);
    }
  }
}

async function askForOperator(prompt: string): Promise<string | undefined> {
  const answer = await vscode.window.showInputBox({
    prompt,
    placeHolder: "atan2 or sub.Tensor",
    value: wordAtCursor(),
    validateInput: (it) => (/^[\w.]*$/.test(it.trim()) ? undefined : "A name such as atan2 or sub.Tensor"),
  });
  return answer?.trim() ?? undefined;
}

function wordAtCursor(): string {
  const editor = vscode.window.activeTextEditor;
  if (!editor?.document.fileName.endsWith("native_functions.yaml")) return "";
  for (let line = editor.selection.active.line; line >= 0; line--) {
    const row = /^- func: ([\w.]+)/.exec(editor.document.lineAt(line).text);
    if (row) return row[1] ?? "";
  }
  return "";
}
