/** What the server's commands take and give, beyond LSP itself. */

export interface RunPlace {
  path: string;
  line: number;
  column: number;
  message: string;
}

export interface RunFinding {
  kind: string;
  message: string;
  path: string;
  line: number;
  column: number;
  count: number;
  related: RunPlace[];
}

export interface RunMismatch {
  argument: string;
  index: number[];
  expected: string;
  got: string;
  count: number;
  total: number;
}

/** One message of the compiler; lines and columns count from 1. */
export interface CompileProblem {
  path: string;
  line: number;
  column: number;
  severity: string;
  message: string;
}

export interface Run {
  kernel: string;
  case: string;
  outcome: "passed" | "mismatched" | "finding" | "compile-error" | "timed-out" | "crashed" | "skipped";
  milliseconds?: number;
  message?: string;
  findings?: RunFinding[];
  mismatch?: RunMismatch | null;
  problems?: CompileProblem[];
  /** Where a kernel was that crashed or went on for ever. */
  stopped_at?: RunPlace | null;
}

/** The result of `mkls.runKernel` and `mkls.runOperator`. */
export interface RunReport {
  backend: string;
  file: string;
  runs: Run[];
}

/** The argument of `mkls.runKernel`: host names, and whether the run is checked. */
export interface KernelArguments {
  uri: string;
  kernel: string | string[];
  case?: string;
  check?: boolean;
}

/** The result of `mkls.showExpansion`. */
export interface Expansion {
  invocation: string;
  text: string;
  macros: string[];
  host_names: string[];
}

/** The result of `mkls.showOperator` and `mkls.showKernel`. */
export interface Card {
  markdown: string;
  operator?: string;
  kernels?: string[];
}

export function isCard(value: unknown): value is Card {
  return typeof value === "object" && value !== null && typeof (value as Card).markdown === "string";
}

export function isRunReport(value: unknown): value is RunReport {
  return typeof value === "object" && value !== null && Array.isArray((value as RunReport).runs);
}

export function kernelNames(kernel: string | string[]): string[] {
  return typeof kernel === "string" ? [kernel] : kernel;
}
