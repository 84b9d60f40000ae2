// The tests in a real VS Code. Usage: node e2e/run.mjs [SUITE ...]     (from editors/vscode)
//   MKLS_E2E_TOOLS  what setup.sh has installed; MKLS_SERVER  the mkls executable (default: on PATH)
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { CodeServer } from "./codeServer.mjs";
import { SCENES } from "./scenes.mjs";

const HERE = path.resolve(".");
const SERVER = process.env.MKLS_SERVER ?? execFileSync("sh", ["-c", "command -v mkls"], { encoding: "utf8" }).trim();
const OUT = path.join(HERE, "e2e/out");
const NOISE = /^(Resolv|Creating a socket|Updating add|\[|getaddrinfo|Canceled)/;
const FOUND = { "mkls.server.path": SERVER };
// An untrusted folder must not name programs or switch running on.
const GREEDY = { "mkls.run.enabled": true, "mkls.run.python": "/bin/false", "mkls.server.path": "/bin/false" };

const SUITES = {
  main: { settings: FOUND },
  untrusted: { settings: FOUND, trust: false, folder: GREEDY },
  missing: { settings: {}, environment: { PATH: "/nowhere" } },
};

function workspace(folderSettings) {
  const top = mkdtempSync(path.join(tmpdir(), "mkls work "));
  const roots = ["one", "two"].map((it) => path.join(top, it));
  for (const it of roots) {
    execFileSync(SERVER, ["demo", "--copy-to", it]);
    if (folderSettings) {
      mkdirSync(path.join(it, ".vscode"));
      writeFileSync(path.join(it, ".vscode/settings.json"), JSON.stringify(folderSettings));
    }
  }
  const file = path.join(top, "both.code-workspace");
  writeFileSync(file, JSON.stringify({ folders: roots.map((it) => ({ path: it })) }));
  return { top, file, roots };
}

/** Run one suite inside the extension host; return whether it passed. */
async function inHost(name, { settings, trust = true, folder, environment = {} }) {
  const place = workspace(folder);
  const env = { MKLS_SUITE: name, MKLS_SERVER: SERVER, ...environment };
  const server = await CodeServer.start({ settings, trust, environment: env });
  try {
    let end;
    const ended = new Promise((resolve) => (end = resolve));
    const slow = setTimeout(() => end("time is up"), 300_000);
    const prepare = async (page) => {
      await page.exposeFunction("codeAutomationExit", (code) => end(code));
      await page.exposeFunction("codeAutomationLog", (_kind, words) => {
        const list = [words].flat();
        if (!NOISE.test(String(list[0]))) console.log(" ", ...list);
      });
    };
    const payload = [
      ["extensionDevelopmentPath", server.remote(HERE)],
      ["extensionTestsPath", server.remote(path.join(HERE, "e2e/host/index"))],
      ["skipWelcome", "true"],
    ];
    const page = await server.open(place.file, { payload, prepare });
    const code = await ended;
    clearTimeout(slow);
    if (code !== 0) await page.screenshot({ path: path.join(OUT, `${name}-failed.png`) });
    return code === 0;
  } finally {
    await server.stop();
    rmSync(place.top, { recursive: true, force: true });
  }
}

/** Look at the scenes in the browser, in a dark and in a light theme; return whether all came up. */
async function inBrowser() {
  let good = true;
  for (const theme of ["dark", "light"]) {
    const place = workspace();
    const look = { "workbench.colorTheme": theme === "dark" ? "Default Dark Modern" : "Default Light Modern" };
    const server = await CodeServer.start({ settings: { ...FOUND, ...look }, extension: path.join(HERE, "mkls.vsix") });
    try {
      const shot = (page, name) => page.screenshot({ path: path.join(OUT, `${name}-${theme}.png`) });
      for (const [name, scene] of Object.entries(SCENES)) {
        good = (await played(name, () => scene({ server, root: place.roots[0], theme, shot }))) && good;
      }
    } finally {
      await server.stop();
      rmSync(place.top, { recursive: true, force: true });
    }
  }
  return good;
}

async function played(name, scene) {
  try {
    await scene();
    console.log(`  ok ${name}`);
    return true;
  } catch (error) {
    console.log(`  FAIL ${name}: ${error.stack}`);
    return false;
  }
}

mkdirSync(OUT, { recursive: true });
const wanted = process.argv.slice(2);
let passed = true;
for (const [name, suite] of Object.entries(SUITES)) {
  if (wanted.length && !wanted.includes(name)) continue;
  console.log(`${name}:`);
  passed = (await inHost(name, suite)) && passed;
}
if (!wanted.length || wanted.includes("scenes")) {
  console.log("scenes:");
  passed = (await inBrowser()) && passed;
}
console.log(passed ? "VS Code: all passed" : "VS Code: FAILED");
process.exit(passed ? 0 : 1);
