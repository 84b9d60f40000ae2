import * as vscode from "vscode";
import type { Card } from "./protocol";
import type { Server } from "./server";

/** The side panel with all layers of one operator. */
export class OperatorView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  private body = "<p>Run <em>mkls: Show Operator's Layers…</em> to see an operator's rows, stubs, kernels and tests.</p>";
  private title = "";

  constructor(server: Server) {
    server.onCard((it) => void this.show(it));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.webview.options = { enableCommandUris: ["vscode.open"] };
    view.onDidDispose(() => {
      this.view = undefined;
    });
    this.draw();
  }

  /** Show a card, and bring the panel to the front. */
  async show(card: Card): Promise<void> {
    this.body = linked(await vscode.commands.executeCommand<string>("markdown.api.render", card.markdown));
    this.title = card.operator ?? card.kernels?.join(" ") ?? "";
    await vscode.commands.executeCommand("mkls.operator.focus");
    this.draw();
  }

  private draw(): void {
    if (!this.view) return;
    this.view.description = this.title;
    this.view.webview.html = page(this.body);
  }
}

/** A webview opens no file by itself: make such links commands. */
function linked(html: string): string {
  return html.replaceAll(/href="(file:[^"#]+)(?:#L(\d+)[^"]*)?"/g, (_, uri: string, line?: string) => {
    const start = Math.max(0, Number(line ?? "1") - 1);
    const selection = { startLineNumber: start + 1, startColumn: 1 };
    const argument = encodeURIComponent(JSON.stringify([uri, { selection }]));
    return `href="command:vscode.open?${argument}"`;
  });
}

function page(body: string): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
body { padding: 0 1em 1em; color: var(--vscode-foreground); font-size: var(--vscode-font-size); }
code, pre { font-family: var(--vscode-editor-font-family); }
table { border-collapse: collapse; } td, th { padding: 2px 8px 2px 0; text-align: left; vertical-align: top; }
a { color: var(--vscode-textLink-foreground); }
h1 { font-size: 1.3em; } h2 { font-size: 1.1em; } h3 { font-size: 1em; }
</style></head><body>${body}</body></html>`;
}
