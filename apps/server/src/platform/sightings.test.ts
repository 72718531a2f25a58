import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { Sightings } from "./sightings.ts";

function create() {
  const clock = new TestClock();
  const sightings = new Sightings(clock, 10_000);
  const after = async (ms: number, ...keys: string[]) => {
    await clock.advance(ms);
    return sightings.lasting(keys);
  };
  return { clock, after };
}

describe("Sightings", () => {
  it("finds what was there at every look for the whole time", async () => {
    const { after } = create();
    expect(await after(0, "a")).toEqual([]);
    expect(await after(6_000, "a", "b")).toEqual([]);
    expect(await after(3_999, "a", "b")).toEqual([]);
    expect(await after(1, "a", "b")).toEqual(["a"]);
    expect(await after(6_000, "a", "b")).toEqual(["a", "b"]);
  });

  it("counts from the start again for what was away at one look", async () => {
    const { after } = create();
    await after(0, "a");
    await after(6_000);
    await after(3_000, "a");
    expect(await after(9_999, "a")).toEqual([]);
    expect(await after(1, "a")).toEqual(["a"]);
  });

  it("knows nothing of a time in which it did not look", async () => {
    const { after } = create();
    await after(0, "a");
    expect(await after(60_000, "a")).toEqual([]);
    expect(await after(10_000, "a")).toEqual(["a"]);
  });

  it.each([-30_000, -3_600_000, 3_600_000, 157_788_000_000])(
    "takes as long when the system's clock is set by %i ms",
    async (ms) => {
      const { clock, after } = create();
      await after(0, "a");
      clock.step(ms);
      expect(await after(9_999, "a")).toEqual([]);
      expect(await after(1, "a")).toEqual(["a"]);
    },
  );
});
