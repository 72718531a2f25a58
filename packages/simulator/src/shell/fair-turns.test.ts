import { expect, it } from "vitest";
import { FairTurns } from "./fair-turns.ts";

const aTurn = () => new Promise((resolve) => setImmediate(resolve));

const old = { isNew: false };

it("resumes one piece of work in each turn of the event loop, and owners in turn", async () => {
  const turns = new FairTurns();
  const [one, other] = [{}, {}];
  const done: string[] = [];
  for (const name of ["a1", "a2", "a3"]) void turns.next(one, old).then(() => done.push(name));
  for (const name of ["b1", "b2"]) void turns.next(other, old).then(() => done.push(name));
  const seen: string[] = [];
  for (let turn = 0; turn < 7; turn++) {
    await aTurn();
    seen.push(done.at(-1)!);
    // What begins meanwhile goes first.
    if (turn === 1) void turns.next(one, { isNew: true }).then(() => done.push("new"));
  }
  expect(seen).toEqual(["a1", "b1", "new", "a2", "b2", "a3", "a3"]);
});

it("counts how long a turn of the event loop is held, and forgets it in the next", async () => {
  let now = 100;
  const turns = new FairTurns(() => now);
  expect(turns.held()).toBe(0);
  now += 5;
  expect(turns.held()).toBe(5);
  await aTurn();
  now += 5;
  expect(turns.held()).toBe(0);
  now += 5;
  await turns.next({}, old);
  expect(turns.held()).toBe(0);
});
