import assert from "node:assert/strict";
import { test } from "node:test";
import { replayCommand } from "../src/replay";

test("kernels are named once, and words that a shell would break are quoted", () => {
  const run = { kernel: "exp_dense_float", case: "", outcome: "passed" } as const;
  const report = { backend: "emulator", file: "/my files/it's.metal", runs: [run, run] };
  assert.equal(
    replayCommand(["python", "-m", "mkls"], report),
    "python -m mkls run '/my files/it'\\''s.metal' --kernel exp_dense_float --backend emulator",
  );
});
