import { describe, expect, it } from "vitest";
import { nextStep, timeLeft, type Timed } from "./next-step.ts";

const MINUTE_MS = 60_000;

/** With times in minutes. */
const aDevice = ({ ran = 0, idle = ran, ...fields }: Partial<Timed> & { ran?: number; idle?: number }): Timed => ({
  state: "ONLINE",
  ran_ms: ran * MINUTE_MS,
  idle_ms: idle * MINUTE_MS,
  timeout_inactivity: 30,
  timeout_global: 0,
  kept_until_ms: 0,
  ...fields,
});

describe("nextStep", () => {
  it.each<[string, Parameters<typeof aDevice>[0], string | undefined]>([
    ["nothing before the inactivity time", { ran: 29.99 }, undefined],
    ["a stop at the inactivity time", { ran: 30 }, "inactivity"],
    ["nothing for one that was used since", { ran: 49, idle: 29 }, undefined],
    ["a stop at the longest run, although it is in use", { timeout_global: 60, ran: 60, idle: 1 }, "max_run_duration"],
    ["the earlier of both", { timeout_global: 60, ran: 61, idle: 61 }, "inactivity"],
    ["nothing for one that was extended", { ran: 40, kept_until_ms: 41 * MINUTE_MS }, undefined],
    ["a stop once that is over, too", { ran: 41, kept_until_ms: 41 * MINUTE_MS }, "inactivity"],
    ["nothing without any time-out", { timeout_inactivity: 0, ran: 1e6 }, undefined],
    ["nothing for a device that is being saved", { state: "SAVING", ran: 1e6 }, undefined],
    ["nothing for one that starts in time", { state: "BOOTING", ran: 3.9 }, undefined],
    ["an end to one that does not come up", { state: "BOOTING", ran: 4 }, "start_timeout"],
  ])("says %s", (_, fields, reason) => {
    expect(nextStep(aDevice(fields))?.reason).toBe(reason);
  });
});

it("timeLeft says how long a device still runs", () => {
  expect(timeLeft(aDevice({ ran: 50, idle: 10 }))).toEqual({ ms: 20 * MINUTE_MS, reason: "inactivity" });
  expect(timeLeft(aDevice({ ran: 50, idle: 10, timeout_global: 60 }))).toEqual({
    ms: 10 * MINUTE_MS,
    reason: "max_run_duration",
  });
  const kept = aDevice({ ran: 50, idle: 10, timeout_global: 60, kept_until_ms: 75 * MINUTE_MS });
  expect(timeLeft(kept)).toEqual({ ms: 25 * MINUTE_MS, reason: "max_run_duration" });
  expect(timeLeft(aDevice({ ran: 50, timeout_inactivity: 0, kept_until_ms: 75 * MINUTE_MS }))).toBeUndefined();
});
