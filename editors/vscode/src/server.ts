import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  RevealOutputChannelOn,
  type LanguageClientOptions,
  type Middleware,
} from "vscode-languageclient/node";
import { Backoff } from "./backoff";
import { isCard, isRunReport, type Card, type RunReport } from "./protocol";
import { forServer } from "./restricted";
import type { ServerCommand } from "./serverCommand";
import { readSettings } from "./settings";
import { DOCUMENTS, type Status } from "./status";

type Finder = () => Promise<ServerCommand | undefined>;

/** The server's process and the conversation with it; starts it again when it dies. */
export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private starting: Promise<void> = Promise.resolve();
  private readonly backoff = new Backoff();
  private readonly runs = new Set<vscode.CancellationTokenSource>();
  private readonly reports = new vscode.EventEmitter<RunReport>();
  private readonly cards = new vscode.EventEmitter<Card>();
  private readonly starts = new vscode.EventEmitter<void>();
  private readonly trace = vscode.window.createOutputChannel("mkls trace", { log: true });
  /** What was found last; undefined before the first start. */
  command: ServerCommand | undefined;
  /** Fires with what each run came to, whoever has asked for it. */
  readonly onReport = this.reports.event;
  /** Fires with the card of an operator or kernel, whoever has asked for it. */
  readonly onCard = this.cards.event;
  readonly onStart = this.starts.event;

  constructor(
    private readonly find: Finder,
    private readonly status: Status,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  dispose(): void {
    clearTimeout(this.timer);
    this.cancelRuns();
    void this.stop();
    for (const it of [this.reports, this.cards, this.starts, this.trace]) it.dispose();
  }

  get running(): boolean {
    return this.client?.isRunning() ?? false;
  }

  /** Start, or stop and start, after what is under way. */
  restart(): Promise<void> {
    this.backoff.reset();
    return this.again();
  }

  /** Send a request.
   *
   * @throws Error when there is no server, or when it refuses.
   */
  async request<T>(method: string, params: object, token?: vscode.CancellationToken): Promise<T> {
    if (!this.client?.isRunning()) throw new Error("The mkls server is not running.");
    // A token that is undefined would be sent as a second parameter.
    return token ? this.client.sendRequest<T>(method, params, token) : this.client.sendRequest<T>(method, params);
  }

  /** Run a command of the server that can be cancelled; reports and cards are fired as well. */
  async execute(command: string, args: unknown[], token?: vscode.CancellationToken): Promise<unknown> {
    const source = new vscode.CancellationTokenSource();
    const link = token?.onCancellationRequested(() => {
      source.cancel();
    });
    this.runs.add(source);
    this.tellRunning();
    try {
      const params = { command, arguments: args };
      const result = await this.request<unknown>(ExecuteCommandRequest.method, params, source.token);
      if (isRunReport(result)) this.report(result);
      if (isCard(result)) this.cards.fire(result);
      return result;
    } finally {
      link?.dispose();
      this.runs.delete(source);
      source.dispose();
      this.tellRunning();
    }
  }

  cancelRuns(): void {
    for (const it of this.runs) it.cancel();
  }

  private report(report: RunReport): void {
    this.status.ranOn(report.backend);
    this.reports.fire(report);
  }

  private tellRunning(): void {
    void vscode.commands.executeCommand("setContext", "mkls.running", this.runs.size > 0);
  }

  private again(): Promise<void> {
    clearTimeout(this.timer);
    this.starting = this.starting.then(() => this.startOnce());
    return this.starting;
  }

  private async startOnce(): Promise<void> {
    await this.stop();
    try {
      this.command = await this.find();
    } catch (error) {
      this.fail(String(error instanceof Error ? error.message : error));
      return;
    }
    if (!this.command) {
      this.status.missing();
      return;
    }
    await this.launch(this.command);
  }

  private async launch(found: ServerCommand): Promise<void> {
    this.status.starting(found);
    this.log.info(`starting ${found.command} ${found.args.join(" ")}, found by ${found.origin}`);
    const args = [...found.args, ...readSettings().serverArgs];
    const client: LanguageClient = new LanguageClient(
      "mkls",
      "mkls",
      { command: found.command, args },
      this.options(() => {
        // One that is stopped on purpose is no longer ours when it ends.
        if (this.client === client) this.ended("its process went away");
      }),
    );
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      if (this.client === client) this.ended(`it did not start: ${String(error)}`);
      return;
    }
    this.status.running(client.initializeResult?.serverInfo?.version ?? "");
    this.starts.fire();
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (!client) return;
    try {
      await client.dispose(2000);
    } catch {
      // it was dead already
    }
  }

  private ended(reason: string): void {
    this.client = undefined;
    const wait = this.backoff.ended();
    if (wait === undefined) {
      this.fail(`The mkls server has ended too often; the last time, ${reason}`);
      return;
    }
    this.log.warn(`the server has ended: ${reason}; starting again in ${String(wait)} ms`);
    this.status.failed(`${reason}; starting again`);
    this.timer = setTimeout(() => void this.again(), wait);
  }

  private fail(message: string): void {
    this.status.failed(message);
    this.log.error(message);
    void vscode.window.showErrorMessage(message, "Restart", "Show Log", "Settings").then((choice) => {
      if (choice === "Restart") void this.restart();
      if (choice === "Show Log") this.log.show();
      if (choice === "Settings") void vscode.commands.executeCommand("workbench.action.openSettings", "mkls.");
    });
  }

  private options(ended: () => void): LanguageClientOptions {
    return {
      documentSelector: DOCUMENTS,
      outputChannel: this.log,
      traceOutputChannel: this.trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          ended();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      middleware: this.middleware(),
    };
  }

  private middleware(): Middleware {
    return {
      workspace: {
        configuration: async (params, token, next) => {
          const tables: unknown = await next(params, token);
          if (!Array.isArray(tables)) return [];
          return tables.map((it: unknown) => forServer(it, vscode.workspace.isTrusted));
        },
      },
      executeCommand: async (command, args) => {
        try {
          return await this.execute(command, args);
        } catch (error) {
          if (error instanceof vscode.CancellationError) return undefined;
          void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
          return undefined;
        }
      },
      handleWorkDoneProgress: (token, params, next) => {
        const message = params.kind === "begin" ? params.title : (params.message ?? "working");
        this.status.working(token, params.kind === "end" ? undefined : message);
        next(token, params);
      },
    };
  }
}
