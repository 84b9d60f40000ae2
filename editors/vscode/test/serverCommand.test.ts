import assert from "node:assert/strict";
import { test } from "node:test";
import { findServer, NotFoundError, siblingCall, type Surroundings } from "../src/serverCommand";

const WITH_SERVER = new Set(["/configured/python", "/selected/python", "/private/python"]);

function around(changes: Partial<Surroundings> = {}): Surroundings {
  return {
    configuredPath: "",
    configuredInterpreter: "",
    trusted: true,
    selectedInterpreter: () => Promise.resolve("/selected/python"),
    onPath: () => Promise.resolve("/usr/bin/mkls"),
    privateInterpreter: () => Promise.resolve("/private/python"),
    hasServer: (it) => Promise.resolve(WITH_SERVER.has(it)),
    exists: (it) => Promise.resolve(it.startsWith("/configured")),
    ...changes,
  };
}

const nothing = () => Promise.resolve(undefined);

test("the executable of the settings comes first", async () => {
  const found = await findServer(around({ configuredPath: "/configured/mkls", configuredInterpreter: "/configured/python" }));
  assert.deepEqual([found?.command, found?.args], ["/configured/mkls", ["serve"]]);
});

test("then the interpreter of the settings", async () => {
  const found = await findServer(around({ configuredInterpreter: "/configured/python" }));
  assert.deepEqual([found?.command, found?.args], ["/configured/python", ["-m", "mkls", "serve"]]);
});

test("then the selected environment, if it has mkls", async () => {
  assert.equal((await findServer(around()))?.command, "/selected/python");
  const without = around({ selectedInterpreter: () => Promise.resolve("/other/python") });
  assert.equal((await findServer(without))?.command, "/usr/bin/mkls");
});

test("then PATH, then the private environment, then nothing", async () => {
  const bare = around({ selectedInterpreter: nothing });
  assert.equal((await findServer(bare))?.origin, "PATH");
  assert.equal((await findServer({ ...bare, onPath: nothing }))?.command, "/private/python");
  assert.equal(await findServer({ ...bare, onPath: nothing, privateInterpreter: nothing }), undefined);
});

test("an interpreter of an untrusted folder is not even asked for", async () => {
  const asked = around({ trusted: false, selectedInterpreter: () => assert.fail("asked") });
  assert.equal((await findServer(asked))?.command, "/usr/bin/mkls");
});

test("a setting that names nothing is told, not passed over", async () => {
  await assert.rejects(findServer(around({ configuredPath: "/gone/mkls" })), NotFoundError);
  await assert.rejects(findServer(around({ configuredInterpreter: "/other/python" })), /\/other\/python.*cannot import/);
});

test("other commands of the same mkls", () => {
  const module = { command: "/p", args: ["-m", "mkls", "serve"], origin: "" };
  assert.deepEqual(siblingCall(module, "doctor"), ["/p", "-m", "mkls", "doctor"]);
  assert.deepEqual(siblingCall({ command: "/m", args: ["serve"], origin: "" }, "check", "."), ["/m", "check", "."]);
});
