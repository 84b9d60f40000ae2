import * as vscode from "vscode";

/** The settings that the extension itself reads; the server asks for all the others. */
export interface Settings {
  serverPath: string;
  serverArgs: string[];
  requirement: string;
  interpreter: string;
}

export function readSettings(): Settings {
  const section = vscode.workspace.getConfiguration("mkls");
  return {
    serverPath: section.get("server.path", "").trim(),
    serverArgs: section.get<string[]>("server.args", []),
    requirement: section.get("server.requirement", "mkls[run]"),
    interpreter: section.get("interpreter", "").trim(),
  };
}

const STARTS_ANEW = ["mkls.server", "mkls.interpreter"];

/** Whether a change concerns how the server is started. */
export function concernsStart(change: vscode.ConfigurationChangeEvent): boolean {
  return STARTS_ANEW.some((it) => change.affectsConfiguration(it));
}
