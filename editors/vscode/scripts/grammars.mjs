// Snapshots of what the TextMate grammars make of the files in grammars/textmate/test.
// Usage: node scripts/grammars.mjs [--updateSnapshot]
import { spawnSync } from "node:child_process";

const HOME = "../../grammars/textmate/test";
const TOOL = "node_modules/vscode-tmgrammar-test/dist/snapshot.js";
const FILES = { "kernel.metal": "metal", "native_functions.yaml": "yaml", "Host.mm": "objcpp", "kernels.py": "python" };

let failed = false;
for (const [file, language] of Object.entries(FILES)) {
  // Injections need the language that they are injected into: an empty stand-in for each will do.
  const base = language === "metal" ? [] : ["-g", `${HOME}/base/${language}.json`];
  const args = [TOOL, ...process.argv.slice(2), "-s", `source.${language}`, ...base, `${HOME}/${file}`];
  failed = spawnSync(process.execPath, args, { stdio: "inherit" }).status !== 0 || failed;
}
process.exit(failed ? 1 : 0);
