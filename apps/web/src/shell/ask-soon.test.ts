import { TestClock } from "@terrarium/clock";
import type { QueryKey } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { askSoon } from "./ask-soon.ts";

const devices: QueryKey = ["devices"];
const people: QueryKey = ["people"];

function setUp() {
  const clock = new TestClock(0);
  const asked: (readonly QueryKey[])[] = [];
  let answered = Promise.resolve();
  const ask = (keys: readonly QueryKey[]) => {
    asked.push(keys);
    return answered;
  };
  return {
    clock,
    asked,
    soon: askSoon(ask, clock),
    /** From now on answers come when the returned function is called. */
    hold: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      answered = promise;
      return resolve;
    },
  };
}

it("asks once for what many events of a moment change", async () => {
  const { clock, asked, soon } = setUp();
  for (const keys of [[devices], [devices, people], [devices]]) soon(keys);
  await clock.advance(299);
  expect(asked).toEqual([]);
  await clock.advance(1);
  expect(asked).toEqual([[devices, people]]);
  soon([people]);
  await clock.advance(300);
  expect(asked).toEqual([[devices, people], [people]]);
});

it("is not put off by events that never pause", async () => {
  const { clock, asked, soon } = setUp();
  for (let event = 0; event < 10; event++) {
    soon([devices]);
    await clock.advance(100);
  }
  expect(asked).toHaveLength(3);
});

it("asks anew only when the answer is there, however slow the line and steady the events", async () => {
  const { clock, asked, soon, hold } = setUp();
  const answer = hold();
  for (let event = 0; event < 50; event++) {
    soon([devices]);
    await clock.advance(100);
  }
  expect(asked).toEqual([[devices]]);
  soon([people]);
  answer();
  await clock.advance(300);
  expect(asked).toEqual([[devices], [devices, people]]);
});

it("asks again after an answer that never came", async () => {
  const clock = new TestClock(0);
  const asked: (readonly QueryKey[])[] = [];
  const soon = askSoon(async (keys) => {
    asked.push(keys);
    throw new Error("no line");
  }, clock);
  for (let times = 0; times < 2; times++) {
    soon([devices]);
    await clock.advance(300);
  }
  expect(asked).toHaveLength(2);
});

it("asks nothing for events that change no sum", async () => {
  const { clock, asked, soon } = setUp();
  soon([]);
  await clock.advance(300);
  expect(asked).toEqual([]);
});
