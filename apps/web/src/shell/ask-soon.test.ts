import { TestClock } from "@terrarium/clock";
import type { QueryKey } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { askSoon } from "./ask-soon.ts";

const devices: QueryKey = ["devices"];
const people: QueryKey = ["people"];

function setUp() {
  const clock = new TestClock(0);
  const asked: (readonly QueryKey[])[] = [];
  return { clock, asked, soon: askSoon((keys) => asked.push(keys), clock) };
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

it("asks nothing for events that change no sum", async () => {
  const { clock, asked, soon } = setUp();
  soon([]);
  await clock.advance(300);
  expect(asked).toEqual([]);
});
