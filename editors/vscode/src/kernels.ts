import * as vscode from "vscode";
import type { KernelArguments } from "./protocol";
import { kernelNames } from "./protocol";
import type { Server } from "./server";

/** A place of a document that makes kernels. */
export interface Runnable {
  range: vscode.Range;
  kernels: string[];
}

interface WireLens {
  range: { start: WirePosition; end: WirePosition };
  command?: { command: string; arguments?: unknown[] };
}

interface WirePosition {
  line: number;
  character: number;
}

const RUN_KERNEL = "mkls.runKernel";

/** Return what can be run in the document `uri`, in its order. */
export async function runnables(server: Server, uri: vscode.Uri): Promise<Runnable[]> {
  const params = { textDocument: { uri: uri.toString() } };
  const lenses = (await server.request<WireLens[] | null>("textDocument/codeLens", params)) ?? [];
  return lenses.flatMap((lens) => {
    if (lens.command?.command !== RUN_KERNEL) return [];
    const [argument] = lens.command.arguments as [KernelArguments];
    const { start, end } = lens.range;
    const range = new vscode.Range(start.line, start.character, end.line, end.character);
    return argument.check ? [] : [{ range, kernels: kernelNames(argument.kernel) }];
  });
}

const PATIENCE = 5_000; // milliseconds that a server which has just started needs to read the files

/** As `runnables`, but wait a little for the first when the server may still be reading. */
export async function awaitedRunnables(server: Server, uri: vscode.Uri): Promise<Runnable[]> {
  for (const end = Date.now() + PATIENCE; ; await pause(200)) {
    const found = await runnables(server, uri);
    if (found.length || Date.now() > end) return found;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Return what `position` is in: the nearest place at or above it. */
export function runnableAt(places: Runnable[], position: vscode.Position): Runnable | undefined {
  return places.filter((it) => it.range.start.line <= position.line).at(-1) ?? places[0];
}

/** Run kernels of a document as the editor has it. */
export async function runKernels(
  server: Server,
  uri: vscode.Uri,
  kernels: string[],
  check?: boolean,
  token?: vscode.CancellationToken,
): Promise<unknown> {
  const argument: KernelArguments = { uri: uri.toString(), kernel: kernels };
  if (check !== undefined) argument.check = check;
  return server.execute(RUN_KERNEL, [argument], token);
}
