import { expect, it } from "vitest";
import { FairTurns } from "./fair-turns.ts";
import { Killed, WorkBudget } from "./work-budget.ts";

const never = new AbortController().signal;

/** A budget whose work takes as long as the test says. */
function aBudget({ ms = 1000, bytes = 1000, signal = never } = {}) {
  let now = 0;
  const turns = new FairTurns(() => now);
  const budget = new WorkBudget({ owner: {}, signal, limits: { ms, bytes }, turns });
  return { budget, work: (took: number) => void (now += took) };
}

it("lets the event loop turn once a slice of time is used, and not before", async () => {
  const { budget, work } = aBudget();
  let turned = false;
  setImmediate(() => (turned = true));
  await budget.spend();
  work(0.9);
  await budget.spend();
  expect(turned).toBe(false);
  work(0.2);
  await budget.spend();
  expect(turned).toBe(true);
});

it("kills what uses more time than it may, however it is divided", async () => {
  const { budget, work } = aBudget({ ms: 10 });
  const use = async () => {
    await budget.spend();
    work(3);
    await budget.spend();
  };
  for (let each = 0; each < 3; each++) await use();
  await expect(use()).rejects.toThrow(new Killed("Killed: more than 0.01 s of processor time used"));
});

it("kills what moves more bytes than it may, and with it every other part of the work", async () => {
  const { budget } = aBudget({ bytes: 10 });
  await budget.spend(6);
  await budget.spend(4);
  expect(budget.signal.aborted).toBe(false);
  await expect(budget.spend(1)).rejects.toThrow(new Killed("Killed: more than 10 bytes read and written"));
  expect(budget.signal.reason).toBeInstanceOf(Killed);
  await expect(budget.spend()).rejects.toBeInstanceOf(Killed);
});

it("ends with the signal, also while it waits for its turn", async () => {
  const stop = new AbortController();
  const { budget, work } = aBudget({ signal: stop.signal });
  await budget.spend();
  work(5);
  const waiting = budget.spend();
  stop.abort(new Error("hung up"));
  await expect(waiting).rejects.toThrow("hung up");
  await expect(budget.spend()).rejects.toThrow("hung up");
});
