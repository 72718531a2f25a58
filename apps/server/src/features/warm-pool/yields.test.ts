import { expect, it } from "vitest";
import type { Waiting } from "../instances/queue.ts";
import { countAhead, YIELD_MS } from "./yields.ts";

const now = new Date("2026-03-02T09:00:00Z");
const one = { zone: "europe", runtime: "container", is_own_limit: false, queued_at: now } as Waiting;
const pool = { zone: "europe", runtime: "container" };

it("counts those that wait for the same machines", () => {
  expect(countAhead([], pool, now)).toBe(0);
  expect(countAhead([one, one], pool, now)).toBe(2);
});

it.each([
  ["in another zone", { zone: "asia" }],
  ["for other machines", { runtime: "simulator" }],
  ["for the limit of their organization", { is_own_limit: true }],
  ["for so long that no machine may be able to run it", { queued_at: new Date(now.getTime() - YIELD_MS) }],
])("leaves out what waits %s", (_, other) => {
  expect(countAhead([one, { ...one, ...other }], pool, now)).toBe(1);
});
