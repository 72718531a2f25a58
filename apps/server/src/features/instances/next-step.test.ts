import { describe, expect, it } from "vitest";
import { nextStep, stopsAt, type Timed } from "./next-step.ts";

const start = Date.parse("2026-03-02T09:00:00Z");
const at = (minutes: number) => new Date(start + minutes * 60_000);

const aDevice = (fields: Partial<Timed> = {}): Timed => ({
  state: "ONLINE",
  created_at: at(0),
  online_at: at(0),
  last_active_at: at(0),
  timeout_inactivity: 30,
  timeout_global: 0,
  ...fields,
});

describe("nextStep", () => {
  it.each<[string, Partial<Timed>, number, string | undefined]>([
    ["nothing before the inactivity time", {}, 29.99, undefined],
    ["a stop at the inactivity time", {}, 30, "inactivity"],
    ["nothing for one that was used since", { last_active_at: at(20) }, 49, undefined],
    [
      "a stop at the longest run, although it is in use",
      { timeout_global: 60, last_active_at: at(59) },
      60,
      "max_run_duration",
    ],
    ["the earlier of both", { timeout_global: 60 }, 61, "inactivity"],
    ["nothing without any time-out", { timeout_inactivity: 0 }, 1e6, undefined],
    ["nothing for a device that is being saved", { state: "SAVING" }, 1e6, undefined],
    ["nothing for one that starts in time", { state: "BOOTING", online_at: null }, 3.9, undefined],
    ["an end to one that does not come up", { state: "BOOTING", online_at: null }, 4, "start_timeout"],
  ])("says %s", (_, fields, minutes, reason) => {
    expect(nextStep(aDevice(fields), at(minutes).getTime())?.reason).toBe(reason);
  });

  it("counts from the time it came online, not from an older use", () => {
    expect(stopsAt(aDevice({ online_at: at(10), last_active_at: at(0) }))?.at).toBe(at(40).getTime());
  });
});
