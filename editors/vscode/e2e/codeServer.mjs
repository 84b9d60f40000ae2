// Starts a real VS Code (code-server) and opens it in headless Chromium.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

const TOOLS = path.resolve(process.env.MKLS_E2E_TOOLS ?? "e2e/tools");
const { chromium } = createRequire(path.join(TOOLS, "package.json"))("playwright-core");
const NODE = path.join(TOOLS, "node_modules/node/bin/node");
const ENTRY = path.join(TOOLS, "node_modules/code-server/out/node/entry.js");
const QUIET = {
  "workbench.startupEditor": "none",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": "off",
  "extensions.autoCheckUpdates": false,
  "workbench.tips.enabled": false,
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "editor.minimap.enabled": false,
  "git.enabled": false,
};
const CHROMIUM = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
];

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** A code-server with settings and extensions of its own, until `stop`. */
export class CodeServer {
  static async start({ settings = {}, trust = true, extension, environment = {} } = {}) {
    const server = new CodeServer();
    server.home = mkdtempSync(path.join(tmpdir(), "mkls-vscode-"));
    server.port = await freePort();
    server.address = `127.0.0.1:${server.port}`;
    mkdirSync(path.join(server.home, "data/User"), { recursive: true });
    const all = { ...QUIET, "security.workspace.trust.startupPrompt": "never", ...settings };
    writeFileSync(path.join(server.home, "data/User/settings.json"), JSON.stringify(all));
    mkdirSync(path.join(server.home, "data/Machine"), { recursive: true });
    writeFileSync(path.join(server.home, "data/Machine/settings.json"), JSON.stringify(machineOnly(settings)));
    server.environment = environment;
    if (extension) await server.#call(["--install-extension", extension]);
    const options = ["--vscode-option", "enable-smoke-test-driver"];
    server.process = server.#spawn(trust ? ["--disable-workspace-trust", ...options] : options);
    await server.#ready();
    server.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: CHROMIUM });
    return server;
  }

  #arguments(more) {
    const { home, address } = this;
    return [
      ENTRY, "--config", path.join(home, "config.yaml"), "--auth", "none", "--bind-addr", address,
      "--disable-telemetry", "--disable-update-check",
      "--user-data-dir", path.join(home, "data"), "--extensions-dir", path.join(home, "extensions"), ...more,
    ];
  }

  #spawn(more) {
    writeFileSync(path.join(this.home, "config.yaml"), `bind-addr: ${this.address}\nauth: none\ncert: false\n`);
    const folders = { XDG_CONFIG_HOME: this.home, XDG_DATA_HOME: this.home, XDG_CACHE_HOME: path.join(this.home, "cache") };
    const env = { ...process.env, ...folders, ...this.environment };
    const child = spawn(NODE, this.#arguments(more), { env, stdio: ["ignore", "pipe", "pipe"] });
    this.log = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (it) => (this.log += it));
    return child;
  }

  async #call(more) {
    const child = this.#spawn(more);
    const status = await new Promise((resolve) => child.on("exit", resolve));
    if (status !== 0) throw new Error(`code-server ${more.join(" ")} ended with ${status}:\n${this.log}`);
  }

  async #ready() {
    const end = Date.now() + 60_000;
    while (Date.now() < end) {
      const answer = await fetch(`http://${this.address}/healthz`).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`code-server did not start:\n${this.log}`);
  }

  /** Open `folder` (or a `.code-workspace`) in a new page; nothing outside of this machine is asked. */
  async open(folder, { payload = [], theme = "dark", size = { width: 1280, height: 800 }, prepare } = {}) {
    const context = await this.browser.newContext({
      viewport: size,
      colorScheme: theme,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    await page.route("**/*", (route) => {
      const url = new URL(route.request().url());
      const local = url.hostname === "127.0.0.1" || ["data:", "blob:"].includes(url.protocol);
      return local || url.hostname.endsWith(".vscode-resource.vscode-cdn.net") ? route.continue() : route.abort();
    });
    await prepare?.(page);
    const kind = folder.endsWith(".code-workspace") ? "workspace" : "folder";
    const query = new URLSearchParams({ [kind]: folder, payload: JSON.stringify(payload) });
    await page.goto(`http://${this.address}/?${query}`);
    await page.waitForSelector(".monaco-workbench", { timeout: 60_000 });
    return page;
  }

  remote(file) {
    return `vscode-remote://${this.address}${file}`;
  }

  async stop() {
    await this.browser?.close();
    this.process.kill();
    await new Promise((resolve) => this.process.on("exit", resolve));
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function machineOnly(settings) {
  const programs = ["mkls.server.path", "mkls.interpreter", "mkls.run.python", "mkls.server.requirement"];
  return Object.fromEntries(Object.entries(settings).filter(([name]) => programs.includes(name)));
}
