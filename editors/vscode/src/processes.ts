import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import * as path from "node:path";

export interface Ended {
  status: number;
  output: string;
  error: string;
}

/** Run a program to its end; one that cannot be started has the status -1. */
export function run(command: string, args: string[], cwd?: string): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd, timeout: 600_000, maxBuffer: 64 << 20, windowsHide: true };
    execFile(command, args, options, (error, output, stderr) => {
      const status = error ? (typeof error.code === "number" ? error.code : -1) : 0;
      resolve({ status, output, error: stderr || (status === -1 ? String(error) : "") });
    });
  });
}

export async function exists(file: string): Promise<boolean> {
  return access(file, constants.F_OK).then(
    () => true,
    () => false,
  );
}

/** Return where `PATH` has the program `name`. */
export async function onPath(name: string): Promise<string | undefined> {
  const suffixes = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    // A relative folder would be looked up in the workspace.
    if (!path.isAbsolute(folder)) continue;
    for (const suffix of suffixes) {
      const file = path.join(folder, name + suffix);
      if (await isExecutable(file)) return file;
    }
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Whether `interpreter` can import mkls. */
export async function hasServer(interpreter: string): Promise<boolean> {
  const question = "import importlib.util as u, sys; sys.exit(u.find_spec('mkls') is None)";
  return (await run(interpreter, ["-I", "-c", question])).status === 0;
}
