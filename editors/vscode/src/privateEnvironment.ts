import * as path from "node:path";
import * as vscode from "vscode";
import { exists, onPath, run } from "./processes";

/** A virtual environment of the extension's own, made only when the user agrees. */
export class PrivateEnvironment {
  constructor(
    private readonly storage: vscode.Uri,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  private get folder(): string {
    return path.join(this.storage.fsPath, "server");
  }

  private get python(): string {
    const parts = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
    return path.join(this.folder, ...parts);
  }

  async interpreter(): Promise<string | undefined> {
    return (await exists(this.python)) ? this.python : undefined;
  }

  /** Make the environment anew and install `requirement`; tells of success or of what went wrong. */
  async install(requirement: string, base: string | undefined): Promise<boolean> {
    const python = base ?? (await onPath("python3")) ?? (await onPath("python"));
    if (!python) {
      void vscode.window.showErrorMessage("mkls needs Python 3.10 or newer; none is on PATH.");
      return false;
    }
    await vscode.workspace.fs.createDirectory(this.storage);
    const title = "Installing mkls";
    const location = vscode.ProgressLocation.Notification;
    return vscode.window.withProgress({ title, location }, async (progress) => {
      progress.report({ message: "making an environment" });
      if (!(await this.step(python, ["-m", "venv", "--clear", this.folder]))) return false;
      progress.report({ message: `pip install ${requirement}` });
      const install = ["-m", "pip", "install", "--disable-pip-version-check", requirement];
      return this.step(this.python, install);
    });
  }

  private async step(command: string, args: string[]): Promise<boolean> {
    this.log.info(`${command} ${args.join(" ")}`);
    const ended = await run(command, args);
    this.log.info(ended.output);
    if (ended.status === 0) return true;
    this.log.error(ended.error);
    void this.tell(`${args.slice(0, 3).join(" ")} failed: ${ended.error.trim().split("\n").at(-1) ?? ""}`);
    return false;
  }

  private async tell(message: string): Promise<void> {
    if (await vscode.window.showErrorMessage(message, "Show Log")) this.log.show();
  }
}
