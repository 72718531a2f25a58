import { expect, it } from "vitest";
import { inTurns } from "./in-turns.ts";

it("acts on everything, on so many at once", async () => {
  const done: number[] = [];
  let [now, most] = [0, 0];
  await inTurns([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++now);
    await Promise.resolve();
    now--;
    done.push(item);
  });
  expect([done, most]).toEqual([[1, 2, 3, 4, 5], 2]);
});

it("begins nothing more after a failure, and waits for what is under way", async () => {
  const begun: string[] = [];
  const slow = Promise.withResolvers<void>();
  let outcome: unknown;
  const acting = inTurns(["fails", "slow", "third", "fourth"], 2, async (item) => {
    begun.push(item);
    if (item === "fails") throw new Error("no more");
    await slow.promise;
  }).catch((error: unknown) => (outcome = error));
  await new Promise(setImmediate);
  expect(outcome).toBeUndefined();
  slow.resolve();
  await acting;
  expect([outcome, begun]).toEqual([new Error("no more"), ["fails", "slow"]]);
});
