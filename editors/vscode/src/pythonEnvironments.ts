import * as vscode from "vscode";

/** The part that is used of the API of `ms-python.vscode-python-envs`. */
interface EnvironmentsApi {
  getEnvironment(scope: vscode.Uri | undefined): Promise<{ execInfo: { run: { executable: string } } } | undefined>;
  onDidChangeEnvironment: vscode.Event<unknown>;
}

/** The part that is used of the API of `ms-python.python`. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(scope?: vscode.Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

const ENVIRONMENTS = "ms-python.vscode-python-envs";
const PYTHON = "ms-python.python";

async function api<T>(id: string): Promise<T | undefined> {
  const extension = vscode.extensions.getExtension<T>(id);
  if (!extension) return undefined;
  try {
    return await extension.activate();
  } catch {
    return undefined; // that extension has told of its failure itself
  }
}

/** Return the interpreter that the user has selected, if an extension for Python is there to tell. */
export async function selectedInterpreter(): Promise<string | undefined> {
  const scope = vscode.workspace.workspaceFolders?.[0]?.uri;
  const environments = await api<EnvironmentsApi>(ENVIRONMENTS);
  const chosen = await environments?.getEnvironment(scope).catch(() => undefined);
  if (chosen) return chosen.execInfo.run.executable;
  const python = (await api<PythonApi>(PYTHON))?.environments;
  if (!python) return undefined;
  const resolved = await python.resolveEnvironment(python.getActiveEnvironmentPath(scope));
  return resolved?.executable.uri?.fsPath;
}

/** Call `changed` whenever another interpreter is selected. */
export async function onSelection(changed: () => void): Promise<vscode.Disposable> {
  const environments = await api<EnvironmentsApi>(ENVIRONMENTS);
  if (environments) return environments.onDidChangeEnvironment(changed);
  const python = await api<PythonApi>(PYTHON);
  return python?.environments.onDidChangeActiveEnvironmentPath(changed) ?? new vscode.Disposable(() => undefined);
}
