import { describe, expect, it } from "vitest";
import { Gate } from "./gate.ts";

describe("Gate", () => {
  it("runs up to its limit, queues up to its limit, and refuses the rest", async () => {
    const gate = new Gate({ maxRunning: 2, maxWaiting: 1 });
    const doors = [1, 2, 3].map(() => Promise.withResolvers<void>());
    const began: number[] = [];
    const works = doors.map(({ promise }, index) =>
      gate.run(async () => {
        began.push(index);
        await promise;
      }),
    );
    await expect(gate.run(async () => undefined)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(began).toEqual([0, 1]);
    doors[0]?.resolve();
    await works[0];
    await Promise.resolve();
    expect(began).toEqual([0, 1, 2]);
    for (const door of doors) door.resolve();
    await Promise.all(works);
  });

  it("frees the slot when the work fails", async () => {
    const gate = new Gate({ maxRunning: 1, maxWaiting: 0 });
    await expect(gate.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await gate.run(async () => "next")).toBe("next");
  });
});
