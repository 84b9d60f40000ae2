/** The shell command that repeats a run: pure. */

import type { RunReport } from "./protocol";

/** @param call the words that start mkls, such as `["python", "-m", "mkls"]` */
export function replayCommand(call: string[], report: RunReport): string {
  const kernels = [...new Set(report.runs.map((it) => it.kernel))].filter(Boolean);
  const words = [...call, "run", report.file, ...kernels.flatMap((it) => ["--kernel", it])];
  return [...words, "--backend", report.backend].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
