import * as vscode from "vscode";
import { Commands } from "./commands";
import { MadeDocuments } from "./documents";
import { OperatorView } from "./operatorView";
import { PrivateEnvironment } from "./privateEnvironment";
import { exists, hasServer, onPath } from "./processes";
import { onSelection, selectedInterpreter } from "./pythonEnvironments";
import { Server } from "./server";
import { findServer, type ServerCommand } from "./serverCommand";
import { concernsStart, readSettings } from "./settings";
import { Status } from "./status";
import { registerTasks } from "./tasks";
import { KernelTests } from "./testing";

/** Start everything; returns before the server is up, so that the editor does not wait for it. */
export function activate(context: vscode.ExtensionContext): { server: Server } {
  const log = vscode.window.createOutputChannel("mkls", { log: true });
  const status = new Status();
  const environment = new PrivateEnvironment(context.globalStorageUri, log);
  const server = new Server(() => find(environment), status, log);
  const documents = new MadeDocuments();
  const operators = new OperatorView(server);
  const install = () => installServer(environment, server);
  context.subscriptions.push(
    server,
    status,
    log,
    documents,
    new Commands(server, documents, log),
    new KernelTests(server),
    registerTasks(server),
    vscode.window.registerWebviewViewProvider("mkls.operator", operators),
    vscode.commands.registerCommand("mkls.installServer", install),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.restart()),
    vscode.workspace.onDidChangeConfiguration((it) => {
      if (concernsStart(it)) void server.restart();
    }),
  );
  void vscode.commands.executeCommand("setContext", "mkls.active", true);
  void begin(context, server, install);
  return { server };
}

async function begin(context: vscode.ExtensionContext, server: Server, install: () => Promise<void>): Promise<void> {
  await server.restart();
  // Waking the Python extension takes a while: not before the server is up.
  context.subscriptions.push(await onSelection(() => void followSelection(server)));
  if (!server.command && !context.globalState.get("mkls.declined")) await offer(context, install);
}

/** Another interpreter was selected: that concerns us only if it changes which server is found. */
async function followSelection(server: Server): Promise<void> {
  if (server.command?.origin.startsWith("the setting")) return;
  await server.restart();
}

async function offer(context: vscode.ExtensionContext, install: () => Promise<void>): Promise<void> {
  const message = "mkls needs its language server, a Python package. Install it into a private environment?";
  const choice = await vscode.window.showInformationMessage(message, "Install", "Settings", "Never");
  if (choice === "Install") await install();
  if (choice === "Settings") await vscode.commands.executeCommand("workbench.action.openSettings", "mkls.server");
  if (choice === "Never") await context.globalState.update("mkls.declined", true);
}

async function installServer(environment: PrivateEnvironment, server: Server): Promise<void> {
  const { requirement } = readSettings();
  const base = vscode.workspace.isTrusted ? await selectedInterpreter() : undefined;
  if (await environment.install(requirement, base)) await server.restart();
}

function find(environment: PrivateEnvironment): Promise<ServerCommand | undefined> {
  const settings = readSettings();
  return findServer({
    configuredPath: settings.serverPath,
    configuredInterpreter: settings.interpreter,
    trusted: vscode.workspace.isTrusted,
    selectedInterpreter,
    onPath,
    privateInterpreter: () => environment.interpreter(),
    hasServer,
    exists,
  });
}
