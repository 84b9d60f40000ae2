import assert from "node:assert/strict";
import { test } from "node:test";
import { Backoff } from "../src/backoff";

function ends(backoff: Backoff, times: number): (number | undefined)[] {
  return Array.from({ length: times }, () => backoff.ended());
}

test("each wait is twice the one before, and the sixth end in a row is the last", () => {
  assert.deepEqual(ends(new Backoff(() => 0), 6), [1000, 2000, 4000, 8000, 16000, undefined]);
});

test("ends of long ago are forgiven", () => {
  let now = 0;
  const backoff = new Backoff(() => now);
  ends(backoff, 5);
  now = 180_000;
  assert.equal(backoff.ended(), 1000);
});

test("a start that the user asks for begins anew", () => {
  const backoff = new Backoff(() => 0);
  ends(backoff, 6);
  backoff.reset();
  assert.equal(backoff.ended(), 1000);
});
