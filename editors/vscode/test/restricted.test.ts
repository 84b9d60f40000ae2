import assert from "node:assert/strict";
import { test } from "node:test";
import { forServer } from "../src/restricted";

const table = { ignore: ["unused-kernel"], run: { enabled: true, python: "/p", command: ["ssh", "mac"], timeout: 3 } };

test("a trusted folder's settings go through untouched", () => {
  assert.equal(forServer(table, true), table);
});

test("in an untrusted folder nothing runs and no program is named, and checks keep their settings", () => {
  assert.deepEqual(forServer(table, false), {
    ignore: ["unused-kernel"],
    run: { enabled: false, python: null, command: null, timeout: 3 },
  });
  assert.deepEqual(forServer({}, false), { run: { enabled: false, python: null, command: null } });
});
