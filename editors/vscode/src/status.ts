import * as vscode from "vscode";
import type { ServerCommand } from "./serverCommand";

export const DOCUMENTS = [
  { scheme: "file", language: "metal" },
  { scheme: "untitled", language: "metal" },
  { scheme: "file", language: "objective-cpp" },
  { scheme: "file", language: "cpp" },
  { scheme: "file", language: "c" },
  { scheme: "file", language: "python" },
  { scheme: "file", pattern: "**/native_functions.yaml" },
];

const SHOWN_IN = [
  { language: "metal" },
  { language: "objective-cpp" },
  { pattern: "**/native_functions.yaml" },
];

/** The one entry in the language status: which server, and what it does. */
export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("mkls", SHOWN_IN);
  private origin = "";
  private backend = "";
  private readonly work = new Map<unknown, string>();

  constructor() {
    this.item.name = "mkls";
    this.missing();
  }

  dispose(): void {
    this.item.dispose();
  }

  missing(): void {
    this.show("mkls: no server", vscode.LanguageStatusSeverity.Warning, "mkls.installServer", "Install");
  }

  starting(server: ServerCommand): void {
    this.origin = `${server.command} (${server.origin})`;
    this.work.clear();
    this.show("mkls: starting", vscode.LanguageStatusSeverity.Information, "mkls.showLog", "Log");
    this.item.busy = true;
  }

  running(version: string): void {
    this.show(`mkls ${version}`, vscode.LanguageStatusSeverity.Information, "mkls.showLog", "Log");
    this.item.busy = this.work.size > 0;
  }

  failed(reason: string): void {
    this.work.clear();
    this.show("mkls: stopped", vscode.LanguageStatusSeverity.Error, "mkls.restartServer", "Restart");
    this.item.detail = reason;
    this.item.busy = false;
  }

  /** Long work begins, goes on, or (without `what`) ends. */
  working(token: unknown, what: string | undefined): void {
    if (what === undefined) this.work.delete(token);
    else this.work.set(token, what);
    this.item.busy = this.work.size > 0;
    this.describe();
  }

  ranOn(backend: string): void {
    this.backend = backend;
    this.describe();
  }

  private show(text: string, severity: vscode.LanguageStatusSeverity, command: string, title: string): void {
    this.item.text = text;
    this.item.severity = severity;
    this.item.command = { command, title };
    this.describe();
  }

  private describe(): void {
    const parts = [...this.work.values()];
    if (!parts.length) parts.push("index ready");
    if (this.backend) parts.push(`kernels ran on: ${this.backend}`);
    parts.push(this.origin);
    this.item.detail = parts.filter(Boolean).join(" · ");
  }
}
