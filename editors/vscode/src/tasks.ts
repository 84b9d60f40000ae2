import * as vscode from "vscode";
import type { Server } from "./server";
import { siblingCall } from "./serverCommand";

const TYPE = "mkls";

/** `mkls check` of each folder as a task, whose lines become problems. */
export class CheckTasks implements vscode.TaskProvider {
  constructor(private readonly server: Server) {}

  provideTasks(): vscode.Task[] {
    return (vscode.workspace.workspaceFolders ?? []).flatMap((it) => this.task({ type: TYPE, task: "check" }, it));
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const folder = typeof task.scope === "object" ? task.scope : vscode.workspace.workspaceFolders?.[0];
    return folder && this.task(task.definition, folder)[0];
  }

  private task(definition: vscode.TaskDefinition, folder: vscode.WorkspaceFolder): vscode.Task[] {
    const server = this.server.command;
    if (!server) return [];
    const name = String(definition["task"] ?? "check");
    const more = (definition["args"] as string[] | undefined) ?? [];
    const format = name === "check" ? ["--output-format", "concise"] : [];
    const [program = "", ...args] = siblingCall(server, name, ...format, ...more);
    const execution = new vscode.ProcessExecution(program, args, { cwd: folder.uri.fsPath });
    return [new vscode.Task(definition, folder, name, "mkls", execution, "$mkls")];
  }
}

export function registerTasks(server: Server): vscode.Disposable {
  return vscode.tasks.registerTaskProvider(TYPE, new CheckTasks(server));
}
