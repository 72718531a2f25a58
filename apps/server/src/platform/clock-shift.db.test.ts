import { TestClock } from "@terrarium/clock";
import { expect, it, onTestFinished, vi } from "vitest";
import { createTestDatabase } from "../testing/database.ts";
import { followShift, moveClock, readShift } from "./clock-shift.ts";
import { createLog } from "./log.ts";
import { startPeriodic } from "./jobs/periodic.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

async function followed() {
  const { db, url } = await createTestDatabase();
  const real = new TestClock(0);
  const following = await followShift({ db, url, clock: real, onConnectionLost: () => undefined });
  onTestFinished(following.stop);
  return { db, url, real, ...following };
}

it("every process of an installation follows a clock that was moved, also one that starts later", async () => {
  const { db, url, real, clock } = await followed();
  expect([clock.now(), await readShift(db)]).toEqual([0, 0]);
  await moveClock(db, 7 * DAY_MS);
  await expect.poll(() => clock.now()).toBe(7 * DAY_MS);
  await moveClock(db, DAY_MS);
  await expect.poll(() => clock.now()).toBe(8 * DAY_MS);
  // What is measured goes on as before.
  expect(clock.monotonic()).toBe(0);
  const later = await followShift({ db, url, clock: real, onConnectionLost: () => undefined });
  onTestFinished(later.stop);
  expect(later.clock.now()).toBe(8 * DAY_MS);
});

it("wakes periodic work, which sees the new date", async () => {
  const { db, clock } = await followed();
  const seen: number[] = [];
  const work = { everyMs: DAY_MS, run: async () => void seen.push(clock.now()) };
  const schedule = startPeriodic({ clock, log: createLog("silent", "test"), periodic: [work], deps: undefined });
  onTestFinished(() => schedule.stop());
  await vi.waitFor(() => expect(seen).toEqual([0]), 10_000);
  await moveClock(db, 7 * DAY_MS);
  await expect.poll(() => seen).toEqual([0, 7 * DAY_MS]);
});
