import { describe, expect, it } from "vitest";
import type { ListedInstance } from "./list-instances.store.ts";
import { presentedInstances } from "./present-instance.ts";
import { Snapshots } from "./snapshots.ts";

/** A database whose devices are made of what their name begins with; it notes what it was asked for. */
function aDatabase() {
  const asked: string[][] = [];
  const query = async (_text: string, values: unknown[] | (() => unknown[])) => {
    const [uuids] = values as [string[]];
    asked.push(uuids);
    return uuids
      .filter((uuid) => uuid !== "gone")
      .map((uuid) => ({ uuid, text: `{"osImage":"${uuid[0]}"}` })) as never[];
  };
  return { asked, snapshots: new Snapshots({ query }) };
}

describe("Snapshots", () => {
  it("reads each device once, and only those it does not know", async () => {
    const { asked, snapshots } = aDatabase();
    await snapshots.of(["a1", "b1"]);
    const of = await snapshots.of(["a1", "c1", "b1"]);
    await snapshots.of([]);
    expect(["a1", "b1", "c1"].map((uuid) => of(uuid)?.osImage)).toEqual(["a", "b", "c"]);
    expect(asked).toEqual([["a1", "b1"], ["c1"]]);
  });

  it("keeps one object for devices that are made of the same", async () => {
    const { snapshots } = aDatabase();
    const of = await snapshots.of(["a1", "a2", "b1"]);
    expect([of("a1") === of("a2"), of("a1") === of("b1")]).toEqual([true, false]);
  });

  it("answers for a list that is longer than what it keeps", async () => {
    const { asked, snapshots } = aDatabase();
    const many = Array.from({ length: 10_001 }, (_, number) => `n${number}`);
    const of = await snapshots.of(many);
    expect(many.every((uuid) => (of(uuid)?.osImage as unknown) === "n")).toBe(true);
    await snapshots.of(["n0", "n10000"]);
    expect(asked.slice(1)).toEqual([["n0"]]);
    // What devices are made of was forgotten with them.
    expect(of("n0")).not.toBe(of("n10000"));
  });

  it("has none of a device that is gone", async () => {
    const of = await aDatabase().snapshots.of(["a1", "gone"]);
    expect(of("gone")).toBeUndefined();
  });

  it("leaves a device that is gone out of a list that was read before", async () => {
    const rows = ["gone"].map((uuid) => ({ text: `(${uuid},fern)`, row: { uuid } as ListedInstance }));
    expect(await presentedInstances(aDatabase().snapshots).of(rows, "https://fern.test")).toEqual([]);
  });
});
