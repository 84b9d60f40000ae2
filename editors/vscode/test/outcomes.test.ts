import assert from "node:assert/strict";
import { test } from "node:test";
import { failures, summary } from "../src/outcomes";
import type { Run } from "../src/protocol";

const passed: Run = { kernel: "k", case: "dense", outcome: "passed" };
const finding: Run = {
  kernel: "k",
  case: "odd",
  outcome: "finding",
  findings: [
    { kind: "out-of-bounds-write", message: "past the end", path: "/a.metal", line: 3, column: 5, count: 4, related: [] },
  ],
};
const mismatched: Run = {
  kernel: "k",
  case: "strided",
  outcome: "mismatched",
  mismatch: { argument: "out", index: [1, 2], expected: "1.0", got: "2.0", count: 3, total: 9 },
};

test("a run that passed or was skipped has no failure", () => {
  assert.deepEqual(failures(passed), []);
  assert.deepEqual(failures({ ...passed, outcome: "skipped", message: "no half here" }), []);
});

test("a finding keeps its place", () => {
  assert.deepEqual(failures(finding), [
    { message: "out-of-bounds-write: past the end (4 times)", place: { path: "/a.metal", line: 3, column: 5 } },
  ]);
});

test("a mismatch can be shown as a difference", () => {
  const [failure] = failures(mismatched);
  assert.equal(failure?.message, "out[1, 2]: expected 1.0, got 2.0; 3 of 9 differ");
  assert.deepEqual([failure?.expected, failure?.got], ["1.0", "2.0"]);
});

test("errors of the compiler keep their places, warnings are not failures", () => {
  const place = { path: "/a.metal", line: 7, column: 2 };
  const problems = [
    { ...place, severity: "warning", message: "unused" },
    { ...place, severity: "error", message: "expected ;" },
  ];
  assert.deepEqual(failures({ ...passed, outcome: "compile-error", problems }), [{ message: "expected ;", place }]);
});

test("an endless loop is shown where the time went", () => {
  const stopped = { path: "/a.metal", line: 7, column: 2 };
  const run: Run = { ...passed, outcome: "timed-out", message: "no end", stopped_at: { ...stopped, message: "" } };
  assert.deepEqual(failures(run), [{ message: "no end", place: stopped }]);
});

test("what failed without more to tell says its message, or at least how", () => {
  assert.deepEqual(failures({ ...passed, outcome: "crashed", message: "signal 11" }), [{ message: "signal 11" }]);
  assert.deepEqual(failures({ ...passed, outcome: "timed-out" }), [{ message: "timed-out" }]);
});

test("the summary counts cases", () => {
  assert.equal(summary([passed]), "✓ 1 case passed");
  assert.equal(summary([passed, passed, { ...passed, outcome: "skipped" }]), "✓ 2 cases passed, 1 skipped");
  assert.equal(summary([passed, finding, mismatched]), "✗ 2 of 3 cases failed: k (odd)");
});
