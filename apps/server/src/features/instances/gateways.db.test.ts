import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { findFound, findGatewayOf, setDraining, upsertGateway, writeFound } from "./gateways.ts";
import { claimInstances } from "./leases.store.ts";
import { moveInstance } from "./move-instance.ts";

async function started() {
  const { db, clock, as } = await createTestApp();
  const { start } = await as();
  const { uuid } = (await start()).json<{ uuid: string }>();
  await upsertGateway(db, "first", "127.0.0.1:4000");
  // The service's own jobs.
  const others = clock.sleeping;
  const claim = () => claimInstances(db, { holder: "first", reach: [{ runtime: "simulator", place: "here" }] }, 1);
  const find = (signal = new AbortController().signal) => findGatewayOf(db, clock, uuid, signal);
  /** Moves time on whenever the search waits for it, and never while it asks the database. */
  const whileSearching = async <Found>(search: Promise<Found>): Promise<Found> => {
    let isOver = false;
    const over = () => (isOver = true);
    search.then(over, over);
    while (!isOver) {
      if (clock.sleeping > others) await clock.advance(15);
      else await new Promise((resolve) => setImmediate(resolve));
    }
    return search;
  };
  return { db, clock, others, uuid, claim, find, whileSearching };
}

describe("findGatewayOf", () => {
  it("waits for the gateway that claims a device which was just asked for", async () => {
    const { clock, others, claim, find, whileSearching } = await started();
    const searching = find();
    await expect.poll(() => clock.sleeping).toBeGreaterThan(others);
    await claim();
    expect(await whileSearching(searching)).toBe("127.0.0.1:4000");
  });

  it("gives up after 3 s", async () => {
    const { clock, find, whileSearching } = await started();
    const began = clock.now();
    expect(await whileSearching(find())).toBeUndefined();
    expect(clock.now() - began).toBeGreaterThanOrEqual(3_000);
  });

  it("does not wait for one that waits itself", async () => {
    const { db, clock, uuid, find } = await started();
    await db
      .updateTable("instances")
      .set({ queued_at: new Date(clock.now()) })
      .where("uuid", "=", uuid)
      .execute();
    const began = clock.now();
    expect(await find()).toBeUndefined();
    expect(clock.now()).toBe(began);
  });

  it("does not wait for a device that is over: any gateway that lives can say so", async () => {
    const { db, clock, uuid, claim, find } = await started();
    await claim();
    await moveInstance(db, { uuid, event: "stop", now: new Date(clock.now()) });
    expect(await find()).toBe("127.0.0.1:4000");
    await db.deleteFrom("gateways").where("id", "=", "first").execute();
    expect(await find()).toBeUndefined();
  });

  it("stops looking when the client has left", async () => {
    const { find } = await started();
    const left = new AbortController();
    const searching = find(left.signal);
    left.abort(new Error("left"));
    await expect(searching).rejects.toThrow("left");
  });
});

describe("a gateway among others", () => {
  async function two() {
    const { db } = await createTestApp();
    for (const id of ["first", "second"]) await upsertGateway(db, id, "127.0.0.1:4000");
    return db;
  }

  it("drains, and takes devices again, by itself", async () => {
    const db = await two();
    for (const id of ["first", "second"]) expect(await setDraining(db, id, true)).toBe(true);
    expect(await setDraining(db, "first", false)).toBe(true);
    expect(await db.selectFrom("draining_gateways").selectAll().execute()).toEqual([{ id: "second" }]);
  });

  it("writes what it has found itself", async () => {
    const db = await two();
    const before = await findFound(db, "second");
    const device = { runtime: "usb", key: "moss", name: "Moss", isFree: true };
    await writeFound(db, "first", { machine: [], devices: [device] });
    expect(await findFound(db, "first")).toMatchObject({ devices: [device] });
    expect(await findFound(db, "second")).toEqual(before);
  });
});
