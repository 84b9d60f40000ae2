import * as vscode from "vscode";
import { awaitedRunnables, runKernels } from "./kernels";
import { caseName, failures, type Failure } from "./outcomes";
import { isRunReport, type Run, type RunReport } from "./protocol";
import type { Server } from "./server";

/** Kernels as tests, their cases as sub-tests, in the editor's own view of tests. */
export class KernelTests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("mkls", "Metal kernels");
  private readonly subscriptions: vscode.Disposable[] = [this.controller];
  /** Runs started from this view, whose reports must not be shown a second time. */
  private readonly own = new WeakSet<RunReport>();
  private pending = 0;

  constructor(private readonly server: Server) {
    this.controller.refreshHandler = () => this.refreshAll();
    this.controller.resolveHandler = (item) => (item ? this.discover(item) : this.refreshAll());
    this.profile("Run", vscode.TestRunProfileKind.Run, undefined);
    this.profile("Run (Checked)", vscode.TestRunProfileKind.Debug, true);
    this.subscriptions.push(
      server.onStart(() => void this.refreshAll()),
      server.onReport((it) => {
        if (!this.own.has(it) && !this.pending) void this.show(it);
      }),
      vscode.workspace.onDidOpenTextDocument((it) => void this.refresh(it)),
      vscode.workspace.onDidSaveTextDocument((it) => void this.refresh(it)),
    );
  }

  dispose(): void {
    for (const it of this.subscriptions) it.dispose();
  }

  private profile(name: string, kind: vscode.TestRunProfileKind, check: boolean | undefined): void {
    this.controller.createRunProfile(name, kind, (wanted, token) => this.run(wanted, check, token), name === "Run");
  }

  private async refreshAll(): Promise<void> {
    await Promise.all(vscode.workspace.textDocuments.map((it) => this.refresh(it)));
  }

  private async refresh(document: vscode.TextDocument): Promise<void> {
    if (document.languageId !== "metal" || document.uri.scheme !== "file") return;
    await this.discover(this.file(document.uri));
  }

  private file(uri: vscode.Uri): vscode.TestItem {
    const id = uri.toString();
    const known = this.controller.items.get(id);
    if (known) return known;
    const path = vscode.workspace.asRelativePath(uri).split("/");
    const item = this.controller.createTestItem(id, path.at(-1) ?? id, uri);
    item.description = path.slice(0, -1).join("/");
    item.canResolveChildren = true;
    this.controller.items.add(item);
    return item;
  }

  private async discover(file: vscode.TestItem): Promise<void> {
    if (!file.uri || file.parent || !this.server.running) return;
    try {
      const places = await awaitedRunnables(this.server, file.uri);
      file.error = undefined;
      file.children.replace(places.flatMap((it) => it.kernels.map((name) => this.kernel(file, name, it.range))));
    } catch (error) {
      file.error = String(error);
    }
  }

  private kernel(file: vscode.TestItem, name: string, range: vscode.Range): vscode.TestItem {
    const known = file.children.get(name);
    const item = known ?? this.controller.createTestItem(name, name, file.uri);
    item.range = range;
    return item;
  }

  private async run(wanted: vscode.TestRunRequest, check: boolean | undefined, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(wanted);
    this.pending += 1;
    try {
      for (const [file, kernels] of await this.chosen(wanted)) {
        if (token.isCancellationRequested || !file.uri) break;
        await this.runFile(run, file.uri, kernels, check, token);
      }
    } finally {
      this.pending -= 1;
      run.end();
    }
  }

  private async runFile(
    run: vscode.TestRun,
    uri: vscode.Uri,
    kernels: vscode.TestItem[],
    check: boolean | undefined,
    token: vscode.CancellationToken,
  ): Promise<void> {
    for (const it of kernels) run.started(it);
    try {
      const names = kernels.map((it) => it.id);
      const report = await runKernels(this.server, uri, names, check, token);
      if (!isRunReport(report)) return;
      this.own.add(report);
      for (const it of kernels) this.tell(run, it, report.runs);
    } catch (error) {
      if (token.isCancellationRequested) for (const it of kernels) run.skipped(it);
      else for (const it of kernels) run.errored(it, new vscode.TestMessage(String(error)));
    }
  }

  /** Return the kernels that are asked for, by file; a case stands for its kernel. */
  private async chosen(wanted: vscode.TestRunRequest): Promise<Map<vscode.TestItem, vscode.TestItem[]>> {
    const roots = wanted.include ?? [...this.controller.items].map(([, it]) => it);
    const chosen = new Map<vscode.TestItem, vscode.TestItem[]>();
    for (const item of roots) {
      if (!item.parent) await this.discover(item);
      const kernels = item.parent ? [item.parent.parent ? item.parent : item] : [...item.children].map(([, it]) => it);
      for (const it of kernels) {
        if (wanted.exclude?.includes(it) || !it.parent) continue;
        const list = chosen.get(it.parent) ?? [];
        if (!list.includes(it)) list.push(it);
        chosen.set(it.parent, list);
      }
    }
    return chosen;
  }

  /** Show a run that was started elsewhere, by a code lens say. */
  private async show(report: RunReport): Promise<void> {
    const names = new Set(report.runs.map((it) => it.kernel));
    await this.refreshAll();
    const items = [...this.controller.items].flatMap(([, file]) =>
      [...file.children].map(([, it]) => it).filter((it) => names.has(it.id)),
    );
    if (!items.length) return;
    const run = this.controller.createTestRun(new vscode.TestRunRequest(items), undefined, false);
    for (const it of items) this.tell(run, it, report.runs);
    run.end();
  }

  private tell(run: vscode.TestRun, kernel: vscode.TestItem, all: Run[]): void {
    const mine = all.filter((it) => it.kernel === kernel.id);
    kernel.children.replace(mine.map((it, index) => this.case(kernel, it, index)));
    mine.forEach((it, index) => {
      const item = kernel.children.get(caseId(it, index));
      if (item) tellOne(run, item, it);
    });
    const wrong = mine.flatMap((it) => failures(it).map((failure) => message(kernel, failure, caseName(it))));
    if (wrong.length) run.failed(kernel, wrong);
    else if (mine.some((it) => it.outcome === "passed")) run.passed(kernel);
    else run.skipped(kernel);
  }

  private case(kernel: vscode.TestItem, it: Run, index: number): vscode.TestItem {
    const item = this.controller.createTestItem(caseId(it, index), caseName(it), kernel.uri);
    item.range = kernel.range;
    return item;
  }
}

function caseId(run: Run, index: number): string {
  return `${String(index)}: ${run.case}`;
}

function tellOne(run: vscode.TestRun, item: vscode.TestItem, it: Run): void {
  const wrong = failures(it).map((failure) => message(item, failure));
  const took = it.milliseconds ?? undefined;
  if (wrong.length) run.failed(item, wrong, took);
  else if (it.outcome === "skipped") run.skipped(item);
  else run.passed(item, took);
}

function message(item: vscode.TestItem, failure: Failure, of?: string): vscode.TestMessage {
  const text = of ? `${of}: ${failure.message}` : failure.message;
  const { expected, got } = failure;
  const shown =
    expected !== undefined && got !== undefined
      ? vscode.TestMessage.diff(text, expected, got)
      : new vscode.TestMessage(text);
  const place = location(item, failure);
  if (place) shown.location = place;
  return shown;
}

function location(item: vscode.TestItem, failure: Failure): vscode.Location | undefined {
  if (failure.place) {
    const { path, line, column } = failure.place;
    return new vscode.Location(vscode.Uri.file(path), new vscode.Position(line - 1, Math.max(0, column - 1)));
  }
  return item.uri && item.range ? new vscode.Location(item.uri, item.range) : undefined;
}
