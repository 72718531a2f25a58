import { describe, expect, it } from "vitest";
import { Gate } from "./gate.ts";

/** A gate through which one call goes at a time, and who came through. */
function oneByOne(limits: { maxWaiting?: number; maxWaitingPerLane?: number } = {}) {
  const gate = new Gate({ maxRunning: 1, maxWaiting: 100, maxWaitingPerLane: 100, ...limits });
  const came: string[] = [];
  const first = Promise.withResolvers<void>();
  const opened = gate.run("first", () => first.promise);
  const pass = (lane: string, name = lane) => gate.run(lane, async () => void came.push(name));
  return { came, pass, open: () => (first.resolve(), opened) };
}

describe("Gate", () => {
  it("runs up to its limit, queues up to its limit, and refuses the rest", async () => {
    const gate = new Gate({ maxRunning: 2, maxWaiting: 1, maxWaitingPerLane: 1 });
    const doors = [1, 2, 3].map(() => Promise.withResolvers<void>());
    const began: number[] = [];
    const works = doors.map(({ promise }, index) =>
      gate.run("a", async () => {
        began.push(index);
        await promise;
      }),
    );
    await expect(gate.run("b", async () => undefined)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(began).toEqual([0, 1]);
    doors[0]?.resolve();
    await works[0];
    await Promise.resolve();
    expect(began).toEqual([0, 1, 2]);
    for (const door of doors) door.resolve();
    await Promise.all(works);
  });

  it("refuses a caller who fills their lane, and nobody else", async () => {
    const { pass, open } = oneByOne({ maxWaitingPerLane: 2 });
    const waiting = [pass("a"), pass("a")];
    await expect(pass("a")).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS", facts: { retryAfterSeconds: 1 } });
    waiting.push(pass("b"));
    await open();
    await Promise.all(waiting);
    await pass("a");
  });

  it("lets lanes take turns", async () => {
    const { came, pass, open } = oneByOne();
    const all = ["a1", "a2", "a3", "b1", "b2", "c1"].map((name) => pass(name.slice(0, 1), name));
    await open();
    await Promise.all(all);
    expect(came).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  });

  it("frees the slot when the work fails", async () => {
    const gate = new Gate({ maxRunning: 1, maxWaiting: 0, maxWaitingPerLane: 0 });
    await expect(gate.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await gate.run("a", async () => "next")).toBe("next");
  });
});
