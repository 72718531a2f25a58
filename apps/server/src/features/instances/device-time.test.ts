import { ShiftedClock, TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { DeviceTime } from "./device-time.ts";

const LONGEST_GAP_MS = 300_000;

function create(clock = new TestClock(0)) {
  const row = { ran_ms: 0, idle_ms: 0, measured_at: null };
  return { clock, time: new DeviceTime(clock, row, LONGEST_GAP_MS) };
}

describe("DeviceTime", () => {
  it("measures since the start, since it came online, and since its last use", async () => {
    const { clock, time } = create();
    await clock.advance(5_000);
    expect(time.read()).toMatchObject({ ran_ms: 5_000 });
    // Written a second before its gateway hears of it.
    time.restart(4_000);
    expect(time.read()).toMatchObject({ ran_ms: 1_000, idle_ms: 1_000 });
    await clock.advance(2_000);
    time.used();
    await clock.advance(1_000);
    expect(time.read()).toEqual({ ran_ms: 4_000, idle_ms: 1_000, measured_at: new Date(8_000) });
  });

  it("counts what an operator moves the clock by", () => {
    const clock = new ShiftedClock(new TestClock(0));
    const row = { ran_ms: 0, idle_ms: 0, measured_at: null };
    const time = new DeviceTime(clock, row, LONGEST_GAP_MS);
    clock.shiftTo(7_200_000);
    expect(time.read()).toMatchObject({ ran_ms: 7_200_000, idle_ms: 7_200_000 });
    // Whoever takes the device over counts it once.
    const next = new DeviceTime(clock, time.read(), LONGEST_GAP_MS);
    expect(next.read()).toMatchObject({ ran_ms: 7_200_000 });
  });

  it.each([-30_000, -3_600_000, 3_600_000, 157_788_000_000])(
    "measures the same when the system's clock is set by %i ms",
    async (ms) => {
      const { clock, time } = create(new TestClock());
      await clock.advance(1_000);
      clock.step(ms);
      await clock.advance(1_000);
      expect(time.read()).toMatchObject({ ran_ms: 2_000, idle_ms: 2_000 });
    },
  );

  it.each([
    ["counts the time without a gateway", 60_000, 60_000],
    ["takes none away when the clock was set back meanwhile", -3_600_000, 0],
    ["counts no more of it than a device can be without a gateway", 3_600_000, LONGEST_GAP_MS],
  ])("%s", (_, gap, counted) => {
    const clock = new TestClock(10_000_000);
    const row = { ran_ms: 7_000, idle_ms: 2_000, measured_at: new Date(10_000_000 - gap) };
    expect(new DeviceTime(clock, row, LONGEST_GAP_MS).read()).toMatchObject({
      ran_ms: 7_000 + counted,
      idle_ms: 2_000 + counted,
    });
  });
});
