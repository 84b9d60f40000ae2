import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

interface Setting {
  scope: string;
  markdownDescription: string;
}

interface Manifest {
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, Setting> };
    problemPatterns: { regexp: string }[];
  };
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const { commands, configuration, problemPatterns } = manifest.contributes;
const sources = readdirSync("src").map((it) => readFileSync(`src/${it}`, "utf8")).join("\n");

test("each command of the manifest is registered", () => {
  assert.ok(commands.length > 8);
  for (const { command } of commands) assert.match(sources, new RegExp(`"${command}"`), command);
});

test("what names a program is scoped to the machine", () => {
  const programs = ["server.path", "server.args", "server.requirement", "interpreter", "run.python", "run.command"];
  for (const it of programs) assert.equal(configuration.properties[`mkls.${it}`]?.scope, "machine", it);
});

test("each setting is described", () => {
  for (const [name, it] of Object.entries(configuration.properties)) assert.ok(it.markdownDescription.length > 10, name);
});

test("the problem matcher reads a line of `mkls check --output-format concise`", () => {
  const line = "a b/k.mm:18:32: error[unresolved-kernel-name] no Metal source defines a kernel `faed_…`  [fixable]";
  const match = new RegExp(problemPatterns[0]?.regexp ?? "^$").exec(line);
  const wanted = ["a b/k.mm", "18", "32", "error", "unresolved-kernel-name"];
  assert.deepEqual(match?.slice(1, 6), wanted);
});
