import { expect, it } from "vitest";
import { Turns } from "./turns.ts";

it("runs one piece of work in each turn of the event loop, in the order in which they were asked for", async () => {
  const turns = new Turns();
  const done: string[] = [];
  const loop = (async () => {
    for (let number = 0; number < 6; number++) {
      await new Promise((resolve) => setImmediate(resolve));
      done.push("|");
    }
  })();
  await Promise.all(["a", "b", "c"].map((name) => turns.turn().then(() => done.push(name))));
  await loop;
  expect(done.join("")).toMatch(/^\|*a\|+b\|+c\|*$/);
});
