/** What the runs of one kernel came to, for people: pure, so that it can be tested without an editor. */

import type { Run, RunFinding, RunMismatch } from "./protocol";

export interface Failure {
  message: string;
  expected?: string;
  got?: string;
  /** Where the fault is, when it is not the kernel as a whole; line and column count from 1. */
  place?: { path: string; line: number; column: number };
}

export function caseName(run: Run): string {
  return run.case || "as it stands";
}

/** Return what to show of a run that did not pass; a run that did has none. */
export function failures(run: Run): Failure[] {
  if (run.outcome === "passed" || run.outcome === "skipped") return [];
  const all = [
    ...(run.findings ?? []).map(ofFinding),
    ...(run.mismatch ? [ofMismatch(run.mismatch)] : []),
    ...(run.problems ?? []).filter((it) => it.severity === "error").map((it) => placed(it.message, it)),
  ];
  return all.length ? all : [placed(run.message ?? run.outcome, run.stopped_at)];
}

function ofFinding(finding: RunFinding): Failure {
  const times = finding.count > 1 ? ` (${String(finding.count)} times)` : "";
  return placed(`${finding.kind}: ${finding.message}${times}`, finding);
}

function ofMismatch({ argument, index, expected, got, count, total }: RunMismatch): Failure {
  const where = `${argument}[${index.join(", ")}]`;
  const share = `${String(count)} of ${String(total)} differ`;
  return { message: `${where}: expected ${expected}, got ${got}; ${share}`, expected, got };
}

function placed(message: string, place: Failure["place"] | null): Failure {
  if (!place?.path) return { message };
  const { path, line, column } = place;
  return { message, place: { path, line, column } };
}

/** One line about all runs. */
export function summary(runs: Run[]): string {
  const failed = runs.filter((it) => failures(it).length);
  const skipped = runs.filter((it) => it.outcome === "skipped").length;
  const rest = skipped ? `, ${String(skipped)} skipped` : "";
  if (!failed.length) return `✓ ${count(runs.length - skipped, "case")} passed${rest}`;
  const [first] = failed;
  const why = first ? `: ${first.kernel} (${caseName(first)})` : "";
  return `✗ ${String(failed.length)} of ${count(runs.length, "case")} failed${why}${rest}`;
}

function count(number: number, what: string): string {
  return `${String(number)} ${what}${number === 1 ? "" : "s"}`;
}
