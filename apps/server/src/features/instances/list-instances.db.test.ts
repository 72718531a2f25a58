import type { Instance } from "@terrarium/contract";
import { CompiledQuery, sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import { findInstance, listChangedSince } from "./instances.store.ts";
import { findSnapshots } from "./list-instances.store.ts";

const path = "/v2/instances";

/** Two colleagues with devices, their manager, and somebody of another organization. */
async function devices() {
  const { as, db, clock } = await createTestApp();
  const organization = await anOrganization(db);
  const robin = await as({ organization, fields: { first_name: "Robin", last_name: "Reed" } });
  const kim = await as({ organization, fields: { first_name: "Kim", last_name: "Moss" } });
  const manager = await as({ organization, role: "manager" });
  const stranger = await as({ role: "manager" });
  const start = async (person: typeof robin, instance_name: string) => {
    await clock.advance(1_000);
    return (await person.start({ instance_name })).json<Instance>().uuid;
  };
  const uuids = {
    fern: await start(robin, "fern 100%"),
    ivy: await start(robin, "ivy 100"),
    palm: await start(kim, "palm"),
    others: await start(stranger, "fern of others"),
  };
  const names = async (person: typeof robin, query = "") =>
    (await person.get(`${path}?${query}`)).json<{ results: Instance[] }>().results.map(({ name }) => name);
  return { db, organization, robin, kim, manager, stranger, uuids, names };
}

describe("GET /v2/instances", () => {
  it("shows one's own, the newest first, and a manager all of the organization when asked for", async () => {
    const { organization, robin, manager, stranger, names } = await devices();
    expect(await names(robin)).toEqual(["ivy 100", "fern 100%"]);
    expect(await names(robin, "organization_wide=true")).toEqual(["ivy 100", "fern 100%"]);
    expect(await names(manager)).toEqual([]);
    const all = ["palm", "ivy 100", "fern 100%"];
    expect(await names(manager, "organization_wide=true")).toEqual(all);
    expect(await names(manager, `organization_uuid=${organization}`)).toEqual(all);
    expect(await names(manager, `organization_uuid=${organization}&organization_wide=false`)).toEqual([]);
    expect((await stranger.get(`${path}?organization_uuid=${organization}`)).json().code).toBe("FORBIDDEN");
  });

  it("is made of snapshots without layers, and so is each device", async () => {
    const { db, uuids } = await devices();
    await sql`UPDATE instances
      SET snapshot = jsonb_set(snapshot, '{osImage,layers}', ${JSON.stringify([{ sha256: "a".repeat(64), size: 1 }])}::jsonb)
      WHERE uuid = ${uuids.fern}`.execute(db);
    const query = async <Row>(text: string, values: unknown[] | (() => unknown[])) =>
      (await db.executeQuery<Row>(CompiledQuery.raw(text, values as unknown[]))).rows;
    const [listed] = await findSnapshots({ query }, [uuids.fern]);
    expect(listed?.text).toContain('"osImage"');
    const since = new Date(0);
    const rows = [listed, await findInstance(db, uuids.fern), ...(await listChangedSince(db, since))];
    expect(JSON.stringify(rows)).not.toContain("sha256");
  });

  it("shows what has failed, and not what is deleted", async () => {
    const { db, robin, uuids, names } = await devices();
    await db.updateTable("instances").set({ state: "DELETED" }).where("uuid", "=", uuids.ivy).execute();
    await db.updateTable("instances").set({ state: "ERROR" }).where("uuid", "=", uuids.fern).execute();
    expect(await names(robin)).toEqual(["fern 100%"]);
    expect((await robin.get(path)).json().count).toBe(1);
  });

  it.each([
    ["state=ONLINE", ["ivy 100"]],
    ["state=CREATING,ONLINE", ["palm", "ivy 100", "fern 100%"]],
    ["state=BOOTING", []],
    ["search=FERN%20100", ["fern 100%"]],
    ["search=100%25", ["fern 100%"]],
    ["search=moss", ["palm"]],
    ["search=kim%20moss", ["palm"]],
    ["ordering=name", ["fern 100%", "ivy 100", "palm"]],
    ["ordering=-name", ["palm", "ivy 100", "fern 100%"]],
    ["ordering=created_at", ["fern 100%", "ivy 100", "palm"]],
  ])("shows by %s", async (query, expected) => {
    const { db, manager, uuids, names } = await devices();
    await db.updateTable("instances").set({ state: "ONLINE" }).where("uuid", "=", uuids.ivy).execute();
    expect(await names(manager, `organization_wide=true&${query}`)).toEqual(expected);
  });

  it("finds a device by its owner's e-mail address and by the beginning of its identifier", async () => {
    const { manager, kim, uuids, names } = await devices();
    expect(await names(manager, `organization_wide=true&search=${kim.user.email}`)).toEqual(["palm"]);
    const start = uuids.ivy.slice(0, 13).toUpperCase();
    expect(await names(manager, `organization_wide=true&search=${start}`)).toEqual(["ivy 100"]);
    expect(await names(manager, `organization_wide=true&search=${uuids.others}`)).toEqual([]);
  });

  it("orders by state", async () => {
    const { db, robin, uuids, names } = await devices();
    await db.updateTable("instances").set({ state: "ONLINE" }).where("uuid", "=", uuids.fern).execute();
    expect(await names(robin, "ordering=state")).toEqual(["ivy 100", "fern 100%"]);
    expect(await names(robin, "ordering=-state")).toEqual(["fern 100%", "ivy 100"]);
  });

  it("orders by the owner's e-mail address", async () => {
    const { manager, kim, robin } = await devices();
    const { results } = (await manager.get(`${path}?organization_wide=true&ordering=owner`)).json<{
      results: Instance[];
    }>();
    const [first, last] = [kim.user.email, robin.user.email].sort();
    expect([results[0]?.owner.email, results.at(-1)?.owner.email]).toEqual([first, last]);
  });

  it("tells how many there are on every page, also past the last", async () => {
    const { robin } = await devices();
    const page = async (number: number) => (await robin.get(`${path}?page_size=1&page=${number}`)).json();
    expect(await page(2)).toMatchObject({ count: 2, next: null, results: [{ name: "fern 100%" }] });
    expect(await page(3)).toMatchObject({ count: 2, next: null, results: [] });
  });
});
